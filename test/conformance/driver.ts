/**
 * The client under test of the official conformance suites: `<command> <serverUrl>`, the scenario in the environment.
 */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as AuthScenarios from "./authScenarios.ts"
import * as Scenarios from "./scenarios.ts"

const name = process.env.MCP_CONFORMANCE_SCENARIO ?? ""
const url = process.argv[2] ?? ""
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}")

const scenario = AuthScenarios.isOne(name)
  ? AuthScenarios.run({ name, url, context })
  : Scenarios.run({ name, url, context })

const outcome = await Effect.runPromise(
  Effect.either(scenario).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, Logger.none)))
)
if (outcome._tag === "Left") {
  process.stderr.write(`${outcome.left.phase} ${outcome.left.kind}: ${outcome.left.message}\n`)
  process.exitCode = 1
}
