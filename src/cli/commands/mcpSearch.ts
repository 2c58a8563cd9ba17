/**
 * `harness9 mcp search`: the tools that a model's search would find.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as ToolSearch from "../../tool/ToolSearch.ts"
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
  name: "mcp search",
  summary: "Shows the tools that a model's search would find, best first",
  flags: { ...options.connecting, limit: Flag.count("limit", "How many tools at most; default 5"), json: options.json },
  args: { query: Flag.required("QUERY", "What the tool should do, in any words") },
  examples: [
    ['harness9 mcp search "what changed in the repository"', "in other words than the tool's own"],
    ["harness9 mcp search Bildschirmfoto --limit 1", "the best one, in another language"]
  ],
  handler: ({ query, ...input }) =>
    Effect.gen(function* () {
      const output = yield* Output
      const config = yield* Servers.load(input)
      const { servers, set, tools: all } = yield* OfferedTools.list(config.servers, input)
      const { search } = yield* ToolSearch.make(set.tools)
      const names = search(query, { limit: input.limit }).map(({ tool }) => tool.name)
      const tools = names.flatMap((name) => all.find((row) => row.name === name && row.skipped === undefined) ?? [])
      if (input.json) {
        yield* output.line(json({ servers: servers.map(ServerView.toJson), problems: config.problems, query, tools }))
        return ExitCode.Done
      }
      if (tools.length > 0) yield* output.line(ToolView.rows(tools, output.style, output.columns))
      else yield* output.note("No tool fits.")
      const others = servers.filter(({ status }) => status._tag !== "Connected")
      if (others.length > 0) yield* output.note(ServerView.rows(others, output.noteStyle))
      return ExitCode.Done
    })
})
