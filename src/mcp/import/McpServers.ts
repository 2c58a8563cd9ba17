/**
 * The hosts that keep servers under `mcpServers`: Claude Code, Claude Desktop, Cursor, Gemini CLI.
 *
 * @since 0.1.0
 */
import { isObject, type JsonObject } from "../JsonRpc.ts"
import * as Dialects from "./Dialects.ts"
import * as Foreign from "./ForeignServer.ts"

const common = {
  command: Foreign.as("command"),
  args: Foreign.as("args"),
  env: Foreign.as("env"),
  cwd: Foreign.as("cwd"),
  url: Foreign.as("url"),
  headers: Foreign.as("headers"),
  disabled: Foreign.switched(true),
  enabled: Foreign.switched(false),
  description: Foreign.ignored
}

const noLogin = Foreign.lost("log in again here, or put credentials into headers")

/** A shell reads it there, and none here. */
const headersHelper: Foreign.Rule = (value, { entry, notes }) => {
  if (typeof value !== "string") return
  const isPlain = /^[\w./~:\\-]+$/.test(value)
  entry.headersHelper = isPlain ? value : ["sh", "-c", value]
  if (!isPlain) notes.push(`"headersHelper" is a line for a shell: sh reads it`)
}

const noEnvFile = Foreign.lost("put its variables into env, or into your own environment")

/** How the server is spoken to; what there is no transport for here stays away. */
const type: Foreign.Rule = (value, { entry, notes }) => {
  if (value === "stdio" || value === "http" || value === "sse") entry.type = value
  else if (value === "streamable-http" || value === "streamableHttp") entry.type = "http"
  else notes.push(`servers of type ${typeof value === "string" ? value : "unknown"} cannot be spoken to`)
}

/** Without a target the server is told as one that cannot be taken over. */
const withoutForeignTypes = (_: JsonObject, { entry, notes }: Foreign.Draft): void => {
  if (notes.some((note) => note.startsWith("servers of type"))) {
    delete entry.command
    delete entry.url
  }
}

const claudeFormat: Foreign.Format = {
  dialect: Dialects.same,
  complete: withoutForeignTypes,
  rules: {
    ...common,
    type,
    timeout: Foreign.time("timeout", 1),
    headersHelper,
    oauth: Foreign.login({ clientId: "clientId", callbackPort: "callbackPort", scopes: "scopes" }),
    alwaysLoad: Foreign.ignored
  }
}

/**
 * `~/.claude.json`: servers of all projects, and of each; and `.mcp.json`. What stands for one project wins, then `.mcp.json`.
 *
 * @since 0.1.0
 * @category formats
 */
export const claudeCode = (document: JsonObject, cwd: string): Foreign.ForeignFile => {
  const { mcpServers, projects } = document
  if (!isObject(projects)) return { servers: Foreign.all(mcpServers, claudeFormat, 1), notes: [] }
  const withServers = Object.entries(projects).flatMap(([folder, project]) =>
    isObject(project) && isObject(project.mcpServers) && Object.keys(project.mcpServers).length > 0
      ? [{ folder, mcpServers: project.mcpServers, off: project.disabledMcpServers }]
      : []
  )
  const [own] = withServers
    .filter(({ folder }) => `${cwd}/`.replaceAll("\\", "/").startsWith(`${folder.replaceAll("\\", "/")}/`))
    .sort((a, b) => b.folder.length - a.folder.length)
  const others = withServers.filter((project) => project !== own)
  const off = own !== undefined && Array.isArray(own.off) ? own.off : []
  const servers = own === undefined ? [] : Foreign.all(own.mcpServers, claudeFormat, 0)
  return {
    servers: [
      ...servers.map((server) =>
        server.entry !== undefined && off.includes(server.name)
          ? { ...server, entry: { ...server.entry, disabled: true } }
          : server
      ),
      ...Foreign.all(mcpServers, claudeFormat, 2)
    ],
    notes: others.map(
      ({ folder, mcpServers }) => `the servers of ${folder} were left there: ${Object.keys(mcpServers).join(", ")}`
    )
  }
}

/**
 * `claude_desktop_config.json`.
 *
 * @since 0.1.0
 * @category formats
 */
export const claudeDesktop = ({ mcpServers }: JsonObject): Foreign.ForeignFile => ({
  servers: Foreign.all(
    mcpServers,
    { dialect: Dialects.literal, rules: { ...common, type }, complete: withoutForeignTypes },
    0
  ),
  notes: []
})

/**
 * `.cursor/mcp.json`, of the project and of the user.
 *
 * @since 0.1.0
 * @category formats
 */
export const cursor = ({ mcpServers }: JsonObject): Foreign.ForeignFile => ({
  servers: Foreign.all(
    mcpServers,
    {
      dialect: Dialects.editor((id) => `\${${Dialects.variableName(id)}}`),
      rules: {
        ...common,
        type,
        envFile: noEnvFile,
        auth: Foreign.login({ CLIENT_ID: "clientId", CLIENT_SECRET: "clientSecret", scopes: "scopes" })
      },
      complete: withoutForeignTypes
    },
    0
  ),
  notes: []
})

/**
 * `.gemini/settings.json`, of the project and of the user. Which servers are left out stands beside them.
 *
 * @since 0.1.0
 * @category formats
 */
export const gemini = ({ mcp, mcpServers }: JsonObject): Foreign.ForeignFile => {
  const { allowed, excluded } = isObject(mcp) ? mcp : {}
  const isOff = (name: string) =>
    (Array.isArray(excluded) && excluded.includes(name)) || (Array.isArray(allowed) && !allowed.includes(name))
  return {
    servers: Foreign.all(mcpServers, geminiFormat, 0).map((server) =>
      server.entry !== undefined && isOff(server.name)
        ? { ...server, entry: { ...server.entry, disabled: true } }
        : server
    ),
    notes: []
  }
}

const geminiFormat: Foreign.Format = {
  dialect: Dialects.shell,
  rules: {
    ...common,
    type,
    // Older versions speak the HTTP+SSE of 2024 to `url`, newer ones try both: `http` does that here.
    url: (value, { entry }) => {
      entry.url ??= value
    },
    httpUrl: Foreign.as("url"),
    timeout: Foreign.time("timeout", 1),
    includeTools: Foreign.as("includeTools"),
    excludeTools: Foreign.as("excludeTools"),
    trust: (value, { notes }) => {
      if (value === true) notes.push(`"trust" was not taken over: allow its tools with --allow or in the dialog`)
    },
    oauth: (value, draft, field) => {
      if (!isObject(value)) return
      const { enabled: _, ...parts } = value
      Foreign.login({ clientId: "clientId", clientSecret: "clientSecret", scopes: "scopes" })(parts, draft, field)
    },
    authProviderType: noLogin,
    targetAudience: noLogin,
    targetServiceAccount: noLogin
  },
  complete: (raw, draft) => {
    withoutForeignTypes(raw, draft)
    if (draft.entry.url !== undefined) draft.entry.type ??= "http"
  }
}
