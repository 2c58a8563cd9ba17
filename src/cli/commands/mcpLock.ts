/**
 * `harness9 mcp lock`: the servers' tools pinned to what they are now.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { McpConfig } from "../../mcp/McpConfig.ts"
import type { ServerConfig } from "../../mcp/ServerConfig.ts"
import { word } from "../../mcp/ServerStatus.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import * as ToolLock from "../../tool/ToolLock.ts"
import { type CliError, ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as LockedTools from "../lockedTools.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"
import * as ServerView from "../output/servers.ts"
import * as Servers from "../Servers.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp lock",
  summary: "Pins the servers' tools to what they are now, in .mcp.lock.json beside the configuration",
  details:
    "With that file, a tool whose name, description, schemas or annotations change is withheld from the model until somebody accepts\n" +
    "it; its neighbours work. Commit the file, and run harness9 mcp verify in CI.",
  flags: {
    ...options.connecting,
    accept: Flag.texts("accept", "SERVER[/TOOL]", "Change nothing else in the file; repeatable"),
    json: options.json
  },
  args: { server: Flag.optional("SERVER", "Only this server") },
  examples: [
    ["harness9 mcp lock", "all servers of .mcp.json"],
    ["harness9 mcp lock --accept github/create_issue", "one tool that has changed"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const config = yield* Servers.load(input)
      const goals = yield* goalsOf(config, input)
      const named = new Set(goals.map(({ server }) => server.name))
      const compared = yield* LockedTools.compare(
        config.servers.filter(({ name }) => named.has(name)),
        input
      )
      const among = input.server === undefined && input.accept.length === 0 ? namesOf(config) : undefined
      if (compared.length === 0) return yield* usage("every server that is to be locked is disabled")
      const reached = compared.filter(({ state }) => state !== "unreachable")
      for (const server of reached) {
        for (const { tool } of goals.filter((goal) => goal.server.name === server.name)) {
          if (tool !== undefined) yield* checkTool(server, tool)
          yield* Effect.mapError(ToolLock.write(server.path, [server], { tool, among }), ({ hint, message }) =>
            usage(message, hint)
          )
        }
      }
      if (input.json) {
        yield* output.line(json({ servers: compared.map(LockedTools.toJson), problems: config.problems }))
      } else
        for (const line of compared.flatMap((server) => lines(server, goals, output.style))) yield* output.line(line)
      return reached.length < compared.length ? ExitCode.NoConnection : ExitCode.Done
    })
})

/** What is to be locked: a server, or one tool of it. */
interface Goal {
  readonly server: ServerConfig
  readonly tool: string | undefined
}

interface Input {
  readonly server: string | undefined
  readonly accept: ReadonlyArray<string>
}

const goalsOf = (config: McpConfig, { accept, server }: Input): Effect.Effect<ReadonlyArray<Goal>, CliError> =>
  Effect.gen(function* () {
    if (server !== undefined && accept.length > 0) return yield* usage("name a server or say --accept, not both")
    const goals = yield* Effect.forEach(accept, (text) => accepted(config, text))
    if (goals.length > 0) return goals
    const servers = server === undefined ? ofFirstFile(config) : [yield* Servers.find(config, server)]
    if (servers.length === 0) return yield* usage("no server is configured")
    return servers.map((server): Goal => ({ server, tool: undefined }))
  })

/** Names of servers may have a slash in them. */
const accepted = (config: McpConfig, text: string): Effect.Effect<Goal, CliError> => {
  const [server] = config.servers
    .filter(({ name }) => text === name || text.startsWith(`${name}/`))
    .sort((a, b) => b.name.length - a.name.length)
  if (server === undefined)
    return Effect.map(Servers.find(config, text.split("/")[0] ?? text), (server) => ({ server, tool: undefined }))
  return Effect.succeed({ server, tool: text === server.name ? undefined : text.slice(server.name.length + 1) })
}

/** A lock beside the user's own file, made while a project is locked, would be a surprise. */
const ofFirstFile = ({ files, servers }: McpConfig): ReadonlyArray<ServerConfig> =>
  servers.filter(({ disabled, source }) => !disabled && source === files[0])

const namesOf = ({ servers }: McpConfig): ReadonlySet<string> => new Set(servers.map(({ name }) => name))

const checkTool = ({ drifts, name, tools }: LockedTools.Compared, tool: string): Effect.Effect<void, CliError> =>
  tools.some((known) => known.name === tool) || drifts.some((drift) => drift.tool === tool)
    ? Effect.void
    : usage(`server "${name}" has no tool "${tool}"`, `see harness9 mcp tools ${name}`)

const lines = (server: LockedTools.Compared, goals: ReadonlyArray<Goal>, style: Style): ReadonlyArray<string> => {
  const { name, path, state, status, tools } = server
  const isGoal = (tool: string) =>
    goals.some((goal) => goal.server.name === name && (goal.tool === undefined || goal.tool === tool))
  const drifts = server.drifts.filter(({ tool }) => isGoal(tool))
  if (state === "unreachable") {
    return [
      `${style.yellow("?")} ${oneLine(name)}  ${word(status)}: nothing of it was locked`,
      ...ServerView.troubles(status, style)
    ]
  }
  const count = tools.length === 1 ? "1 tool" : `${tools.length} tools`
  return [`${style.green("✓")} ${oneLine(name)}  ${count} in ${path}`, ...LockedTools.driftLines(drifts, style)]
}
