/**
 * A server inside the program, for tests and for embedders that bring their own tools.
 *
 * Every message goes through its JSON text, so that neither side can hold an object of the other.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as Connection from "./internal/Connection.ts"
import type { Received } from "./JsonRpc.ts"
import * as JsonRpc from "./JsonRpc.ts"
import { type Kind, McpError } from "./McpError.ts"
import * as McpTransport from "./McpTransport.ts"

/**
 * What a client sends: requests, notifications, and its answers to the server's requests.
 *
 * @since 0.1.0
 * @category models
 */
export type ClientMessage = Exclude<Received, { readonly _tag: "Invalid" }>

/**
 * The server's end of one connection.
 *
 * @since 0.1.0
 * @category models
 */
export interface Client {
  /**
   * Sends a message to the client: a reply, a notification or a request, as the JSON object that goes on the wire. It is not
   * checked, so that a test can send what a broken server would.
   */
  readonly send: (message: unknown) => Effect.Effect<void>
  /**
   * Breaks the connection, as a server does that dies: what is open fails at once. Default: kind `exit`, and a message
   * that says that the server ended.
   */
  readonly close: (reason?: { readonly kind?: Kind; readonly message?: string }) => Effect.Effect<void>
}

/**
 * An MCP server in memory: given the client's end, it gives what runs for each message of the client.
 *
 * It is started once for each connection, in the connection's Scope: what it forks or acquires there ends with the
 * connection, as do the handlers of messages. Handlers begin in the order of the messages and run concurrently.
 * One that dies breaks the connection.
 *
 * @since 0.1.0
 * @category models
 */
export type MemoryServer = (
  client: Client
) => Effect.Effect<(message: ClientMessage) => Effect.Effect<void>, McpError, Scope.Scope>

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The server's name, for errors. */
  readonly server: string
  readonly handler: MemoryServer
}

/**
 * Connects to a server in memory.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Effect.Effect<McpTransport.Service, McpError, Scope.Scope> = Effect.fnUntraced(
  function* ({ handler, server }) {
    const scope = yield* Effect.scope
    const runFork = Runtime.runFork(yield* Effect.runtime<never>())
    const ended = (kind: Kind, message: string, cause?: unknown) =>
      new McpError({ server, phase: "connect", kind, message, cause })

    const connection: Connection.Connection = yield* Connection.make({
      server,
      write: (text) => {
        const message = JsonRpc.classify(JSON.parse(text))
        if (message._tag !== "Invalid") runFork(handled(message), { scope, immediate: false })
      }
    })

    const handle = yield* handler({
      send: (message) => Effect.sync(() => connection.receive(JSON.stringify(message))),
      close: ({ kind = "exit", message = "the server ended" } = {}) =>
        Effect.sync(() => connection.close(ended(kind, message)))
    })
    const handled = (message: ClientMessage) =>
      Effect.catchAllDefect(handle(message), (defect) =>
        Effect.sync(() =>
          connection.close(ended("exit", `the server died: ${Cause.pretty(Cause.die(defect))}`, defect))
        )
      )

    yield* Effect.addFinalizer(() => Effect.sync(() => connection.close(ended("closed", "the connection was closed"))))

    return {
      kind: "memory",
      server,
      request: connection.request,
      notify: connection.notify,
      respond: connection.respond,
      inbound: connection.inbound,
      closed: connection.closed,
      negotiated: () => Effect.void,
      diagnostics: connection.diagnostics
    }
  }
)

/**
 * A server in memory as the transport.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<McpTransport.McpTransport, McpError> =>
  Layer.scoped(McpTransport.McpTransport, make(options))
