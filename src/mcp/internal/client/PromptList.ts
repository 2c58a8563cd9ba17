/**
 * Prompts as servers tell of them, read by hand: one malformed entry costs that entry.
 */
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import type { Completion, Prompt, PromptArgument, PromptMessage, PromptResult } from "../../McpSchema.ts"
import * as Field from "../Field.ts"
import * as Icons from "./Icons.ts"
import { readBlock } from "./ToolResult.ts"

/** Reads an entry of `prompts/list`; undefined when it cannot be used. */
export const readPrompt = (entry: JsonObject): Prompt | undefined => {
  const { name } = entry
  if (typeof name !== "string" || name === "") return undefined
  return {
    name,
    title: Field.string(entry.title),
    description: Field.string(entry.description),
    arguments: Array.isArray(entry.arguments) ? entry.arguments.flatMap(readArgument) : [],
    icons: Icons.read(entry.icons),
    _meta: Field.object(entry._meta)
  }
}

const readArgument = (argument: unknown): ReadonlyArray<PromptArgument> =>
  isObject(argument) && typeof argument.name === "string" && argument.name !== ""
    ? [
        {
          name: argument.name,
          title: Field.string(argument.title),
          description: Field.string(argument.description),
          required: argument.required === true
        }
      ]
    : []

/** Reads the answer to `prompts/get`; undefined when it holds no messages at all. */
export const readResult = (result: unknown): PromptResult | undefined => {
  if (!isObject(result) || !Array.isArray(result.messages)) return undefined
  return {
    description: Field.string(result.description),
    messages: result.messages.flatMap(readMessage),
    _meta: Field.object(result._meta)
  }
}

/** Some servers answer a bare text, or a list of blocks, where one block belongs. */
const readMessage = (message: unknown): ReadonlyArray<PromptMessage> => {
  if (!isObject(message)) return []
  const { content } = message
  const role = message.role === "assistant" ? "assistant" : "user"
  const blocks = Array.isArray(content)
    ? content
    : [typeof content === "string" ? { type: "text", text: content } : content]
  return blocks.map((block) => ({ role, content: readBlock(block) }))
}

/** Nothing to complete with. */
export const noCompletion: Completion = { values: [], hasMore: false }

/** Reads the answer to `completion/complete`. Total. */
export const readCompletion = (result: unknown): Completion => {
  const completion = isObject(result) ? Field.object(result.completion) : undefined
  if (completion === undefined) return noCompletion
  return {
    values: Field.strings(completion.values) ?? [],
    total: Field.number(completion.total),
    hasMore: completion.hasMore === true
  }
}
