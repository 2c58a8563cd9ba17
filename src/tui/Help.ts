/**
 * What `/help` says.
 *
 * @since 0.1.0
 */
import * as SlashCommand from "./SlashCommand.ts"

const keys: ReadonlyArray<readonly [key: string, meaning: string]> = [
  ["Enter", "send"],
  ["Alt+Enter, \\ Enter", "new line"],
  ["↑ ↓", "earlier prompts"],
  ["Tab", "complete a command, an @file, an @server:resource"],
  ["! COMMAND", "run a shell command; the model sees its output"],
  ["Ctrl+O", "the last tool call in full"],
  ["Ctrl+W U K Y", "cut a word, to the start, to the end; put back"],
  ["Ctrl+L", "draw the screen anew"],
  ["Ctrl+Z", "back to the shell; fg returns"],
  ["Esc", "cancel what runs"],
  ["Ctrl+C", "cancel what runs; quit"]
]

/**
 * The commands and keys, one a line.
 *
 * @since 0.1.0
 * @category formatting
 */
export const text: string = [
  ...SlashCommand.all.map(({ argument, help, name }) => [`/${name} ${argument}`.trim(), help] as const),
  ["", ""] as const,
  ...keys
]
  .map(([left, right]) => `${left.padEnd(20)}${right}`.trimEnd())
  .join("\n")
