/**
 * `harness9 mcp doctor`: what is the matter with each server, and what to do.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { oneLine } from "../../mcp/VisibleText.ts"
import { ExitCode } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Doctor from "../Doctor.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import * as DiagnosisView from "../output/diagnosis.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import * as Servers from "../Servers.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp doctor",
  summary: "Walks each server from its entry to its tools, and says which step fails, why, and what to do",
  details:
    "The steps: config, expansion of variables, spawn or connect, handshake, auth, list. Ends with 0 when all is well, else with\n" +
    "the code of the first server that is not.",
  flags: { ...options.connecting, json: options.json },
  args: { server: Flag.optional("SERVER", "Only this server") },
  examples: [
    ["harness9 mcp doctor", "every server"],
    ["harness9 mcp doctor github", "one"],
    ["harness9 mcp doctor --json | jq '.servers[] | select(.ok | not)'", "those that fail, for a script"]
  ],
  // What fails is told below, and need not be logged beside it.
  logs: "error",
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const { config, isBroken } = yield* Doctor.load(input.config)
      if (input.server !== undefined && !isBroken && !config.problems.some(({ server }) => server === input.server)) {
        yield* Servers.find(config, input.server)
      }
      const examined = yield* Doctor.examine(config, input.server, input)
      const servers = examined.map(({ report }) => report)
      const problems = config.problems.filter(({ server }) => server === undefined)
      if (input.json) {
        yield* output.line(json({ servers, problems: config.problems }))
      } else {
        for (const { message } of problems) yield* output.line(`${output.style.yellow("!")} ${oneLine(message)}`)
        for (const report of servers) yield* output.line(DiagnosisView.lines(report, output.style))
        if (servers.length === 0 && problems.length === 0) yield* output.line("No server is configured.")
      }
      if (isBroken) return ExitCode.Usage
      const isOff = input.server !== undefined && servers[0]?.status === "disabled"
      return isOff ? ExitCode.Usage : (examined.find(({ exitCode }) => exitCode !== ExitCode.Done)?.exitCode ?? 0)
    })
})
