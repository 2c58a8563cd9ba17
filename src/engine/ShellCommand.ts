/**
 * A shell command that the person runs in the conversation: nobody is asked, and the model sees what it gave.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ToolRegistry } from "../tool/ToolRegistry.ts"
import type { Conversation } from "./Engine.ts"

/**
 * The command of a line that begins with `!`.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (line: string): string | undefined => /^!\s*(\S[\s\S]*)$/.exec(line)?.[1]

/**
 * Runs it with the `bash` tool.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = Effect.fnUntraced(function* (
  registry: ToolRegistry["Type"],
  conversation: Conversation,
  command: string
) {
  const result = yield* registry.execute("bash", { command })
  yield* conversation.addContext(`The user ran this command in a shell:\n$ ${command}\n${result.text}`)
  return result
})
