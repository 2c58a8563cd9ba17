/**
 * `opencode.json` and `opencode.jsonc`: servers under `mcp`, and in newer versions under `mcp.servers`.
 *
 * @since 0.1.0
 */
import { isObject, type JsonObject } from "../JsonRpc.ts"
import * as Dialects from "./Dialects.ts"
import * as Foreign from "./ForeignServer.ts"

/**
 * @since 0.1.0
 * @category formats
 */
export const read = ({ mcp }: JsonObject): Foreign.ForeignFile => {
  if (!isObject(mcp)) return { servers: [], notes: [] }
  const isNewer = isObject(mcp.servers) && typeof mcp.servers.type !== "string"
  return { servers: Foreign.all(isNewer ? mcp.servers : mcp, format, 0), notes: [] }
}

const timeout: Foreign.Rule = (value, draft, field) => {
  if (!isObject(value)) return Foreign.time("connectTimeout", 1)(value, draft, field)
  if (value.startup !== undefined) Foreign.time("connectTimeout", 1)(value.startup, draft, "timeout.startup")
  const call = value.execution ?? value.request
  if (call !== undefined) Foreign.time("timeout", 1)(call, draft, "timeout.request")
}

const format: Foreign.Format = {
  dialect: Dialects.braces,
  rules: {
    type: (value, { entry }) => {
      if (value === "remote") entry.type = "http"
    },
    command: (value, { entry }) => {
      const [command, ...args] = Array.isArray(value) ? value : [value]
      entry.command = command
      if (args.length > 0) entry.args = args
    },
    environment: Foreign.as("env"),
    cwd: Foreign.as("cwd"),
    url: Foreign.as("url"),
    headers: Foreign.as("headers"),
    enabled: Foreign.switched(false),
    disabled: Foreign.switched(true),
    timeout,
    oauth: Foreign.login({
      clientId: "clientId",
      clientSecret: "clientSecret",
      scope: "scopes",
      client_id: "clientId",
      client_secret: "clientSecret"
    })
  }
}
