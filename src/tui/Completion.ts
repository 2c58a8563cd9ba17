/**
 * What Tab makes of the word before the cursor: a slash command, the name of a server or a model, a file,
 * a server's resource, an argument of its prompts.
 *
 * @since 0.1.0
 */
import * as ServerPrompts from "../engine/ServerPrompts.ts"
import { oneLine } from "../mcp/VisibleText.ts"
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
  /** Values of an argument of a server's prompt; the server has to be asked. */
  | {
      readonly _tag: "Values"
      readonly start: number
      readonly prefix: string
      readonly command: string
      readonly wanted: Extract<ServerPrompts.Wanted, { readonly _tag: "Values" }>
    }
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
  readonly prompts: ReadonlyArray<ServerPrompts.ServerPrompt>
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
  if (command !== null) return { _tag: "Candidates", start: 0, candidates: commands(command[1] ?? "", names.prompts) }
  const argument = /^\/(mcp|model)\s+(\S*)$/.exec(line)
  if (argument !== null) {
    const [, command, prefix = ""] = argument
    const help = command === "mcp" ? "server" : "model"
    const candidates = (command === "mcp" ? names.servers : names.models)
      .filter((name) => name.toLowerCase().startsWith(prefix.toLowerCase()))
      .map((name) => ({ text: name, help }))
    return { _tag: "Candidates", start: cursor - prefix.length, candidates }
  }
  const prompt = ServerPrompts.find(names.prompts, line)
  if (prompt !== undefined && !/(?:^|\s)@\S*$/.test(line)) return argumentsOf(prompt, line)
  const file = /(?:^|\s)@(\S*)$/.exec(line)
  if (file !== null) {
    const prefix = file[1] ?? ""
    return { _tag: "Files", start: cursor - prefix.length, prefix }
  }
  return { _tag: "Nothing" }
}

const commands = (prefix: string, prompts: ReadonlyArray<ServerPrompts.ServerPrompt>): ReadonlyArray<Candidate> => [
  ...SlashCommand.all
    .filter(({ name }) => name.startsWith(prefix.toLowerCase()))
    .map(({ help, name }) => ({ text: `/${name}`, help })),
  ...prompts
    .filter(({ command }) => command.startsWith(prefix))
    .map(({ command, prompt }) => ({
      text: `/${command}`,
      help: oneLine(prompt.description ?? prompt.title ?? "prompt of the server")
    }))
]

/** The arguments that are left, or the values of one. */
const argumentsOf = (prompt: ServerPrompts.ServerPrompt, line: string): Wanted => {
  const wanted = ServerPrompts.wanted(prompt, line)
  if (wanted === undefined) return { _tag: "Nothing" }
  const { start } = wanted
  if (wanted._tag === "Values") {
    return { _tag: "Values", start, prefix: line.slice(start), command: prompt.command, wanted }
  }
  const candidates = wanted.arguments.map(({ description, name, required, title }) => ({
    text: `${name}=`,
    help: oneLine(`${description ?? title ?? ""}${required ? "" : " (optional)"}`)
  }))
  return { _tag: "Candidates", start, candidates }
}

/**
 * Begins a completion; `undefined` when there is nothing to put in.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (start: number, end: number, candidates: ReadonlyArray<Candidate>): Completion | undefined =>
  candidates.length === 0 ? undefined : { candidates, index: -1, start, end }

/**
 * Puts the next candidate in (the one before with `step` -1). A single one ends the completion; what ends in
 * `/`, `:` or `=` is not complete yet: the next Tab looks further, and behind a `=` it proposes values at once.
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
  if (candidates.length > 1 && !text.endsWith("="))
    return { buffer: completed, completion: { ...completion, index, end: start + text.length } }
  return { buffer: /[/:=]$/.test(text) ? completed : TextBuffer.insert(completed, " "), completion: undefined }
}
