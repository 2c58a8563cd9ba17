/** A sampling request of a server as a request to the model, and the model's answer as the server's. */
import * as Prompt from "@effect/ai/Prompt"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import type { ContentBlock } from "../../mcp/McpSchema.ts"
import type * as Sampling from "../../mcp/Sampling.ts"
import * as ToolName from "../../mcp/ToolName.ts"
import * as ResultText from "../../tool/internal/ResultText.ts"
import * as Tool from "../../tool/Tool.ts"
import type { ToolSet } from "../../tool/ToolRegistry.ts"
import { type ModelInfo, format as nameOf } from "../model/ModelInfo.ts"
import type { Answer } from "./Answer.ts"

/** The messages. They are the server's alone: nothing of the conversation is among them. */
export const toPrompt = ({ messages, systemPrompt }: Sampling.Request): Prompt.Prompt => {
  const names = new Map(messages.flatMap(({ content }) => content.flatMap(nameOfCall)))
  return Prompt.fromMessages([
    ...(systemPrompt === undefined ? [] : [Prompt.makeMessage("system", { content: systemPrompt })]),
    ...messages.flatMap((message) => toMessages(message, names))
  ])
}

const nameOfCall = (block: Sampling.Block): ReadonlyArray<readonly [id: string, name: string]> =>
  block.type === "tool_use" ? [[block.id, ToolName.forModel(block.name)]] : []

const toMessages = (
  { content, role }: Sampling.Message,
  names: ReadonlyMap<string, string>
): ReadonlyArray<Prompt.Message> => {
  if (role === "assistant") return [Prompt.makeMessage("assistant", { content: content.map(assistantPart) })]
  const results = content.flatMap((block) => (block.type === "tool_result" ? [resultPart(block, names)] : []))
  const rest = content.filter((block) => block.type !== "tool_result")
  return [
    ...(results.length === 0 ? [] : [Prompt.makeMessage("tool", { content: results })]),
    ...(rest.length === 0 ? [] : [Prompt.makeMessage("user", { content: rest.map(userPart) })])
  ]
}

const userPart = (block: Sampling.Block): Prompt.UserMessagePart => {
  if (block.type === "image") {
    const data = Encoding.decodeBase64(block.data)
    if (Either.isRight(data)) return Prompt.makePart("file", { mediaType: block.mimeType, data: data.right })
  }
  return Prompt.makePart("text", { text: textOf(block) })
}

const assistantPart = (block: Sampling.Block): Prompt.AssistantMessagePart =>
  block.type === "tool_use"
    ? Prompt.makePart("tool-call", {
        id: block.id,
        name: ToolName.forModel(block.name),
        params: block.input,
        providerExecuted: false
      })
    : Prompt.makePart("text", { text: textOf(block) })

const resultPart = (result: Sampling.ToolResult, names: ReadonlyMap<string, string>): Prompt.ToolResultPart =>
  Prompt.makePart("tool-result", {
    id: result.toolUseId,
    name: names.get(result.toolUseId) ?? "",
    isFailure: result.isError,
    result: textOfBlocks(result.content, result),
    providerExecuted: false
  })

const textOf = (block: Sampling.Block): string => {
  if (block.type === "tool_use") return `[call of ${block.name}]`
  return block.type === "tool_result" ? textOfBlocks(block.content, block) : textOfBlocks([block])
}

const textOfBlocks = (
  content: ReadonlyArray<ContentBlock>,
  { isError = false, structuredContent }: { readonly isError?: boolean; readonly structuredContent?: unknown } = {}
): string => ResultText.toToolResult({ isError, text: "", content, raw: [], structuredContent }).text

/** The tools that the server runs itself, in the form in which tools are offered to the model. */
export const toToolSet = ({ toolChoice, tools = [] }: Sampling.Request, server: string): ToolSet => {
  const offered = toolChoice === "none" ? [] : tools.map((tool) => toTool(tool, server))
  return { tools: offered, skipped: [], byName: new Map(offered.map((tool) => [tool.name, tool])) }
}

const toTool = ({ description, inputSchema, name }: Sampling.Tool, server: string): Tool.Tool => ({
  name,
  description,
  inputSchema,
  origin: { _tag: "Mcp", server, tool: name },
  hints: { readOnly: false, destructive: false, idempotent: false },
  run: () => Effect.succeed(Tool.failure("the server runs this tool"))
})

/** The answer, cut before the first of the words at which it shall stop. */
export const toResult = (
  answer: Answer,
  { stopSequences = [] }: Sampling.Request,
  info: ModelInfo,
  toolName: (modelName: string) => string
): Sampling.Result => {
  const stops = stopSequences.map((word) => (word === "" ? -1 : answer.text.indexOf(word))).filter((at) => at >= 0)
  const stop = stops.length === 0 ? undefined : Math.min(...stops)
  const text = { type: "text", text: answer.text.slice(0, stop) } as const
  const calls =
    stop === undefined
      ? answer.calls.map(
          ({ arguments: input, id, name }) => ({ type: "tool_use", id, name: toolName(name), input }) as const
        )
      : []
  return {
    model: nameOf(info),
    content: text.text === "" && calls.length > 0 ? calls : [text, ...calls],
    stopReason:
      stop !== undefined
        ? "stopSequence"
        : calls.length > 0
          ? "toolUse"
          : answer.finish === "length"
            ? "maxTokens"
            : "endTurn"
  }
}
