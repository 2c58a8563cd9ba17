/**
 * All servers of a configuration: connected at once, each within its own time, none able to fail, delay or crash another.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as McpClient from "./McpClient.ts"
import type { McpError } from "./McpError.ts"
import type { Diagnostics } from "./McpTransport.ts"
import type { ServerConfig } from "./ServerConfig.ts"
import type { ServerStatus } from "./ServerStatus.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Connects every server that is not disabled; done when each has settled. Never fails. A second run waits for the first. */
  readonly start: Effect.Effect<void>
  /** The configuration's servers, in its order: the order in which name conflicts are decided. */
  readonly servers: Effect.Effect<ReadonlyArray<ServerConfig>>
  /** Sorted by name. */
  readonly statuses: Effect.Effect<ReadonlyArray<ServerStatus>>
  /** The current statuses, then all of them again after each change. A slow reader loses states between, never the last. */
  readonly changes: Stream.Stream<ReadonlyArray<ServerStatus>>
  /** The client of a connected server; fails with the reason why there is none. */
  readonly client: (server: string) => Effect.Effect<McpClient.Service, McpError>
  /** Closes the server's connection, if there is one, and connects it again; done when it has settled. */
  readonly reconnect: (server: string) => Effect.Effect<ServerStatus, McpError>
  /** Closes the server's connection and leaves it disabled until `enable`. */
  readonly disable: (server: string) => Effect.Effect<void, McpError>
  readonly enable: (server: string) => Effect.Effect<ServerStatus, McpError>
  /** Stderr tail and skipped lines of the server's present or last connection. */
  readonly diagnostics: (server: string) => Effect.Effect<Diagnostics, McpError>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class McpManager extends Context.Tag("harness9/McpManager")<McpManager, Service>() {}
