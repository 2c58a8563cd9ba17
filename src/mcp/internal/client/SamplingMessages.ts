/**
 * The messages of a `sampling/createMessage`, read and answered in the shapes of every revision.
 */
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import type * as Sampling from "../../Sampling.ts"
import * as Field from "../Field.ts"
import { readBlock } from "./ToolResult.ts"

/** Reads a request; a string says why it cannot be answered. */
export const read = (params: JsonObject): Sampling.Request | string => {
  if (!Array.isArray(params.messages)) return "messages must be a list"
  if (typeof params.maxTokens !== "number") return "maxTokens must be a number"
  const messages = params.messages.map(readMessage)
  const unbalanced = imbalance(messages)
  if (unbalanced !== undefined) return unbalanced
  return {
    messages,
    modelPreferences: isObject(params.modelPreferences) ? readPreferences(params.modelPreferences) : undefined,
    systemPrompt: Field.string(params.systemPrompt),
    includeContext: contexts.find((context) => context === params.includeContext),
    temperature: Field.number(params.temperature),
    maxTokens: params.maxTokens,
    stopSequences: Field.strings(params.stopSequences),
    metadata: Field.object(params.metadata),
    tools: Array.isArray(params.tools) ? params.tools.flatMap(readTool) : undefined,
    toolChoice: choices.find((choice) => choice === Field.object(params.toolChoice)?.mode)
  }
}

const contexts = ["none", "thisServer", "allServers"] as const
const choices = ["auto", "required", "none"] as const

/** One block, or a list of them (2025-11-25). */
const readMessage = (message: unknown): Sampling.Message => {
  const { content, role } = Field.object(message) ?? {}
  return {
    role: role === "assistant" ? "assistant" : "user",
    content: (Array.isArray(content) ? content : [content]).map(readAnyBlock)
  }
}

const readAnyBlock = (block: unknown): Sampling.Block => {
  if (!isObject(block)) return readBlock(block)
  if (block.type === "tool_use" && typeof block.id === "string" && typeof block.name === "string") {
    return { type: "tool_use", id: block.id, name: block.name, input: Field.object(block.input) ?? {} }
  }
  if (block.type === "tool_result" && typeof block.toolUseId === "string") {
    return {
      type: "tool_result",
      toolUseId: block.toolUseId,
      content: Array.isArray(block.content) ? block.content.map(readBlock) : [],
      structuredContent: block.structuredContent ?? undefined,
      isError: block.isError === true
    }
  }
  return readBlock(block)
}

/** Tool results stand alone in their message, and answer exactly the calls of the message before. */
const imbalance = (messages: ReadonlyArray<Sampling.Message>): string | undefined => {
  let open: ReadonlyArray<string> = []
  for (const { content } of messages) {
    const answered = content.flatMap((block) => (block.type === "tool_result" ? [block.toolUseId] : []))
    if (answered.length > 0 && answered.length < content.length) return "tool results are mixed with other content"
    if (answered.length !== open.length || open.some((id) => !answered.includes(id))) {
      return "tool calls and tool results do not match"
    }
    open = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))
  }
  return open.length === 0 ? undefined : "a tool call has no result"
}

const readPreferences = (preferences: JsonObject): Sampling.ModelPreferences => ({
  hints: Array.isArray(preferences.hints)
    ? preferences.hints.flatMap((hint) => (isObject(hint) && typeof hint.name === "string" ? [hint.name] : []))
    : [],
  costPriority: Field.number(preferences.costPriority),
  speedPriority: Field.number(preferences.speedPriority),
  intelligencePriority: Field.number(preferences.intelligencePriority)
})

const readTool = (tool: unknown): ReadonlyArray<Sampling.Tool> =>
  isObject(tool) && typeof tool.name === "string"
    ? [
        {
          name: tool.name,
          description: Field.string(tool.description) ?? "",
          inputSchema: Field.object(tool.inputSchema) ?? { type: "object" }
        }
      ]
    : []

/** The answer on the wire: one block as such, since older servers know no list. */
export const result = ({ content, model, stopReason }: Sampling.Result): JsonObject => ({
  role: "assistant",
  content: content.length === 1 ? content[0] : content.length === 0 ? { type: "text", text: "" } : content,
  model,
  ...(stopReason === undefined ? undefined : { stopReason })
})
