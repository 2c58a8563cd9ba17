/**
 * One connection of the Manager: transport and client of an entry, and what tells that it is lost.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type * as ClientFeatures from "../../ClientFeatures.ts"
import * as EraStore from "../../EraStore.ts"
import type * as McpClient from "../../McpClient.ts"
import { McpError } from "../../McpError.ts"
import type { McpTool } from "../../McpSchema.ts"
import type * as ProtocolVersion from "../../ProtocolVersion.ts"
import type { ServerConfig } from "../../ServerConfig.ts"
import type * as TransportFactory from "../../TransportFactory.ts"
import * as ClientConnection from "../client/ClientConnection.ts"
import * as Deadline from "../Deadline.ts"
import type { Redaction } from "../Redact.ts"
import * as Health from "./Health.ts"
import type { KeptDiagnostics } from "./KeptDiagnostics.ts"

export interface ServerConnection {
  readonly client: McpClient.Service
  readonly scope: Scope.CloseableScope
  /** Fails with the reason once the connection is gone, or the server does not live any more; never succeeds. */
  readonly lost: Effect.Effect<never, McpError>
  /** Done when no request waits for its reply. */
  readonly drained: Effect.Effect<void>
}

export interface Options {
  readonly config: ServerConfig
  readonly factory: TransportFactory.Service
  readonly redaction: Redaction
  readonly diagnostics: KeptDiagnostics
  readonly connectTimeout: Duration.Duration
  readonly callTimeout: Duration.Duration | undefined
  readonly pingInterval: Duration.Duration | "off"
  /** What servers may ask of the program. */
  readonly features: ClientFeatures.Service | undefined
  /** Where it is kept which era a server is of. */
  readonly eras: EraStore.Service | undefined
}

/** How often it is looked whether requests are still open. */
const drainInterval = "50 millis"

/** Connects, within the time allowed. `former` is the end of the server's connection before this one. */
export const open = (
  options: Options,
  scope: Scope.CloseableScope,
  former: Effect.Effect<unknown>,
  onTools: (tools: ReadonlyArray<McpTool>) => Effect.Effect<void>
): Effect.Effect<ServerConnection, McpError> =>
  Deadline.within(options.config.name, options.connectTimeout, (waitFor) =>
    Effect.gen(function* () {
      const { config, redaction } = options
      // The old process may still hold what the new one needs: a port, a lock, a profile directory.
      waitFor("connect", "end of its old connection")
      yield* former
      if (config.unusable !== undefined) {
        return yield* new McpError({ server: config.name, phase: "config", kind: "config", message: config.unusable })
      }
      const features = yield* forEntry(options.features, config)
      const attempt = Effect.fnUntraced(function* (remembered: ProtocolVersion.Era | undefined) {
        waitFor("connect", "connection")
        const made = yield* options.factory.make(config)
        yield* options.diagnostics.follow(made.diagnostics)
        const { transport, watch } = yield* Health.make(made)
        const client = yield* ClientConnection.make({
          transport,
          redaction,
          waitFor,
          connectTimeout: options.connectTimeout,
          callTimeout: options.callTimeout,
          protocolVersion: config.protocolVersion,
          limits: config.limits,
          features,
          remembered,
          onTools
        })
        return { made, watch, client }
      })
      const { client, made, watch } = yield* remembering(options, (remembered) =>
        // A server that ended when it was asked for its revision may bear a handshake.
        Effect.catchTag(attempt(remembered), "EndedOnProbe", () =>
          Effect.catchTag(attempt("legacy"), "EndedOnProbe", ({ error }) => Effect.fail(error))
        )
      )
      // A look every few seconds is nothing that anybody traces.
      const ping = Effect.withTracerEnabled(client.ping, false)
      const unwell = redaction.failure(watch({ ping, interval: options.pingInterval }))
      return {
        client,
        scope,
        lost: Effect.raceFirst(client.closed, unwell),
        drained: made.diagnostics.pipe(
          Effect.delay(drainInterval),
          Effect.repeat({ while: ({ openRequests = 0 }) => openRequests > 0 }),
          Effect.asVoid
        )
      }
    }).pipe(Scope.extend(scope))
  )

/** The roots are known before the server can ask: an answer that has to be looked up may come after the first call. */
const forEntry = Effect.fnUntraced(function* (features: ClientFeatures.Service | undefined, config: ServerConfig) {
  if (features?.roots?.ofEntry === undefined) return features
  const list = Effect.succeed(yield* features.roots.ofEntry(config))
  return { ...features, roots: { ...features.roots, list } }
})

/** Connects with what is known of the server's era, and keeps what has shown itself. */
const remembering = Effect.fnUntraced(function* <A extends { readonly client: McpClient.Service }, R>(
  { config, eras }: Options,
  connect: (remembered: ProtocolVersion.Era | undefined) => Effect.Effect<A, McpError, R>
) {
  if (eras === undefined) return yield* connect(undefined)
  const key = EraStore.keyOf(config)
  const remembered = yield* eras.get(key)
  const connection = yield* Effect.tapError(connect(remembered), ({ phase }) =>
    phase === "handshake" ? eras.forget(key) : Effect.void
  )
  const { era } = connection.client.negotiation
  if (era !== remembered && config.protocolVersion === undefined) yield* eras.set(key, era)
  return connection
})
