/**
 * All servers of a configuration: connected at once, each within its own time, none able to fail, delay or crash another.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import * as Latest from "./internal/Latest.ts"
import * as ManagedServer from "./internal/ManagedServer.ts"
import type * as McpClient from "./McpClient.ts"
import { McpConfig } from "./McpConfig.ts"
import { McpError } from "./McpError.ts"
import type { Diagnostics } from "./McpTransport.ts"
import type { ServerConfig } from "./ServerConfig.ts"
import type { ServerStatus } from "./ServerStatus.ts"
import { TransportFactory } from "./TransportFactory.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** How long connecting may take, for servers whose entry does not say. Default: 30 seconds. */
  readonly connectTimeout?: Duration.Duration | undefined
  /** How long a tool call may take, for servers whose entry does not say. Default: 60 seconds. */
  readonly callTimeout?: Duration.Duration | undefined
}

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

/**
 * A Manager of these servers. Nothing is started before `start` runs. Closing the Scope ends every connection, all at once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  configs: ReadonlyArray<ServerConfig>,
  { callTimeout, connectTimeout = Duration.seconds(30) }: Options = {}
): Effect.fn.Return<Service, never, TransportFactory | Scope.Scope> {
  const factory = yield* TransportFactory
  const root = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.parallel)
  const sorted = [...configs].sort((a, b) => (a.name < b.name ? -1 : 1))
  const statuses = yield* Latest.make(sorted.map(ManagedServer.initialStatus))
  const servers = yield* Effect.forEach(sorted, (config, index) =>
    ManagedServer.make({
      config,
      factory,
      connectTimeout: config.connectTimeout ?? connectTimeout,
      callTimeout: config.callTimeout ?? callTimeout,
      root,
      announce: (status) => statuses.update((all) => all.with(index, status()))
    })
  )
  const byName = new Map(servers.map((server) => [server.config.name, server]))

  const find = (name: string) =>
    Effect.suspend(() => {
      const server = byName.get(name)
      return server === undefined ? Effect.fail(unknown(name, byName.keys())) : Effect.succeed(server)
    })

  return {
    start: Effect.forEach(servers, (server) => server.start, { concurrency: "unbounded", discard: true }),
    servers: Effect.succeed(configs),
    statuses: statuses.get,
    changes: statuses.changes,
    client: (name) => Effect.flatMap(find(name), (server) => server.client),
    reconnect: (name) => Effect.flatMap(find(name), (server) => server.reconnect),
    disable: (name) => Effect.flatMap(find(name), (server) => server.disable),
    enable: (name) => Effect.flatMap(find(name), (server) => server.enable),
    diagnostics: (name) => Effect.flatMap(find(name), (server) => server.diagnostics)
  }
})

const unknown = (name: string, known: Iterable<string>): McpError => {
  const names = [...known].join(", ")
  return new McpError({
    server: name,
    phase: "config",
    kind: "unknown-server",
    message: `no server is named "${name}"`,
    hint: names === "" ? "No server is configured." : `The configured servers are: ${names}.`
  })
}

/**
 * A Manager of the configuration's servers.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<McpManager, never, McpConfig | TransportFactory> = Layer.scoped(
  McpManager,
  Effect.flatMap(McpConfig, ({ servers }) => make(servers))
)

/**
 * A Manager of these servers.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  servers: ReadonlyArray<ServerConfig>,
  options?: Options
): Layer.Layer<McpManager, never, TransportFactory> => Layer.scoped(McpManager, make(servers, options))
