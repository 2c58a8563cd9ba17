/**
 * `harness9 mcp verify`: whether the servers' tools are what they were when they were locked, for CI.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as ShellWord from "../../mcp/internal/ShellWord.ts"
import { word } from "../../mcp/ServerStatus.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import * as ToolLock from "../../tool/ToolLock.ts"
import { ExitCode, usage } from "../CliError.ts"
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
  name: "mcp verify",
  summary: "Compares the servers' tools with .mcp.lock.json",
  details:
    "Ends with 0 when every tool is as it was locked, 1 when one is not or a server is not in the file, 2 when there is no file, 3 when a\n" +
    "server could not be asked.",
  flags: { ...options.connecting, json: options.json },
  args: { server: Flag.optional("SERVER", "Only this server") },
  examples: [
    ["harness9 mcp verify --trust", "in CI, in the folder of .mcp.json"],
    ["harness9 mcp verify --json | jq '.servers[].differences'", "what differs, field by field"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const config = yield* Servers.load(input)
      const named = input.server === undefined ? config.servers : [yield* Servers.find(config, input.server)]
      const pinned = yield* Effect.filter(named, (server) => {
        const path = ToolLock.pathOf(server)
        return path === undefined
          ? Effect.succeed(false)
          : Effect.match(ToolLock.read(path), { onFailure: () => true, onSuccess: (found) => found !== undefined })
      })
      if (pinned.length === 0) return yield* usage("there is no .mcp.lock.json", "harness9 mcp lock makes it")
      const compared = yield* LockedTools.compare(pinned, input)
      if (input.json) yield* output.line(json({ servers: compared.map(LockedTools.toJson), problems: config.problems }))
      else for (const line of compared.flatMap((server) => lines(server, output.style))) yield* output.line(line)
      return exitCodeOf(compared)
    })
})

const exitCodeOf = (compared: ReadonlyArray<LockedTools.Compared>): ExitCode => {
  if (compared.some(({ state }) => state === "drift" || state === "unlocked")) return ExitCode.Failed
  return compared.some(({ state }) => state === "unreachable") ? ExitCode.NoConnection : ExitCode.Done
}

const lines = (server: LockedTools.Compared, style: Style): ReadonlyArray<string> => {
  const name = oneLine(server.name)
  switch (server.state) {
    case "same":
      return [`${style.green("✓")} ${name}  as locked`]
    case "drift":
      return [
        `${style.red("✗")} ${name}  differs from ${server.path}`,
        ...LockedTools.driftLines(server.drifts, style),
        `    Accept it with: harness9 mcp lock --accept ${oneLine(ShellWord.quote(server.name))} (or one tool of it: SERVER/TOOL)`
      ]
    case "unlocked":
      return [`${style.red("✗")} ${name}  is not in ${server.path}`]
    case "unreachable":
      return [`${style.yellow("?")} ${name}  ${word(server.status)}`, ...ServerView.troubles(server.status, style)]
  }
}
