/**
 * What can go wrong between harness9 and an MCP server, as one typed error.
 *
 * An error says which server, in which phase, what happened, what the server last wrote to stderr and what to try.
 * It never holds a header value, an environment value, a token or a message body.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/**
 * The step of a connection's life in which the failure happened, in the order in which a connection goes through them.
 *
 * @since 0.1.0
 * @category models
 */
export type Phase = "config" | "spawn" | "connect" | "handshake" | "auth" | "list" | "call"

/**
 * What happened, in a word that programs can branch on.
 *
 * - `config`: the entry cannot be used (a bad field, an unset variable)
 * - `spawn`: the program could not be started (not found, not executable, bad working directory)
 * - `exit`: the program ended while it was needed
 * - `network`: the address could not be reached, or the connection broke (DNS, TCP, TLS)
 * - `http`: the server answered with a status or a body that is no MCP
 * - `session-lost`: the server no longer knows the session; a new one must be opened
 * - `needs-auth`: the server wants a login
 * - `closed`: the connection was closed on purpose, or is gone
 * - `timeout`: no answer within the time allowed
 * - `protocol`: the server broke the protocol (unknown revision, malformed reply)
 * - `rpc`: the server answered with a JSON-RPC error; the connection is fine
 * - `too-large`: a message over the size limit
 * - `disabled`: the entry is switched off
 * - `needs-approval`: the entry comes with a project, and nobody has agreed to it yet
 * - `unknown-server`: no entry has that name
 *
 * @since 0.1.0
 * @category models
 */
export type Kind =
  | "config"
  | "spawn"
  | "exit"
  | "network"
  | "http"
  | "session-lost"
  | "needs-auth"
  | "closed"
  | "timeout"
  | "protocol"
  | "rpc"
  | "too-large"
  | "disabled"
  | "needs-approval"
  | "unknown-server"

/**
 * The error of every fallible operation in `harness9`'s MCP modules.
 *
 * @since 0.1.0
 * @category errors
 */
export class McpError extends Data.TaggedError("McpError")<{
  /** The server's name in the configuration. */
  readonly server: string
  readonly phase: Phase
  readonly kind: Kind
  /** One sentence for a person: what happened. Control characters of foreign text may still be in it; sinks sanitise. */
  readonly message: string
  /** What to try, if there is something. */
  readonly hint?: string | undefined
  /** The last lines that the server wrote to stderr. */
  readonly stderr?: string | undefined
  /** The JSON-RPC error code (`rpc`). */
  readonly code?: number | undefined
  /** The JSON-RPC error data (`rpc`). */
  readonly data?: unknown
  /** The HTTP status (`http`, `needs-auth`, `session-lost`). */
  readonly status?: number | undefined
  /** The `WWW-Authenticate` challenge (`needs-auth`). */
  readonly challenge?: string | undefined
  readonly cause?: unknown
}> {}

/**
 * The same error, told of another phase: a request's failure becomes the handshake's, the list's or the call's.
 *
 * @since 0.1.0
 * @category combinators
 */
export const inPhase =
  (phase: Phase) =>
  (error: McpError): McpError =>
    error.phase === phase ? error : new McpError({ ...fields(error), phase })

/**
 * The same error with the last stderr lines of the server, unless it already has some.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withStderr =
  (stderr: string) =>
  (error: McpError): McpError =>
    error.stderr || stderr === "" ? error : new McpError({ ...fields(error), stderr })

/**
 * The same error with something to try, unless it already says what.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withHint =
  (hint: string) =>
  (error: McpError): McpError =>
    error.hint ? error : new McpError({ ...fields(error), hint })

const fields = (error: McpError) => ({
  server: error.server,
  phase: error.phase,
  kind: error.kind,
  message: error.message,
  hint: error.hint,
  stderr: error.stderr,
  code: error.code,
  data: error.data,
  status: error.status,
  challenge: error.challenge,
  cause: error.cause
})
