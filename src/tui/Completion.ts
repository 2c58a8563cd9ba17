/**
 * What Tab makes of the word before the cursor: a slash command, the name of a server or a model, a file.
 *
 * @since 0.1.0
 */
import * as SlashCommand from "./SlashCommand.ts"
import * as TextBuffer from "./TextBuffer.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Candidate {
  /** What is put in place of the word. */
  readonly text: string
  /** What it is, in a few words. */
  readonly help: string
}

/**
 * A completion under way: Tab goes to the next candidate.
 *
 * @since 0.1.0
 * @category models
 */
export interface Completion {
  readonly candidates: ReadonlyArray<Candidate>
  /** -1: none has been put in yet. */
  readonly index: number
  readonly start: number
  readonly end: number
}

/**
 * What the word before the cursor asks for.
 *
 * @since 0.1.0
 * @category models
 */
export type Wanted =
  | { readonly _tag: "Candidates"; readonly start: number; readonly candidates: ReadonlyArray<Candidate> }
  /** Files whose path begins so; they have to be looked up. */
  | { readonly _tag: "Files"; readonly start: number; readonly prefix: string }
  | { readonly _tag: "Nothing" }

/**
 * What can be named here, beside commands and files.
 *
 * @since 0.1.0
 * @category models
 */
export interface Names {
  readonly servers: ReadonlyArray<string>
  readonly models: ReadonlyArray<string>
}

/**
 * Reads the buffer up to the cursor.
 *
 * @since 0.1.0
 * @category constructors
 */
export const wanted = ({ cursor, text }: TextBuffer.TextBuffer, names: Names): Wanted => {
  const line = text.slice(0, cursor)
  const command = /^\/(\S*)$/.exec(line)
  if (command !== null) return { _tag: "Candidates", start: 0, candidates: commands(command[1] ?? "") }
  const argument = /^\/(mcp|model)\s+(\S*)$/.exec(line)
  if (argument !== null) {
    const [, command, prefix = ""] = argument
    const help = command === "mcp" ? "server" : "model"
    const candidates = (command === "mcp" ? names.servers : names.models)
      .filter((name) => name.toLowerCase().startsWith(prefix.toLowerCase()))
      .map((name) => ({ text: name, help }))
    return { _tag: "Candidates", start: cursor - prefix.length, candidates }
  }
  const file = /(?:^|\s)@(\S*)$/.exec(line)
  if (file !== null) {
    const prefix = file[1] ?? ""
    return { _tag: "Files", start: cursor - prefix.length, prefix }
  }
  return { _tag: "Nothing" }
}

const commands = (prefix: string): ReadonlyArray<Candidate> =>
  SlashCommand.all
    .filter(({ name }) => name.startsWith(prefix.toLowerCase()))
    .map(({ help, name }) => ({ text: `/${name}`, help }))

/**
 * Begins a completion; `undefined` when there is nothing to put in.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (start: number, end: number, candidates: ReadonlyArray<Candidate>): Completion | undefined =>
  candidates.length === 0 ? undefined : { candidates, index: -1, start, end }

/**
 * Puts the next candidate in (the one before with `step` -1). A single one ends the completion; so does a directory, so
 * that the next Tab looks into it.
 *
 * @since 0.1.0
 * @category combinators
 */
export const next = (
  buffer: TextBuffer.TextBuffer,
  completion: Completion,
  step: 1 | -1 = 1
): { readonly buffer: TextBuffer.TextBuffer; readonly completion: Completion | undefined } => {
  const { candidates, end, start } = completion
  const index = (Math.max(completion.index, step === 1 ? -1 : 0) + step + candidates.length) % candidates.length
  const text = candidates[index]?.text ?? ""
  const completed = TextBuffer.replace(buffer, start, end, text)
  if (candidates.length > 1)
    return { buffer: completed, completion: { ...completion, index, end: start + text.length } }
  return { buffer: text.endsWith("/") ? completed : TextBuffer.insert(completed, " "), completion: undefined }
}
