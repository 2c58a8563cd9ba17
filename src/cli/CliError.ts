/**
 * Why a command ends without having done its work: a sentence for a person and an exit code for a script.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type { Kind, McpError } from "../mcp/McpError.ts"

/**
 * What each way to end is to a script.
 *
 * @since 0.1.0
 * @category constants
 */
export const ExitCode = {
  Done: 0,
  /** The tool or the run reported an error. */
  Failed: 1,
  /** Usage or configuration. */
  Usage: 2,
  /** A server that the command needs could not be connected. */
  NoConnection: 3,
  /** That server needs a login. */
  NeedsAuth: 4,
  TimedOut: 5,
  Interrupted: 130
} as const

/**
 * @since 0.1.0
 * @category models
 */
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/**
 * @since 0.1.0
 * @category errors
 */
export class CliError extends Data.TaggedError("CliError")<{
  readonly exitCode: ExitCode
  readonly message: string
  /** What to try. */
  readonly hint?: string | undefined
  /** What kind of failure of a server it is, if it is one. */
  readonly kind?: Kind | undefined
}> {}

/**
 * Where a kind of failure is explained, as a person is told it.
 *
 * @since 0.1.0
 * @category formatting
 */
export const moreOn = (kind: string): string => `more: harness9 help ${kind}`

/**
 * The command line or the configuration cannot be used as it is.
 *
 * @since 0.1.0
 * @category constructors
 */
export const usage = (message: string, hint?: string): CliError =>
  new CliError({ exitCode: ExitCode.Usage, message, hint })

const exitCodes: Readonly<Record<Kind, ExitCode>> = {
  config: ExitCode.Usage,
  disabled: ExitCode.Usage,
  "needs-approval": ExitCode.Usage,
  "unknown-server": ExitCode.Usage,
  rpc: ExitCode.Failed,
  "needs-auth": ExitCode.NeedsAuth,
  timeout: ExitCode.TimedOut,
  spawn: ExitCode.NoConnection,
  exit: ExitCode.NoConnection,
  network: ExitCode.NoConnection,
  http: ExitCode.NoConnection,
  "session-lost": ExitCode.NoConnection,
  closed: ExitCode.NoConnection,
  protocol: ExitCode.NoConnection,
  "too-large": ExitCode.NoConnection
}

/**
 * The exit code that says what went wrong with a server. An error that the server answers with while connecting is a
 * connection that did not come about.
 *
 * @since 0.1.0
 * @category conversions
 */
export const exitCodeOf = ({ kind, phase }: McpError): ExitCode =>
  kind === "rpc" && phase !== "call" ? ExitCode.NoConnection : exitCodes[kind]
