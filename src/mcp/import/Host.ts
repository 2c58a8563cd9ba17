/**
 * The hosts that servers can be taken over from: where each keeps its configuration, and how it is read.
 *
 * @since 0.1.0
 */
import { posix, win32 } from "node:path"
import * as Either from "effect/Either"
import * as Toml from "smol-toml"
import * as ConfigText from "../internal/config/ConfigText.ts"
import { isObject, type JsonObject } from "../JsonRpc.ts"
import { McpError } from "../McpError.ts"
import * as Codex from "./Codex.ts"
import type { ForeignFile } from "./ForeignServer.ts"
import * as McpServers from "./McpServers.ts"
import * as OpenCode from "./OpenCode.ts"
import * as VsCode from "./VsCode.ts"

/**
 * The machine that a configuration is looked for on.
 *
 * @since 0.1.0
 * @category models
 */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The project's folder. */
  readonly cwd: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Host {
  readonly id: string
  readonly title: string
  /** The files that it reads, the nearest to the project first. */
  readonly files: (machine: Machine) => ReadonlyArray<string>
  readonly read: (document: JsonObject, cwd: string) => ForeignFile
}

const pathsOf = ({ platform }: Machine) => (platform === "win32" ? win32 : posix)

/** Where programs with windows keep what is the user's. */
const applicationData = (machine: Machine): string => {
  const { env, home, platform } = machine
  const { join } = pathsOf(machine)
  if (platform === "darwin") return join(home, "Library", "Application Support")
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming")
  return env.XDG_CONFIG_HOME || join(home, ".config")
}

const claudeCode: Host = {
  id: "claude-code",
  title: "Claude Code",
  files: (machine) => {
    const { join } = pathsOf(machine)
    return [join(machine.env.CLAUDE_CONFIG_DIR || machine.home, ".claude.json"), join(machine.cwd, ".mcp.json")]
  },
  read: McpServers.claudeCode
}

const claudeDesktop: Host = {
  id: "claude-desktop",
  title: "Claude Desktop",
  files: (machine) => [pathsOf(machine).join(applicationData(machine), "Claude", "claude_desktop_config.json")],
  read: McpServers.claudeDesktop
}

const cursor: Host = {
  id: "cursor",
  title: "Cursor",
  files: (machine) => [machine.cwd, machine.home].map((folder) => pathsOf(machine).join(folder, ".cursor", "mcp.json")),
  read: McpServers.cursor
}

const vscode: Host = {
  id: "vscode",
  title: "VS Code",
  files: (machine) => {
    const { join } = pathsOf(machine)
    const user = join(applicationData(machine), "Code", "User")
    return [join(machine.cwd, ".vscode", "mcp.json"), join(user, "mcp.json"), join(user, "settings.json")]
  },
  read: VsCode.read
}

const gemini: Host = {
  id: "gemini",
  title: "Gemini CLI",
  files: (machine) =>
    [machine.cwd, machine.home].map((folder) => pathsOf(machine).join(folder, ".gemini", "settings.json")),
  read: McpServers.gemini
}

const codex: Host = {
  id: "codex",
  title: "Codex",
  files: (machine) => {
    const { join } = pathsOf(machine)
    const home = machine.env.CODEX_HOME || join(machine.home, ".codex")
    return [join(machine.cwd, ".codex", "config.toml"), join(home, "config.toml")]
  },
  read: Codex.read
}

const opencode: Host = {
  id: "opencode",
  title: "OpenCode",
  files: (machine) => {
    const { env, home } = machine
    const { join } = pathsOf(machine)
    const user = join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode")
    const folders = [join(machine.cwd, ".opencode"), machine.cwd, user]
    const files = folders.flatMap((folder) => [join(folder, "opencode.jsonc"), join(folder, "opencode.json")])
    return env.OPENCODE_CONFIG ? [...files.slice(0, 4), env.OPENCODE_CONFIG, ...files.slice(4)] : files
  },
  read: OpenCode.read
}

/**
 * @since 0.1.0
 * @category constants
 */
export const hosts: ReadonlyArray<Host> = [claudeCode, claudeDesktop, cursor, vscode, gemini, codex, opencode]

/**
 * The text of a host's file as a value. What is wrong with it is told by its place: the text may hold secrets.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (text: string, path: string): Either.Either<JsonObject, McpError> =>
  (path.endsWith(".toml") ? parseToml(text, path) : parseJson(text, path)).pipe(
    Either.filterOrLeft(isObject, () => failure(`${path} is no configuration: it holds no object`))
  )

const parseJson = (text: string, path: string): Either.Either<unknown, McpError> =>
  Either.map(ConfigText.parse(text, path), ({ root }) => (root === undefined ? {} : ConfigText.toValue(root)))

const parseToml = (text: string, path: string): Either.Either<unknown, McpError> =>
  Either.try({
    try: () => Toml.parse(text),
    catch: (error) => {
      const place = error instanceof Toml.TomlError ? ` (line ${error.line}, column ${error.column})` : ""
      return failure(`${path} is no TOML${place}`)
    }
  })

/**
 * The host that writes such a file, by what is in it.
 *
 * @since 0.1.0
 * @category guards
 */
export const detect = (document: JsonObject, path: string): Either.Either<Host, McpError> => {
  const { mcp, mcp_servers, mcpServers, projects, servers } = document
  if (isObject(mcp_servers)) return Either.right(codex)
  if (isObject(mcpServers)) {
    if (isObject(projects)) return Either.right(claudeCode)
    if (/[\\/]\.cursor[\\/]/.test(path)) return Either.right(cursor)
    if (/[\\/]\.gemini[\\/]/.test(path)) return Either.right(gemini)
    return Either.right(/claude_desktop_config\.json$/.test(path) ? claudeDesktop : byVariables(mcpServers))
  }
  if (isObject(servers)) return Either.right(vscode)
  if (isObject(mcp)) return Either.right(isOpenCode(mcp) ? opencode : vscode)
  return Either.left(
    failure(`${path} has no servers in a form that is known`, "mcpServers, servers, mcp or [mcp_servers.…] hold them")
  )
}

/** The hosts that write `mcpServers` differ in how variables are written. */
const byVariables = (mcpServers: JsonObject): Host => {
  const text = JSON.stringify(mcpServers)
  if (/"httpUrl"|"trust"|"\$[A-Za-z_]\w*"/.test(text)) return gemini
  return /\$\{(env:|workspaceFolder|userHome)/.test(text) ? cursor : claudeCode
}

const isOpenCode = (mcp: JsonObject): boolean =>
  Object.values(isObject(mcp.servers) ? mcp.servers : mcp).some(
    (entry) => isObject(entry) && (entry.type === "local" || entry.type === "remote")
  )

const failure = (message: string, hint?: string): McpError =>
  new McpError({ server: "", phase: "config", kind: "config", message, hint })
