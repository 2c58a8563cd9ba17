/**
 * The prompts of servers as commands: `/mcp__server__prompt city=Oslo`, or the values alone in the order of the arguments.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as McpClient from "../mcp/McpClient.ts"
import type { McpError } from "../mcp/McpError.ts"
import type * as McpManager from "../mcp/McpManager.ts"
import type { Prompt, PromptArgument } from "../mcp/McpSchema.ts"
import * as ToolName from "../mcp/ToolName.ts"
import * as ResultText from "../tool/internal/ResultText.ts"
import type { Said } from "./Engine.ts"
import * as CommandWords from "./internal/CommandWords.ts"

/**
 * A prompt of a server, and the command that it is.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServerPrompt {
  /** Without the slash: `mcp__server__prompt`. */
  readonly command: string
  readonly server: string
  readonly prompt: Prompt
}

/**
 * A prompt, filled in: what the model is sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Filled {
  readonly before: ReadonlyArray<Said>
  readonly prompt: string
}

/**
 * The line is a prompt's command, and cannot be used: the message says what is missing.
 *
 * @since 0.1.0
 * @category errors
 */
export class PromptNotUsable extends Data.TaggedError("PromptNotUsable")<{ readonly message: string }> {}

/**
 * The prompts of a server.
 *
 * @since 0.1.0
 * @category getters
 */
export const ofClient = (client: McpClient.Service): Effect.Effect<ReadonlyArray<ServerPrompt>, McpError> =>
  Effect.map(client.listPrompts, (prompts) =>
    prompts.map((prompt) => ({ command: ToolName.make(client.server, prompt.name), server: client.server, prompt }))
  )

/**
 * The prompts of every connected server; those of a server that cannot list them are left out.
 *
 * @since 0.1.0
 * @category getters
 */
export const all = (manager: McpManager.Service): Effect.Effect<ReadonlyArray<ServerPrompt>> =>
  Effect.flatMap(manager.statuses, (statuses) =>
    Effect.forEach(
      statuses.filter((status) => status._tag === "Connected" && status.capabilities.prompts !== undefined),
      ({ name }) => Effect.orElseSucceed(Effect.flatMap(manager.client(name), ofClient), () => []),
      { concurrency: "unbounded" }
    )
  ).pipe(Effect.map((lists) => lists.flat()))

/**
 * Whether the line may be a prompt's command.
 *
 * @since 0.1.0
 * @category guards
 */
export const isCommand = (line: string): boolean => /^\/mcp__\S/.test(line)

/**
 * The prompt of a line that begins with its command.
 *
 * @since 0.1.0
 * @category getters
 */
export const find = (prompts: ReadonlyArray<ServerPrompt>, line: string): ServerPrompt | undefined => {
  const word = /^\/(\S+)/.exec(line)?.[1]
  return prompts.find(({ command }) => command === word)
}

/**
 * How the command is written: `/mcp__weather__forecast city=… [days=…]`.
 *
 * @since 0.1.0
 * @category formatting
 */
export const usage = ({ command, prompt }: ServerPrompt): string =>
  [`/${command}`, ...prompt.arguments.map(({ name, required }) => (required ? `${name}=…` : `[${name}=…]`))].join(" ")

/**
 * Fills in the prompt of a line, by its server.
 *
 * @since 0.1.0
 * @category operations
 */
export const fill = Effect.fnUntraced(function* (
  manager: McpManager.Service,
  line: string
): Effect.fn.Return<Filled, PromptNotUsable | McpError> {
  const found = find(yield* all(manager), line)
  if (found === undefined) {
    return yield* new PromptNotUsable({ message: `no connected server has the prompt ${/^\S+/.exec(line)?.[0]}` })
  }
  const args = CommandWords.read(found.prompt.arguments, line)
  const missing = found.prompt.arguments.filter(({ name, required }) => required && !Object.hasOwn(args, name))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(", ")
    return yield* new PromptNotUsable({ message: `${names} must be given: ${usage(found)}` })
  }
  const client = yield* manager.client(found.server)
  const { messages } = yield* client.getPrompt(found.prompt.name, args)
  return toFilled(
    messages.map(({ content, role }) => ({
      role,
      text: ResultText.toToolResult({ isError: false, text: "", content: [content], raw: [] }).text
    }))
  )
})

/** The last message of the user is the prompt, since an answer is wanted. */
const toFilled = (messages: ReadonlyArray<Said>): Filled => {
  const last = messages.at(-1)
  return last?.role === "user"
    ? { before: messages.slice(0, -1), prompt: last.text }
    : { before: messages, prompt: "Go on." }
}

/**
 * What the word at the end of a line asks for: the names of arguments, or the values of one.
 *
 * @since 0.1.0
 * @category models
 */
export type Wanted =
  | { readonly _tag: "Names"; readonly start: number; readonly arguments: ReadonlyArray<PromptArgument> }
  | {
      readonly _tag: "Values"
      /** Where the value begins in the line. */
      readonly start: number
      readonly argument: string
      readonly value: string
      readonly known: Readonly<Record<string, string>>
    }

/**
 * Reads the line up to the cursor; `undefined` while the command itself is typed.
 *
 * @since 0.1.0
 * @category parsing
 */
export const wanted = ({ prompt }: ServerPrompt, line: string): Wanted | undefined => {
  const last = CommandWords.last(line)
  if (last === undefined) return undefined
  const known = CommandWords.read(prompt.arguments, line.slice(0, last.start))
  const equals = last.word.indexOf("=")
  const name = last.word.slice(0, equals)
  if (equals > 0 && prompt.arguments.some((argument) => argument.name === name)) {
    return { _tag: "Values", start: last.start + equals + 1, argument: name, value: last.word.slice(equals + 1), known }
  }
  const left = prompt.arguments.filter((argument) => !Object.hasOwn(known, argument.name))
  return { _tag: "Names", start: last.start, arguments: left.filter((argument) => argument.name.startsWith(last.word)) }
}

/**
 * The values that the server proposes, as they are written in a line.
 *
 * @since 0.1.0
 * @category operations
 */
export const values = (
  manager: McpManager.Service,
  { prompt, server }: ServerPrompt,
  { argument, known, value }: Extract<Wanted, { readonly _tag: "Values" }>
): Effect.Effect<ReadonlyArray<string>, McpError> =>
  Effect.flatMap(manager.client(server), (client) =>
    Effect.map(
      client.complete(
        { type: "ref/prompt", name: prompt.name },
        { name: argument, value },
        Object.keys(known).length === 0 ? undefined : known
      ),
      ({ values }) => values.map(CommandWords.written)
    )
  )
