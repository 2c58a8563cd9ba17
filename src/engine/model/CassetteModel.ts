/**
 * Recording and replaying a language model: what it is asked, and its answers part by part.
 *
 * ```ts
 * const Recorded = CassetteModel.layerRecord.pipe(Layer.provide([model, CassetteRecorder.layer({ file: "run.ndjson" })]))
 * const Replayed = CassetteModel.layerReplay.pipe(Layer.provide(CassettePlayer.layer("run.ndjson")))
 * ```
 *
 * @since 0.1.0
 */
import * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Response from "@effect/ai/Response"
import type * as AiTool from "@effect/ai/Tool"
import * as Toolkit from "@effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Cassette, Entry, ReplayDifference } from "../../mcp/Cassette.ts"
import * as CassettePlayer from "../../mcp/CassettePlayer.ts"
import * as CassetteRecorder from "../../mcp/CassetteRecorder.ts"
import { isObject } from "../../mcp/JsonRpc.ts"
import * as ModelRequest from "../internal/ModelRequest.ts"
import { CurrentModel, type ModelInfo } from "./ModelInfo.ts"

/**
 * The model with everything that it is asked and answers recorded.
 *
 * @since 0.1.0
 * @category constructors
 */
export const record = (
  model: LanguageModel.Service,
  recorder: CassetteRecorder.Service,
  info?: ModelInfo
): Effect.Effect<LanguageModel.Service> => {
  let lastId = 0
  const noted = <A>(options: LanguageModel.ProviderOptions, ask: (write: Write) => Effect.Effect<A, AiError.AiError>) =>
    Effect.suspend(() => {
      const id = ++lastId
      const write: Write = (direction, kind, message) => recorder.write({ with: "model", direction, kind, id, message })
      return write("out", "request", ModelRequest.of(options, info)).pipe(
        Effect.zipRight(ask(write)),
        Effect.tap(() => write("in", "reply", {})),
        Effect.tapError((error) => write("in", "failure", { error: encodeError(error) })),
        Effect.onInterrupt(() => write("out", "cancel", {}))
      )
    })
  return LanguageModel.make({
    generateText: (options) =>
      noted(options, (write) => {
        const encode = Schema.encodeSync(Response.Part(Toolkit.make(...options.tools)))
        return Effect.gen(function* () {
          const parts = (yield* generate(model, options)).map((part) => encode(part))
          yield* Effect.forEach(parts, (part) => write("in", "part", { ...part }), { discard: true })
          return parts
        })
      }),
    streamText: (options) =>
      Stream.unwrapScoped(
        Effect.gen(function* () {
          const encode = Schema.encodeSync(Response.StreamPart(Toolkit.make(...options.tools)))
          const parts = yield* Mailbox.make<Response.StreamPartEncoded, AiError.AiError>()
          const whole = noted(options, (write) =>
            Stream.runForEach(model.streamText(asked(options)), (part) => {
              const encoded = encode(part)
              return Effect.zipRight(write("in", "part", { ...encoded }), parts.offer(encoded))
            })
          )
          yield* Effect.forkScoped(Effect.onExit(whole, (exit) => parts.done(Exit.asVoid(exit))))
          return Mailbox.toStream(parts)
        })
      )
  })
}

type Write = (direction: Entry["direction"], kind: Entry["kind"], message: Entry["message"]) => Effect.Effect<void>

/** The tools' own results come from the caller, here as in a replay. */
const asked = ({ prompt, toolChoice, tools }: LanguageModel.ProviderOptions) => ({
  prompt,
  toolkit: withoutHandlers(tools),
  toolChoice,
  disableToolCallResolution: true as const
})

const withoutHandlers = (tools: ReadonlyArray<AiTool.Any>): Toolkit.WithHandler<Record<string, AiTool.Any>> => ({
  tools: Toolkit.make(...tools).tools,
  handle: () => Effect.dieMessage("the caller runs the tools, not the recorder")
})

const generate = (model: LanguageModel.Service, options: LanguageModel.ProviderOptions) => {
  const { responseFormat } = options
  if (responseFormat.type === "text") {
    return Effect.map(model.generateText(asked(options)), ({ content }) => content)
  }
  const { objectName, schema } = responseFormat
  // The options of a provider have lost the type of the object.
  const whole = { ...asked(options), objectName, schema: schema as Schema.Schema<unknown, { [key: string]: unknown }> }
  return Effect.map(model.generateObject(whole), ({ content }) => content)
}

