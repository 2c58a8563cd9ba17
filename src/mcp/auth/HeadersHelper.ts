/**
 * A program of the person's own that prints the headers for a server as a JSON object.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { parseObject } from "../JsonRpc.ts"
import type { McpError } from "../McpError.ts"
import type { HeadersHelper } from "../ServerConfig.ts"
import * as AuthError from "./AuthError.ts"
import * as Program from "./internal/Program.ts"

const defaultTimeout = Duration.seconds(10)
const most = 50
const longest = 16 * 1024

/** Fields that make a message what it is: no helper has a say in them. */
const reserved =
  /^(?:host|connection|content-.*|transfer-encoding|upgrade|te|trailer|expect|keep-alive|accept|accept-encoding|proxy-.*|mcp-.*|last-event-id)$/

/** Runs the program and reads what it prints. Nothing of that is in an error. */
export const run = (
  { name: server, url }: { readonly name: string; readonly url: string },
  { command, cwd, timeout = defaultTimeout }: HeadersHelper
): Effect.Effect<Readonly<Record<string, string>>, McpError> => {
  const failure = (message: string, hint?: string) =>
    AuthError.make(server, "config", `the headersHelper ${message}`, hint)
  return Program.run({ command, cwd, env: { HARNESS9_SERVER_NAME: server, HARNESS9_SERVER_URL: url } }).pipe(
    Effect.mapError(({ hint, message }) => failure(`failed: ${message}`, hint)),
    Effect.timeoutFail({
      duration: timeout,
      onTimeout: () => failure(`${command[0]} printed no headers within ${Duration.format(timeout)}`)
    }),
    Effect.flatMap(({ stdout }) => {
      const headers = read(stdout)
      return typeof headers === "string"
        ? Effect.fail(failure(`${command[0]} printed what is not used: ${headers}`))
        : Effect.succeed(headers)
    })
  )
}

/** The headers, or what is wrong: all or none, since some of them alone may mean something else. */
export const read = (output: string): Readonly<Record<string, string>> | string => {
  const value = parseObject(output)
  if (value === undefined) return "it is no JSON object"
  const entries = Object.entries(value)
  if (entries.length > most) return `it has more than ${most} fields`
  const headers = new Map<string, string>()
  for (const [index, [name, text]] of entries.entries()) {
    const key = name.toLowerCase()
    const nth = `field ${index + 1}`
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)) return `the name of ${nth} is none that a header can have`
    if (reserved.test(key)) return `${nth} is ${name}, which only harness9 itself sets`
    if (typeof text !== "string") return `the value of ${name} is no text`
    if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) return `the value of ${name} holds a character that no header can carry`
    if (text.length > longest) return `the value of ${name} is too long`
    if (headers.has(key)) return `${name} is there twice`
    headers.set(key, text.trim())
  }
  return Object.fromEntries(headers)
}
