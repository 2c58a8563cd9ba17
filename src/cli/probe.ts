/**
 * One connection to a server that is not configured yet, to see what it is.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as McpClient from "../mcp/McpClient.ts"
import type { McpError } from "../mcp/McpError.ts"
import type { Implementation, McpTool } from "../mcp/McpSchema.ts"
import * as McpTransport from "../mcp/McpTransport.ts"
import type { ProtocolVersion } from "../mcp/ProtocolVersion.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import * as TransportFactory from "../mcp/TransportFactory.ts"

/**
 * What a server turned out to be.
 *
 * @since 0.1.0
 * @category models
 */
export interface Found {
  /** The way it speaks: an address may be of either kind. */
  readonly transport: McpTransport.Service["kind"]
  readonly serverInfo: Implementation
  readonly protocolVersion: ProtocolVersion
  readonly tools: ReadonlyArray<McpTool>
  readonly warnings: ReadonlyArray<string>
  readonly connectMs: number
}

/**
 * Connects, lists the tools, and lets go.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  config: ServerConfig,
  connectTimeout: Duration.Duration = Duration.seconds(30)
): Effect.Effect<Found, McpError> =>
  Effect.gen(function* () {
    const { make } = yield* TransportFactory.TransportFactory
    const started = yield* Clock.currentTimeMillis
    const transport = yield* make(config)
    const { protocolVersion, secrets } = config
    const client = yield* McpClient.make({ connectTimeout, protocolVersion, secrets }).pipe(
      Effect.provideService(McpTransport.McpTransport, transport)
    )
    return {
      transport: transport.kind,
      serverInfo: client.serverInfo,
      protocolVersion: client.protocolVersion,
      tools: yield* client.tools,
      warnings: yield* client.warnings,
      connectMs: (yield* Clock.currentTimeMillis) - started
    }
  }).pipe(Effect.scoped, Effect.provide(TransportFactory.layer))