const encodeFailure = Schema.encodeUnknownEither(AiError.AiError)
const decodeFailure = Schema.decodeUnknownEither(AiError.AiError)

const encodeError = (error: AiError.AiError): unknown =>
  Either.getOrElse(encodeFailure(error), () => ({ description: error.message }))

const readError = (recorded: unknown): AiError.AiError =>
  Either.getOrElse(decodeFailure(recorded), () =>
    unknownError(
      isObject(recorded) && typeof recorded.description === "string" ? recorded.description : "the request failed"
    )
  )

const unknownError = (description: string): AiError.AiError =>
  new AiError.UnknownError({ module: "CassetteModel", method: "replay", description })

/**
 * A model that plays what was recorded. Asked something else, it fails with the difference, and `CassettePlayer.difference`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const replay = Effect.fnUntraced(function* (
  player: CassettePlayer.Service
): Effect.fn.Return<LanguageModel.Service, never, Scope.Scope> {
  type Parts = Mailbox.Mailbox<Response.StreamPartEncoded, AiError.AiError>
  const open = new Map<Entry["id"], Parts>()
  let differs: ReplayDifference | undefined

  const receive = ({ id, kind, message }: Entry) => {
    const parts = open.get(id)
    // It has been encoded by the same schema; what a person has made of it is checked where it is decoded.
    if (kind === "part") return parts?.unsafeOffer(message as unknown as Response.StreamPartEncoded)
    open.delete(id)
    if (kind === "failure") return Effect.runSync(parts?.fail(readError(message.error)) ?? Effect.void)
    return Effect.runSync(parts?.end ?? Effect.void)
  }
  const fail = (difference: ReplayDifference) => {
    differs = difference
    for (const parts of open.values()) Effect.runSync(parts.fail(unknownError(difference.message)))
  }
  const played = yield* player.play({ with: "model" }, { receive, fail })

  const info = recordedInfo(player.cassette)

  const ask = Effect.fnUntraced(function* (options: LanguageModel.ProviderOptions) {
    const entry = played.sent("request", ModelRequest.of(options, info))
    if (entry === undefined) return yield* Effect.fail(unknownError(differs?.message ?? "the recording is over"))
    const parts = yield* Mailbox.make<Response.StreamPartEncoded, AiError.AiError>()
    open.set(entry.id, parts)
    yield* Effect.addFinalizer(() => Effect.sync(() => played.cancelled(entry.id)))
    return Mailbox.toStream(parts)
  })
  return yield* LanguageModel.make({
    // They were recorded as parts of a whole answer.
    generateText: (options) =>
      Effect.map(
        Stream.runCollect(Stream.unwrapScoped(ask(options))),
        (parts) => [...parts] as unknown as Array<Response.PartEncoded>
      ),
    streamText: (options) => Stream.rechunk(Stream.unwrapScoped(ask(options)), 1)
  })
})

/**
 * The model of the context, with everything that it is asked and answers recorded.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerRecord: Layer.Layer<
  LanguageModel.LanguageModel,
  never,
  LanguageModel.LanguageModel | CassetteRecorder.CassetteRecorder
> = Layer.effect(
  LanguageModel.LanguageModel,
  Effect.gen(function* () {
    const info = Option.getOrUndefined(yield* Effect.serviceOption(CurrentModel))
    return yield* record(yield* LanguageModel.LanguageModel, yield* CassetteRecorder.CassetteRecorder, info)
  })
)

/**
 * The recorded model.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerReplay: Layer.Layer<
  LanguageModel.LanguageModel | CurrentModel,
  never,
  CassettePlayer.CassettePlayer
> = Layer.merge(
  Layer.scoped(LanguageModel.LanguageModel, Effect.flatMap(CassettePlayer.CassettePlayer, replay)),
  Layer.effect(
    CurrentModel,
    Effect.map(CassettePlayer.CassettePlayer, ({ cassette }) => infoOf(cassette))
  )
)

/**
 * Which model was recorded; the offline one where none was.
 *
 * @since 0.1.0
 * @category getters
 */
export const infoOf = (cassette: Cassette): ModelInfo => recordedInfo(cassette) ?? { provider: "offline", model: "" }

const recordedInfo = ({ entries }: Cassette): ModelInfo | undefined =>
  ModelRequest.infoOf(entries.find((entry) => entry.with === "model" && entry.kind === "request")?.message)
