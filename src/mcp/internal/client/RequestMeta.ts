/**
 * The `_meta` of every request of a stateless revision: which revision it is, who asks, and what the asking program can do.
 */
import type { JsonObject } from "../../JsonRpc.ts"
import type { LogLevel } from "../../McpSchema.ts"
import type { ModernVersion } from "../../ProtocolVersion.ts"
import type { Offer } from "./Agreement.ts"

/** Without a level, a server must not log at all. */
export const logLevel = "io.modelcontextprotocol/logLevel"

export const make = ({
  capabilities,
  clientInfo,
  logLevel: level,
  version
}: Offer & { readonly version: ModernVersion; readonly logLevel?: LogLevel | undefined }): JsonObject => ({
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": capabilities,
  ...(level === undefined ? undefined : { [logLevel]: level })
})
