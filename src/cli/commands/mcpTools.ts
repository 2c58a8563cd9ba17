/**
 * `harness9 mcp tools`: the tools of the servers as the model is offered them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { ExitCode } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as OfferedTools from "../OfferedTools.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import * as ServerView from "../output/servers.ts"
import * as ToolView from "../output/tools.ts"
import * as Servers from "../Servers.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp tools",
  summary: "Shows the tools as the model sees them, and those that cannot be offered with the reason",
  flags: { ...options.connecting, json: options.json },
  args: { server: Flag.optional("SERVER", "Only this server, which is then the only one connected") },
  examples: [
    ["harness9 mcp tools", "the tools of every server"],
    ["harness9 mcp tools everything", "those of one"],
    ["harness9 mcp tools --json | jq -r '.tools[].name'", "their names"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const config = yield* Servers.load(input)
      const wanted = input.server === undefined ? config.servers : [yield* Servers.find(config, input.server)]
      const { servers, tools } = yield* OfferedTools.list(wanted, input)
      if (input.json) {
        yield* output.line(json({ servers: servers.map(ServerView.toJson), problems: config.problems, tools }))
        return ExitCode.Done
      }
      if (tools.length > 0) yield* output.line(ToolView.rows(tools, output.style, output.columns))
      const others = servers.filter(({ status }) => status._tag !== "Connected")
      if (others.length > 0) yield* output.note(ServerView.rows(others, output.noteStyle))
      if (servers.length === 0) yield* output.note("No server is configured.")
      return ExitCode.Done
    })
})
