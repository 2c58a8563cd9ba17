/**
 * The connection to one server, whatever carries it: requests with their replies, notifications, and what the server sends
 * on its own.
 *
 * A transport belongs to the Scope that it was made in. Closing that Scope ends the connection and everything behind it
 * (process tree, sockets, fibers, timers); a request that is still open then fails with kind `closed`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Id, JsonObject, Reply } from "./JsonRpc.ts"
import type { McpError, Phase } from "./McpError.ts"
import type { Progress } from "./McpSchema.ts"
import type { ProtocolVersion } from "./ProtocolVersion.ts"

/**
 * What a server sends on its own. Answers to requests are not in it, nor is the progress of a request that is still open.
 *
 * @since 0.1.0
 * @category models
 */
export type Inbound =
  | { readonly _tag: "Notification"; readonly method: string; readonly params: JsonObject | undefined }
  | { readonly _tag: "Request"; readonly id: Id; readonly method: string; readonly params: JsonObject | undefined }

/**
 * A client of the program's own, for which it makes a request.
 *
 * @since 0.1.0
 * @category models
 */
export interface OnBehalf {
  /** What the client can do, told to stateless servers in place of what the program can. */
  readonly capabilities: JsonObject
  /** The log messages that the client wants with the request (2026-07-28). */
  readonly logLevel?: unknown
  /**
   * What the server needs first is the client's to give: an `input_required` result (2026-07-28), or error -32042 (2025-11-25), is
   * handed on and not acted upon.
   */
  readonly answersItself: boolean
}

/**
 * @since 0.1.0
 * @category models
 */
export interface RequestOptions {
  /** The phase that a failure is reported in. Default: `call`. */
  readonly phase?: Phase | undefined
  /** Fails the request with kind `timeout`, and tells the server, when no reply has come by then. Progress starts it anew. */
  readonly timeout?: Duration.Duration | undefined
  /** Bounds the whole wait, progress or not. */
  readonly maxTimeout?: Duration.Duration | undefined
  /** Asks the server for progress, and runs this for each notification of it. */
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined
  /** HTTP headers of this one message; other transports have none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Do not tell the server when the wait is given up (`initialize` may not be cancelled). */
  readonly silent?: boolean | undefined
  /** Waits for as long as the connection lives (`subscriptions/listen`): it does not count as open. */
  readonly standing?: boolean | undefined
  /** For whom the request is made. Default: the program itself. */
  readonly onBehalf?: OnBehalf | undefined
  /** How many requests that have such a bound may be open at once: a further one waits its turn, and its time begins then. */
  readonly maxOpen?: number | undefined
}

/**
 * What a transport knows beyond messages: for error texts, panels and `mcp doctor`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Diagnostics {
  /** The last of the server's stderr, 64 KiB at most. */
  readonly stderr: string
  /** Samples of what came on the wire and was no message, the first few. */
  readonly skipped: ReadonlyArray<string>
  /** The id of the process (stdio). */
  readonly pid?: number | undefined
  /** How many requests wait for their reply, the standing ones aside. */
  readonly openRequests?: number | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly kind: "stdio" | "http" | "sse" | "memory"
  /** The server's name, for errors. */
  readonly server: string
  /**
   * Sends a request and waits for its result. Interrupting the wait tells the server (`notifications/cancelled`, or the
   * end of the response stream) and leaves the connection usable.
   */
  readonly request: (
    method: string,
    params: JsonObject | undefined,
    options?: RequestOptions
  ) => Effect.Effect<unknown, McpError>
  /** Sends a notification; done once it is handed to the wire. */
  readonly notify: (
    method: string,
    params?: JsonObject,
    options?: Pick<RequestOptions, "headers" | "phase">
  ) => Effect.Effect<void, McpError>
  /** Answers a request of the server. */
  readonly respond: (id: Id, reply: Reply) => Effect.Effect<void, McpError>
  /** What the server sends on its own, from the first byte on. For one reader. */
  readonly inbound: Stream.Stream<Inbound>
  /** Fails with the reason once the connection is gone; never succeeds. */
  readonly closed: Effect.Effect<never, McpError>
  /**
   * Tells the transport which revision was agreed on, before anything else is sent: HTTP puts it into every later request
   * and opens the server's own stream where the revision has one.
   */
  readonly negotiated: (version: ProtocolVersion) => Effect.Effect<void>
  readonly diagnostics: Effect.Effect<Diagnostics>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class McpTransport extends Context.Tag("harness9/McpTransport")<McpTransport, Service>() {}
