/**
 * What a person has written, made ready for the model: a server's prompt is filled in, and what is mentioned is read.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { McpError } from "../mcp/McpError.ts"
import type * as McpManager from "../mcp/McpManager.ts"
import type { RunOptions } from "./Engine.ts"
import * as Mentions from "./Mentions.ts"
import * as ServerPrompts from "./ServerPrompts.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface PromptInput {
  readonly prompt: string
  readonly options: Pick<RunOptions, "before" | "attached">
  /** What is mentioned and could not be read: for the person. */
  readonly problems: ReadonlyArray<string>
}

/**
 * Asks the servers that the text names; fails when it is a prompt that cannot be filled in.
 *
 * @since 0.1.0
 * @category constructors
 */
export const read = Effect.fnUntraced(function* (
  manager: McpManager.Service,
  text: string
): Effect.fn.Return<PromptInput, ServerPrompts.PromptNotUsable | McpError> {
  const { before, prompt } = ServerPrompts.isCommand(text)
    ? yield* ServerPrompts.fill(manager, text)
    : { before: [], prompt: text }
  const { problems, texts } = yield* Mentions.read(manager, text)
  return { prompt, options: { before, attached: texts }, problems }
})
