/**
 * One connection of the Manager: transport and client of an entry, and what tells that it is lost.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type * as McpClient from "../McpClient.ts"
import { McpError } from "../McpError.ts"
import type { McpTool } from "../McpSchema.ts"
import * as ProtocolVersion from "../ProtocolVersion.ts"
import type { ServerConfig } from "../ServerConfig.ts"
import type * as TransportFactory from "../TransportFactory.ts"
import * as ClientConnection from "./client/ClientConnection.ts"
import * as Deadline from "./Deadline.ts"
import * as Health from "./Health.ts"
import type { KeptDiagnostics } from "./KeptDiagnostics.ts"
import type { Redaction } from "./Redact.ts"

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
        onTools
      })
      const ping = ProtocolVersion.isLegacy(client.protocolVersion) ? client.ping : undefined
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
