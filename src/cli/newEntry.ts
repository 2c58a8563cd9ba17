/**
 * The entry that a command line describes: `mcp add NAME URL`, `mcp add NAME -- COMMAND ARG…`.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import { type CliError, usage } from "./CliError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Described {
  /** The address, or the program and its arguments. */
  readonly target: ReadonlyArray<string>
  readonly transport: "stdio" | "http" | "sse" | undefined
  readonly env: ReadonlyArray<string>
  readonly header: ReadonlyArray<string>
}

/**
 * Whether a server may be added by this name; the left side says what is wrong with it.
 *
 * @since 0.1.0
 * @category guards
 */
export const checkName = (name: string): Either.Either<string, CliError> =>
  /^[\p{L}\p{N}_@][\p{L}\p{N}\p{M}_@./-]{0,63}$/u.test(name)
    ? Either.right(name)
    : Either.left(
        usage(
          `"${name}" is no name for a server`,
          "a name has up to 64 letters, digits and . _ - / @, and begins with a letter, a digit, _ or @"
        )
      )

/**
 * The entry, or what the command line has too much or too little of.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ env, header, target, transport }: Described): Either.Either<JsonObject, CliError> =>
  Either.gen(function* () {
    const [first, ...args] = target
    if (first === undefined || first.trim() === "") {
      return yield* Either.left(usage("a server is a URL, or a command after --"))
    }
    if (transport === "stdio" || (transport === undefined && !isUrl(first))) {
      if (header.length > 0) return yield* Either.left(usage("--header is for servers with a URL: a command has --env"))
      const variables = yield* pairs(env, assignment)
      return { command: first, ...(args.length > 0 && { args }), ...(env.length > 0 && { env: variables }) }
    }
    if (env.length > 0) return yield* Either.left(usage("--env is for commands: a URL has --header"))
    if (args[0] !== undefined) return yield* Either.left(usage(`unexpected argument "${args[0]}" after the URL`))
    const headers = yield* pairs(header, field)
    return { type: transport ?? "http", url: first, ...(header.length > 0 && { headers }) }
  })

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text)

type Pair = readonly [key: string, value: string]

const pairs = (
  words: ReadonlyArray<string>,
  read: (word: string) => Either.Either<Pair, CliError>
): Either.Either<Record<string, string>, CliError> => Either.map(Either.all(words.map(read)), Object.fromEntries)

/** `KEY=VALUE`; the key alone passes one's own variable on. What is wrong is told without the text: it may be a secret. */
const assignment = (word: string): Either.Either<Pair, CliError> => {
  const [, key, equals, value = ""] = /^([^=\0\s]+)(=?)(.*)$/s.exec(word) ?? []
  if (key === undefined) return Either.left(usage("--env must be KEY=VALUE, or KEY to pass your own variable on"))
  return Either.right([key, equals === "" ? `\${${key}}` : value])
}

const field = (word: string): Either.Either<Pair, CliError> => {
  const [, key, value] = /^([^:\s]+):\s*(.*)$/s.exec(word) ?? []
  return key === undefined || value === undefined
    ? Either.left(usage("--header must be 'KEY: VALUE'"))
    : Either.right([key, value.trim()])
}
