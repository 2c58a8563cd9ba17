/**
 * The commands that are typed with a slash.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 * @category models
 */
export interface SlashCommand {
  readonly name: Name
  /** What may follow the name. */
  readonly argument: string
  readonly help: string
}

/**
 * @since 0.1.0
 * @category models
 */
export type Name = "mcp" | "model" | "tools" | "clear" | "resume" | "compact" | "help" | "exit"

/**
 * All commands, in the order of completion.
 *
 * @since 0.1.0
 * @category constants
 */
export const all: ReadonlyArray<SlashCommand> = [
  { name: "mcp", argument: "[server]", help: "servers: state, tools, errors; edit the configuration" },
  { name: "tools", argument: "", help: "every tool that the model is offered" },
  { name: "model", argument: "[name]", help: "the model in use, or another one from now on" },
  { name: "clear", argument: "", help: "begin a conversation anew" },
  { name: "resume", argument: "[session]", help: "go on with a conversation of before" },
  { name: "compact", argument: "[what counts]", help: "have the model sum the conversation up" },
  { name: "help", argument: "", help: "keys and commands" },
  { name: "exit", argument: "", help: "leave" }
]

/**
 * What a line that begins with a slash says. A path such as `/usr/bin` is no command.
 *
 * @since 0.1.0
 * @category models
 */
export type Parsed =
  | { readonly _tag: "Command"; readonly name: Name; readonly argument: string }
  | { readonly _tag: "Unknown"; readonly word: string; readonly suggestion: Name | undefined }
  | { readonly _tag: "NoCommand" }

/**
 * Reads a line.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (line: string): Parsed => {
  const match = /^\/([^\s/]*)(?:\s+([\s\S]*))?$/.exec(line.trim())
  if (match === null) return { _tag: "NoCommand" }
  const word = match[1] ?? ""
  const command = all.find(({ name }) => name === word.toLowerCase()) ?? alias(word)
  if (command !== undefined) return { _tag: "Command", name: command.name, argument: (match[2] ?? "").trim() }
  return { _tag: "Unknown", word, suggestion: suggest(word.toLowerCase()) }
}

/**
 * What a person is told who has typed none of the commands.
 *
 * @since 0.1.0
 * @category formatting
 */
export const unknown = ({ suggestion, word }: Extract<Parsed, { readonly _tag: "Unknown" }>): string =>
  `unknown command /${word}: ${suggestion === undefined ? "see /help" : `did you mean /${suggestion}?`}`

const alias = (word: string): SlashCommand | undefined => {
  const name = word === "quit" || word === "q" ? "exit" : word === "?" ? "help" : undefined
  return all.find((command) => command.name === name)
}

/** The command that begins like the word, or is at most two slips of the finger away from it. */
const suggest = (word: string): Name | undefined => {
  const begun = word === "" ? undefined : all.find(({ name }) => name.startsWith(word))
  if (begun !== undefined) return begun.name
  const nearest = all
    .map(({ name }) => ({ name, distance: distance(word, name) }))
    .sort((left, right) => left.distance - right.distance)[0]
  return nearest !== undefined && nearest.distance <= 2 ? nearest.name : undefined
}

/** Levenshtein's. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, char] of Array.from(from).entries()) {
    const next = [index + 1]
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (row[column] ?? 0) + (char === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
