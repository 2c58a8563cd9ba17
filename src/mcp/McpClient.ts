/**
 * One server, connected: handshake done, its tools listed and kept up to date, its tools callable.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { JsonObject } from "./JsonRpc.ts"
import type { McpError } from "./McpError.ts"
import type { Implementation, McpTool, Progress, ServerCapabilities, ToolCallResult } from "./McpSchema.ts"
import type { Diagnostics } from "./McpTransport.ts"
import type { ProtocolVersion } from "./ProtocolVersion.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface CallOptions {
  /** Default: the client's `callTimeout`. Progress starts it anew. */
  readonly timeout?: Duration.Duration | undefined
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined
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
  readonly diagnostics: Effect.Effect<Diagnostics>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class McpClient extends Context.Tag("harness9/McpClient")<McpClient, Service>() {}
