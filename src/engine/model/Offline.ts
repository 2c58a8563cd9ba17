/**
 * The offline model: the whole agent loop on a fresh machine, without key, network or weights. Deterministic: the same prompt and
 * tools give the same calls and the same answer.
 *
 * @since 0.1.0
 */
import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Prompt from "@effect/ai/Prompt"
import type * as Response from "@effect/ai/Response"
import * as AiTool from "@effect/ai/Tool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { isObject } from "../../mcp/JsonRpc.ts"
import * as Note from "../internal/Note.ts"
import { CurrentModel } from "./ModelInfo.ts"
import * as OfflinePlanner from "./OfflinePlanner.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<LanguageModel.LanguageModel | CurrentModel> = Layer.merge(
  Layer.suspend(() => Layer.effect(LanguageModel.LanguageModel, make)),
  Layer.succeed(CurrentModel, { provider: "offline", model: "" })
)

/**
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<LanguageModel.Service> = LanguageModel.make({
  generateText: (options) => Effect.sync(() => [...answerParts(next(options)), finish(options, next(options))]),
  streamText: (options) =>
    Stream.suspend(() => {
      const action = next(options)
      return Stream.rechunk(Stream.fromIterable([...streamParts(action, options), finish(options, action)]), 1)
    })
})

const next = ({ prompt, tools }: LanguageModel.ProviderOptions): OfflinePlanner.Action => {
  const { task, made } = readConversation(prompt)
  return OfflinePlanner.plan(task, tools.map(toOfflineTool), made)
}

const known = new WeakMap<AiTool.Any, OfflinePlanner.OfflineTool>()

const toOfflineTool = (tool: AiTool.Any): OfflinePlanner.OfflineTool => {
  const before = known.get(tool)
  if (before !== undefined) return before
  const schema: unknown = AiTool.getJsonSchemaFromSchemaAst(tool.parametersSchema.ast)
  const made = { name: tool.name, description: tool.description ?? "", inputSchema: isObject(schema) ? schema : {} }
  known.set(tool, made)
  return made
}

/** The person's last prompt, and the calls that were made for it. */
const readConversation = (prompt: Prompt.Prompt) => {
  let task = ""
  let made: Array<OfflinePlanner.Made> = []
  for (const message of prompt.content) {
    if (message.role === "user") {
      const words = message.content.flatMap((part) =>
        part.type === "text" && !part.text.startsWith(Note.prefix) ? [part.text] : []
      )
      if (words.length > 0) [task, made] = [words.join("\n"), []]
    }
    if (message.role === "tool") {
      made.push(
        ...message.content.map(({ name, result, isFailure }) => ({ name, text: String(result), isError: isFailure }))
      )
    }
  }
  return { task, made }
}

const finish = (options: LanguageModel.ProviderOptions, action: OfflinePlanner.Action): Response.FinishPartEncoded => {
  const inputTokens = tokens(JSON.stringify(options.prompt.content))
  const outputTokens = tokens(action._tag === "Answer" ? action.text : JSON.stringify(action.arguments))
  return {
    type: "finish",
    reason: action._tag === "Call" ? "tool-calls" : "stop",
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
  }
}

/** There are no tokens here; four characters are about one elsewhere. */
const tokens = (text: string): number => Math.ceil(text.length / 4)

const answerParts = (action: OfflinePlanner.Action): ReadonlyArray<Response.PartEncoded> =>
  action._tag === "Answer" ? [{ type: "text", text: action.text }] : [callPart(action, "call")]

const callPart = (
  action: Extract<OfflinePlanner.Action, { _tag: "Call" }>,
  id: string
): Response.ToolCallPartEncoded => ({ type: "tool-call", id, name: action.name, params: action.arguments })

const streamParts = (
  action: OfflinePlanner.Action,
  { prompt }: LanguageModel.ProviderOptions
): ReadonlyArray<Response.StreamPartEncoded> => {
  if (action._tag === "Call") return [callPart(action, `offline_${prompt.content.length}`)]
  const pieces = action.text.match(/\s*\S+/g) ?? [action.text]
  return [
    { type: "text-start", id: "0" },
    ...pieces.map((delta) => ({ type: "text-delta", id: "0", delta }) as const),
    { type: "text-end", id: "0" }
  ]
}
