/**
 * `config.toml` of Codex: `[mcp_servers.NAME]`.
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
export const read = ({ mcp_servers }: JsonObject): Foreign.ForeignFile => ({
  servers: Foreign.all(mcp_servers, format, 0),
  notes: []
})

/** Names of variables that are passed on, if they are set. */
const passedOn = (value: unknown): JsonObject =>
  Object.fromEntries(
    (Array.isArray(value) ? value : []).flatMap((item: unknown) => {
      const name = isObject(item) ? item.name : item
      return typeof name === "string" ? [[name, `\${${name}:-}`]] : []
    })
  )

const mapValues = (value: unknown, change: (item: unknown) => string): JsonObject =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)])) : {}

const reference = /^\$\{[A-Za-z_]\w*(?::-)?\}$/

const format: Foreign.Format = {
  // What the rules below write is meant as a variable.
  dialect: (text, note, field) => (reference.test(text) ? text : Dialects.literal(text, note, field)),
  // There is one way to log in here, and none over stdio.
  complete: (_, { entry }) => {
    if (entry.url === undefined || entry.bearerTokenEnv !== undefined) delete entry.oauth
  },
  rules: {
    command: Foreign.as("command"),
    args: Foreign.as("args"),
    env: Foreign.merged("env", (value) => (isObject(value) ? value : {})),
    env_vars: Foreign.merged("env", passedOn),
    cwd: Foreign.as("cwd"),
    url: (value, { entry }) => {
      entry.type = "http"
      entry.url = value
    },
    http_headers: Foreign.merged("headers", (value) => (isObject(value) ? value : {})),
    env_http_headers: Foreign.merged("headers", (value) => mapValues(value, (variable) => `\${${String(variable)}}`)),
    bearer_token_env_var: Foreign.as("bearerTokenEnv"),
    enabled: Foreign.switched(false),
    required: (value, { entry }) => {
      if (value === true) entry.required = true
    },
    startup_timeout_sec: Foreign.time("connectTimeout", 1000),
    startup_timeout_ms: Foreign.time("connectTimeout", 1),
    tool_timeout_sec: Foreign.time("timeout", 1000),
    enabled_tools: Foreign.as("includeTools"),
    disabled_tools: Foreign.as("excludeTools"),
    scopes: (value, draft) => Foreign.login({ scopes: "scopes" })({ scopes: value }, draft, "scopes"),
    oauth: Foreign.login({ client_id: "clientId" }),
    oauth_resource: Foreign.lost("it is found out at the login"),
    default_tools_approval_mode: Foreign.lost("what may run unasked is said with --allow or in the dialog"),
    tools: Foreign.lost("what may run unasked is said with --allow or in the dialog"),
    experimental_environment: Foreign.lost("it is started on this machine"),
    supports_parallel_tool_calls: Foreign.ignored,
    name: Foreign.ignored
  }
}
