/**
 * `harness9 mcp list`: every server of the configuration, connected once, and how that went.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { McpManager } from "../../mcp/McpManager.ts"
import { ExitCode } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import * as ServerView from "../output/servers.ts"
import * as Servers from "../Servers.ts"
import * as ToolCache from "../ToolCache.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp list",
  summary: "Connects to every configured server at once and shows the state of each",
  flags: { ...options.connecting, json: options.json },
  args: {},
  examples: [
    ["harness9 mcp list", "the servers of .mcp.json and of the user's own file"],
    ["harness9 mcp list --config other.json --connect-timeout 5s", "those of another file"],
    ["harness9 mcp list --json | jq '.servers[] | select(.status != \"connected\")'", "those that failed"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const config = yield* Servers.load(input)
      const servers = yield* connected.pipe(Effect.provide(Servers.layer(config.servers, input)))
      if (input.json) yield* output.line(json({ servers: servers.map(ServerView.toJson), problems: config.problems }))
      else if (servers.length > 0) yield* output.line(ServerView.rows(servers, output.style))
      else yield* output.line(noServers(config.files))
      return ExitCode.Done
    })
})

const connected = Effect.gen(function* () {
  const manager = yield* McpManager
  yield* manager.start
  const servers = yield* manager.servers
  const statuses = yield* manager.statuses
  yield* ToolCache.remember(servers, statuses)
  return ServerView.pair(servers, statuses)
})

const noServers = (files: ReadonlyArray<string>): string =>
  files.length === 0
    ? "No server is configured: there is no .mcp.json here, and no file of the user's own."
    : `No server is configured in ${files.join(", ")}.`
