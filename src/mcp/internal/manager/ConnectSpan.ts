/**
 * The span of connecting to a server, from the start of its program or the first request to its list of tools.
 */
import * as Effect from "effect/Effect"
import type { McpError } from "../../McpError.ts"
import * as Metrics from "../../Metrics.ts"
import type { ServerConfig } from "../../ServerConfig.ts"
import * as Telemetry from "../../Telemetry.ts"
import type { Redaction } from "../Redact.ts"
import type { ServerConnection } from "./ServerConnection.ts"

export const around = (
  { name, transport }: ServerConfig,
  redaction: Redaction,
  isAgain: boolean,
  opening: Effect.Effect<ServerConnection, McpError>
): Effect.Effect<ServerConnection, McpError> => {
  const attributes = { "harness9.server": name, "harness9.transport": transport._tag, "harness9.again": isAgain }
  const opened = Telemetry.span(`connect ${name}`, { attributes, onResult }, () => redaction.failure(opening))
  const counted = Telemetry.record(Metrics.reconnects, 1, { "harness9.server": name })
  return isAgain ? Effect.zipLeft(opened, counted) : opened
}

const onResult = ({ client }: ServerConnection): Telemetry.Attributes => ({
  "mcp.protocol.version": client.protocolVersion
})
