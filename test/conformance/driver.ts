/**
 * The client under test of the official conformance suites: `<command> <serverUrl>`, the scenario in the environment.
 */
import * as Effect from "effect/Effect"

const name = process.env.MCP_CONFORMANCE_SCENARIO ?? ""
const url = process.argv[2] ?? ""
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}")

const { run } = await (name.startsWith("auth/") ? import("./authScenarios.ts") : import("./scenarios.ts"))

const outcome = await Effect.runPromise(Effect.either(run({ name, url, context })))
if (outcome._tag === "Left") {
  process.stderr.write(
    `${outcome.left.phase} ${outcome.left.kind}: ${outcome.left.message}\n${JSON.stringify(outcome.left)}\n`
  )
  process.exitCode = 1
}
