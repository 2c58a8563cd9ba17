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
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ClientFeatures } from "./ClientFeatures.ts"
import { EraStore } from "./EraStore.ts"
import * as ServerTable from "./internal/manager/ServerTable.ts"
import { McpAuth } from "./McpAuth.ts"
import type * as McpClient from "./McpClient.ts"
import { McpConfig } from "./McpConfig.ts"
import { McpError } from "./McpError.ts"
import type { Diagnostics } from "./McpTransport.ts"
import type { ServerConfig } from "./ServerConfig.ts"
import type { ServerStatus } from "./ServerStatus.ts"
import * as Supervision from "./Supervision.ts"
import { TransportFactory } from "./TransportFactory.ts"
import * as Trust from "./Trust.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** How long connecting may take, for servers whose entry does not say. Default: 30 seconds. */
  readonly connectTimeout?: Duration.Duration | undefined
  /** How long a tool call may take, for servers whose entry does not say. Default: 60 seconds. */
  readonly callTimeout?: Duration.Duration | undefined
  /** When servers that were lost are connected again; `false`: only when somebody asks for it. */
  readonly supervision?: Supervision.Options | false | undefined
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
  /**
   * The client of a connected server; fails with the reason why there is none. Waits for a start that is under way. A server that
   * was lost or has failed is tried once more, though not oftener than every few seconds.
   */
  readonly client: (server: string) => Effect.Effect<McpClient.Service, McpError>
  /** Closes the server's connection, if there is one, and connects it again; done when it has settled. */
  readonly reconnect: (server: string) => Effect.Effect<ServerStatus, McpError>
  /** Closes the server's connection and leaves it disabled until `enable`. */
  readonly disable: (server: string) => Effect.Effect<void, McpError>
  readonly enable: (server: string) => Effect.Effect<ServerStatus, McpError>
  /** A person agrees to the entry of a project: their word is kept, and the server connected. Done when it has settled. */
  readonly approve: (server: string) => Effect.Effect<ServerStatus, McpError>
  /** Stderr tail and skipped lines of the server's present or last connection. */
  readonly diagnostics: (server: string) => Effect.Effect<Diagnostics, McpError>
  /**
   * Puts another configuration in the place of the present one; done when every server that this touches has settled. Servers
   * whose entry is the same go on undisturbed. Where an entry changed, the new connection is there before the old one goes,
   * unless both cannot live side by side; calls that are under way have ten seconds to end. A later reload overtakes one that is
   * not done.
   */
  readonly reload: (servers: ReadonlyArray<ServerConfig>) => Effect.Effect<ReloadReport>
}

/**
 * What a reload came to: the names of the entries.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReloadReport {
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly changed: ReadonlyArray<string>
  readonly unchanged: ReadonlyArray<string>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class McpManager extends Context.Tag("harness9/McpManager")<McpManager, Service>() {}

/**
 * A Manager of these servers. Nothing is started before `start` runs. Closing the Scope ends every connection, all at once.
 * Where the context has `ClientFeatures`, servers are told of them; where it has an `EraStore`, their eras are kept in it; where it
 * has `McpAuth`, a server whose login has ended waits for the next one.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  given: ReadonlyArray<ServerConfig>,
  { callTimeout, connectTimeout = Duration.seconds(30), supervision }: Options = {}
): Effect.fn.Return<Service, never, TransportFactory | Scope.Scope> {
  const trust = yield* Trust.Trust
  const review = (configs: ReadonlyArray<ServerConfig>) =>
    Effect.provideService(Trust.review(configs), Trust.Trust, trust)
  const servers = yield* ServerTable.make(yield* review(given), {
    factory: yield* TransportFactory,
    root: yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.parallel),
    policy: supervision === false ? undefined : Supervision.policy(supervision),
    features: Option.getOrUndefined(yield* Effect.serviceOption(ClientFeatures)),
    eras: Option.getOrUndefined(yield* Effect.serviceOption(EraStore)),
    connectTimeout,
    callTimeout
  })

  const find = (name: string) =>
    Effect.suspend(() => {
      const server = servers.get(name)
      return server === undefined ? Effect.fail(unknown(name, servers.configs())) : Effect.succeed(server)
    })

  yield* Effect.forkScoped(followLogins(servers))

  const approve = Effect.fnUntraced(function* (name: string) {
    const { consent } = (yield* find(name)).config
    if (consent !== undefined) {
      // That a word could not be kept costs the next run, not this one.
      yield* Effect.catchAll(trust.approve(name, consent), ({ message }) =>
        Effect.logWarning(`[mcp] server "${name}": the approval could not be kept: ${message}`)
      )
      yield* servers.reload(
        servers.configs().map((config) => (config.name === name ? { ...config, consent: undefined } : config))
      )
    }
    return (yield* find(name)).status()
  })

  return {
    start: servers.start,
    servers: Effect.sync(servers.configs),
    statuses: servers.statuses.get,
    changes: servers.statuses.changes,
    client: (name) => Effect.flatMap(find(name), (server) => server.client),
    reconnect: (name) => Effect.flatMap(find(name), (server) => server.reconnect),
    disable: (name) => Effect.flatMap(find(name), (server) => server.disable),
    enable: (name) => Effect.flatMap(find(name), (server) => server.enable),
    approve,
    diagnostics: (name) => Effect.flatMap(find(name), (server) => server.diagnostics),
    reload: (configs) => Effect.flatMap(review(configs), servers.reload)
  }
})

/** A login that ends in the middle of a run makes its server wait for the next one; a new login connects it. */
const followLogins = ({ get }: ServerTable.ServerTable) =>
  Effect.flatMap(
    Effect.serviceOption(McpAuth),
    Option.match({
      onNone: () => Effect.void,
      onSome: ({ events }) =>
        Stream.runForEach(events, (event) => {
          const server = get(event.server)
          if (server === undefined || event._tag === "LoggedOut") return Effect.void
          return event._tag === "LoggedIn" ? server.loggedIn : server.refused(event.error)
        })
    })
  )

const unknown = (name: string, known: ReadonlyArray<ServerConfig>): McpError => {
  const names = known.map((config) => config.name).join(", ")
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
