/**
 * A failure of a connection as a cassette holds it.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { JsonObject } from "../../JsonRpc.ts"
import { type Kind, McpError, type Phase } from "../../McpError.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const phases = [
  "config",
  "spawn",
  "connect",
  "handshake",
  "auth",
  "list",
  "call"
] as const satisfies ReadonlyArray<Phase>

const kinds = [
  "config",
  "spawn",
  "exit",
  "network",
  "http",
  "session-lost",
  "needs-auth",
  "closed",
  "timeout",
  "protocol",
  "rpc",
  "too-large",
  "disabled",
  "needs-approval",
  "unknown-server"
] as const satisfies ReadonlyArray<Kind>

const Recorded = Schema.Struct({
  phase: Schema.Literal(...phases),
  kind: Schema.Literal(...kinds),
  message: Schema.String,
  hint: optional(Schema.String),
  stderr: optional(Schema.String),
  code: optional(Schema.Number),
  data: optional(Schema.Unknown),
  status: optional(Schema.Number),
  challenge: optional(Schema.String)
})

export const of = (error: McpError): JsonObject => {
  const { challenge, code, data, hint, kind, message, phase, status, stderr } = error
  return { phase, kind, message, hint, stderr, code, data, status, challenge }
}

const decode = Schema.decodeUnknownEither(Recorded)

export const read = (server: string, recorded: unknown): McpError =>
  Either.match(decode(recorded), {
    onLeft: () =>
      new McpError({ server, phase: "call", kind: "protocol", message: "the cassette holds no readable failure here" }),
    onRight: (error) => new McpError({ server, ...error })
  })
