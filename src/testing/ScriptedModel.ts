/**
 * A language model that plays a script: for tests of an agent, of the engine and of UIs, without network, key or chance.
 *
 * ```ts
 * const script = ScriptedModel.make([
 *   ScriptedModel.calls({ name: "mcp__everything__echo", arguments: { message: "hi" } }),
 *   ScriptedModel.text("The server said hi.")
 * ])
 * ```
 *
 * @since 0.1.0
 */
import * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Prompt from "@effect/ai/Prompt"
import type * as Response from "@effect/ai/Response"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { JsonObject } from "../mcp/JsonRpc.ts"

/**
 * A step of an answer, in the order in which the model does it.
 *
 * - `text`: says something, in one piece
 * - `call`: calls a tool; `arguments` that are a string go out as they are, well-formed or not
 * - `wait`: takes its time
 * - `hang`: never goes on
 * - `reasoning`: thinks aloud
 * - `fail`: the request or the stream breaks here; see `httpError`
 * - `stop`: the stream ends here, without the end of an answer
 *
 * @since 0.1.0
 * @category models
 */
export type Step =
  | { readonly _tag: "text"; readonly text: string }
  | { readonly _tag: "reasoning"; readonly text: string }
  | {
      readonly _tag: "call"
      readonly id?: string | undefined
      readonly name: string
      readonly arguments: JsonObject | string
    }
  | { readonly _tag: "wait"; readonly duration: Duration.DurationInput }
  | { readonly _tag: "hang" }
  | { readonly _tag: "fail"; readonly error: AiError.AiError }
  | { readonly _tag: "stop" }

/**
 * What the model does when it is asked once.
 *
 * @since 0.1.0
 * @category models
 */
export type Turn = ReadonlyArray<Step>

/**
 * A request that the model was sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Asked {
  readonly prompt: Prompt.Prompt
  /** The names of the tools on offer. */
  readonly tools: ReadonlyArray<string>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ScriptedModel {
  readonly layer: Layer.Layer<LanguageModel.LanguageModel>
  /** The requests so far. */
  readonly asked: ReadonlyArray<Asked>
}

/**
 * A turn that answers with a text, one piece each.
 *
 * @since 0.1.0
 * @category constructors
 */
export const text = (...pieces: ReadonlyArray<string>): Turn => pieces.map((piece) => ({ _tag: "text", text: piece }))

/**
 * A turn that calls tools, all at once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const calls = (
  ...toolCalls: ReadonlyArray<{
    readonly id?: string | undefined
    readonly name: string
    readonly arguments?: JsonObject | string | undefined
  }>
): Turn => toolCalls.map(({ id, name, arguments: args }) => ({ _tag: "call", id, name, arguments: args ?? {} }))

/**
 * A turn in which the provider refuses the request.
 *
 * @since 0.1.0
 * @category constructors
 */
export const httpError = (
  status: number,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {}
): Turn => [
  {
    _tag: "fail",
    error: new AiError.HttpResponseError(
      {
        module: "ScriptedModel",
        method: "streamText",
        reason: "StatusCode",
        request: { method: "POST", url: "http://model.test/", urlParams: [], hash: Option.none(), headers: {} },
        response: { status, headers: options.headers ?? {} },
        ...(options.body === undefined ? {} : { body: options.body })
      },
      { disableValidation: true }
    )
  }
]

/**
 * A model that plays these turns, one a request, and says so when it is asked once more.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (turns: ReadonlyArray<Turn>): ScriptedModel => {
  const asked: Array<Asked> = []
  const play = ({ prompt, tools }: LanguageModel.ProviderOptions) =>
    Stream.suspend(() => {
      asked.push({ prompt, tools: tools.map((tool) => tool.name) })
      return toParts(turns[asked.length - 1] ?? text("(the script has no more turns)"), asked.length)
    })
  const service = LanguageModel.make({
    generateText: (options) => Effect.map(Stream.runCollect(play(options)), (parts) => [...parts].flatMap(toWhole)),
    streamText: play
  })
  return { layer: Layer.effect(LanguageModel.LanguageModel, service), asked }
}

/**
 * The layer of `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (turns: ReadonlyArray<Turn>): Layer.Layer<LanguageModel.LanguageModel> => make(turns).layer

type Parts = Stream.Stream<Response.StreamPartEncoded, AiError.AiError>

/** One part a chunk, as they come over a wire. */
const partsOf = (...parts: ReadonlyArray<Response.StreamPartEncoded>): Parts =>
  Stream.rechunk(Stream.fromIterable(parts), 1)

const toParts = (turn: Turn, request: number): Parts => {
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
  const isCalling = turn.some((step) => step._tag === "call")
  const finish: Response.StreamPartEncoded = { type: "finish", reason: isCalling ? "tool-calls" : "stop", usage }
  const end = turn.some((step) => step._tag === "stop") ? Stream.empty : partsOf(finish)
  return Stream.concat(
    Stream.flatMap(Stream.fromIterable(turn.entries()), ([index, step]) => stepParts(step, `${request}_${index}`)),
    end
  )
}

const stepParts = (step: Step, id: string): Parts => {
  switch (step._tag) {
    case "text":
      return partsOf({ type: "text-start", id }, { type: "text-delta", id, delta: step.text }, { type: "text-end", id })
    case "reasoning":
      return partsOf(
        { type: "reasoning-start", id },
        { type: "reasoning-delta", id, delta: step.text },
        { type: "reasoning-end", id }
      )
    case "call":
      return callParts(step, step.id ?? `call_${id}`)
    case "wait":
      return Stream.drain(Stream.fromEffect(Effect.sleep(step.duration)))
    case "hang":
      return Stream.never
    case "fail":
      return Stream.fail(step.error)
    case "stop":
      return Stream.empty
  }
}

/** As the providers' readers do it: the call comes whole after its parameters, and not at all when they are no JSON. */
const callParts = (step: Extract<Step, { _tag: "call" }>, id: string): Parts => {
  const params = typeof step.arguments === "string" ? step.arguments : JSON.stringify(step.arguments)
  const call = Effect.try({
    try: (): Response.StreamPartEncoded => ({ type: "tool-call", id, name: step.name, params: JSON.parse(params) }),
    catch: (cause) => new AiError.MalformedOutput({ module: "ScriptedModel", method: "streamText", cause })
  })
  return Stream.concat(
    partsOf({ type: "tool-params-start", id, name: step.name }, { type: "tool-params-delta", id, delta: params }),
    Stream.fromEffect(call)
  )
}

const toWhole = (part: Response.StreamPartEncoded): ReadonlyArray<Response.PartEncoded> => {
  switch (part.type) {
    case "text-delta":
      return [{ type: "text", text: part.delta }]
    case "reasoning-delta":
      return [{ type: "reasoning", text: part.delta }]
    case "tool-call":
    case "finish":
      return [part]
    default:
      return []
  }
}
