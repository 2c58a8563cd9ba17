/**
 * One server, connected: handshake done, its tools listed and kept up to date, its tools callable.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import * as ClientConnection from "./internal/ClientConnection.ts"
import * as Deadline from "./internal/Deadline.ts"
import * as HandshakeFailure from "./internal/HandshakeFailure.ts"
import * as Redact from "./internal/Redact.ts"
import type { JsonObject } from "./JsonRpc.ts"
import type { McpError } from "./McpError.ts"
import type { Implementation, McpTool, Progress, ServerCapabilities, ToolCallResult } from "./McpSchema.ts"
import * as McpTransport from "./McpTransport.ts"
import type { ProtocolVersion } from "./ProtocolVersion.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface CallOptions {
  /** Default: the client's `callTimeout`. Progress starts it anew. */
  readonly timeout?: Duration.Duration | undefined
  /** Bounds the whole call, progress or not. Default: ten times the timeout. */
  readonly maxTimeout?: Duration.Duration | undefined
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** What servers are told of the program. Default: harness9 and its version. */
  readonly clientInfo?: Implementation | undefined
  /** How long the handshake and the first lists may take together. Default: 30 seconds. */
  readonly connectTimeout?: Duration.Duration | undefined
  /** How long a call may take, unless it says otherwise. Default: 60 seconds. */
  readonly callTimeout?: Duration.Duration | undefined
  /** How long a page of a list, or a ping, may take. Default: 30 seconds. */
  readonly listTimeout?: Duration.Duration | undefined
  /** Speak this revision and no other. */
  readonly protocolVersion?: ProtocolVersion | undefined
  /** Values that are masked in errors and diagnostics. */
  readonly secrets?: ReadonlyArray<string> | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly server: string
  readonly serverInfo: Implementation
  readonly protocolVersion: ProtocolVersion
  readonly capabilities: ServerCapabilities
  /** What the server says about its use, for the system prompt; bounded by the reader. */
  readonly instructions: string | undefined
  /** The tools as last listed. */
  readonly tools: Effect.Effect<ReadonlyArray<McpTool>>
  /** The tools as last listed, then each new list. */
  readonly toolsChanged: Stream.Stream<ReadonlyArray<McpTool>>
  /** Calls a tool by the server's own name for it. The tool's own failure is a result with `isError`. */
  readonly callTool: (name: string, args: JsonObject, options?: CallOptions) => Effect.Effect<ToolCallResult, McpError>
  readonly ping: Effect.Effect<void, McpError>
  /** Fails with the reason once the connection is gone; never succeeds. */
  readonly closed: Effect.Effect<never, McpError>
  readonly diagnostics: Effect.Effect<McpTransport.Diagnostics>
  /** What of the server could not be used, and was left out: malformed tools, lists that never end. */
  readonly warnings: Effect.Effect<ReadonlyArray<string>>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class McpClient extends Context.Tag("harness9/McpClient")<McpClient, Service>() {}

/**
 * Connects over the transport: done when the handshake is made and the tools are listed. The client lives as long as the Scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<Service, McpError, McpTransport.McpTransport | Scope.Scope> {
  const { connectTimeout = Duration.seconds(30), secrets = [] } = options
  const transport = yield* McpTransport.McpTransport
  const redaction = Redact.redaction(secrets)
  return yield* Deadline.within(transport.server, connectTimeout, (waitFor) =>
    ClientConnection.make({ ...options, transport, redaction, waitFor })
  ).pipe(
    Effect.catchAll((error) =>
      Effect.flatMap(transport.diagnostics, (diagnostics) => Effect.fail(HandshakeFailure.explain(error, diagnostics)))
    ),
    Effect.mapError(redaction.error)
  )
})

/**
 * A client on the transport of the context.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options?: Options): Layer.Layer<McpClient, McpError, McpTransport.McpTransport> =>
  Layer.scoped(McpClient, make(options))
