/** The words behind a command: `name=value` or values alone, in double quotes where they hold white space. */
import type { PromptArgument } from "../../mcp/McpSchema.ts"

const word = /(?:"[^"]*"?|[^\s"])+/g

/** The arguments of a line that begins with a command. What is too much belongs to the last value. */
export const read = (args: ReadonlyArray<PromptArgument>, line: string): Readonly<Record<string, string>> => {
  const given: Record<string, string> = {}
  const alone: Array<string> = []
  for (const each of (line.match(word) ?? []).slice(1)) {
    const equals = each.indexOf("=")
    const name = each.slice(0, equals)
    if (equals > 0 && args.some((argument) => argument.name === name)) given[name] = unquoted(each.slice(equals + 1))
    else alone.push(unquoted(each))
  }
  const open = args.filter(({ name }) => !Object.hasOwn(given, name))
  for (const [index, { name }] of open.entries()) {
    const value = index === open.length - 1 ? alone.slice(index).join(" ") : alone[index]
    if (value !== undefined && value !== "") given[name] = value
  }
  return given
}

/** The word at the end of the line, which may be an empty one; nothing while that is the command itself. */
export const last = (line: string): { readonly start: number; readonly word: string } | undefined => {
  const words = [...line.matchAll(word)]
  const end = words.at(-1)
  if (end === undefined || words.length < 2 || end.index + end[0].length < line.length) {
    return words.length > 0 && /\s$/.test(line) ? { start: line.length, word: "" } : undefined
  }
  return { start: end.index, word: end[0].replaceAll('"', "") }
}

/** A value as a word. */
export const written = (value: string): string => (/\s/.test(value) ? `"${value.replaceAll('"', "'")}"` : value)

const unquoted = (text: string): string => text.replaceAll('"', "")
