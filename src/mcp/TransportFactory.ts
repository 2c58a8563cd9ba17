/**
 * How the Manager gets the transport of a server: configuration in, connection out. Replacing this one layer runs the whole
 * program on other transports.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { unapproved } from "./internal/manager/ServerOutcome.ts"
import * as ManagedPolicy from "./ManagedPolicy.ts"
import * as McpAuth from "./McpAuth.ts"
import type { McpError } from "./McpError.ts"
import type * as McpTransport from "./McpTransport.ts"
import type { ServerConfig } from "./ServerConfig.ts"
import * as StdioTransport from "./StdioTransport.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Opens a connection that lives as long as the Scope. Does not wait for a handshake. */
  readonly make: (config: ServerConfig) => Effect.Effect<McpTransport.Service, McpError, Scope.Scope>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class TransportFactory extends Context.Tag("harness9/TransportFactory")<TransportFactory, Service>() {}

/**
 * Real connections: programs over stdio, addresses over HTTP. The HTTP client is loaded when the first entry needs it.
 *
 * With `McpAuth` in the context, servers that want a login get the one that there is; without, what the entry says is all that is sent.
 * What the machine's `ManagedPolicy` denies, and an entry that still waits for a person's consent, is neither started nor contacted.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<TransportFactory> = Layer.effect(
  TransportFactory,
  Effect.gen(function* () {
    const logins = yield* Effect.serviceOption(McpAuth.McpAuth)
    const policy = yield* ManagedPolicy.ManagedPolicy
    return {
      make: (config: ServerConfig) =>
        Effect.zipRight(
          config.consent === undefined ? policy.check(config) : Effect.fail(unapproved(config.name)),
          connect(config, logins)
        )
    }
  })
)

const connect = (
  config: ServerConfig,
  logins: Option.Option<McpAuth.Service>
): Effect.Effect<McpTransport.Service, McpError, Scope.Scope> => {
  const { limits, name: server, transport } = config
  switch (transport._tag) {
    case "stdio":
      return StdioTransport.make({
        ...transport,
        server,
        maxLineBytes: limits?.maxLineBytes,
        maxStderrBytes: limits?.maxStderrBytes,
        messagesPerSecond: limits?.messagesPerSecond
      })
    case "http":
      return Effect.gen(function* () {
        const RemoteTransport = yield* Effect.promise(() => import("./RemoteTransport.ts"))
        return yield* RemoteTransport.make({
          ...transport,
          server,
          maxBodyBytes: limits?.maxBodyBytes,
          messagesPerSecond: limits?.messagesPerSecond,
          auth: yield* authOf(logins, config)
        })
      })
    case "sse":
      return Effect.gen(function* () {
        const SseTransport = yield* Effect.promise(() => import("./SseTransport.ts"))
        return yield* SseTransport.make({
          ...transport,
          server,
          maxBodyBytes: limits?.maxBodyBytes,
          messagesPerSecond: limits?.messagesPerSecond,
          auth: yield* authOf(logins, config)
        })
      })
  }
}

const authOf = (logins: Option.Option<McpAuth.Service>, config: ServerConfig) =>
  Option.match(logins, {
    onNone: () => McpAuth.withoutLogin(config),
    onSome: ({ forServer }) => forServer(config)
  })
