/**
 * The client under test of the `auth/` scenarios: `<command> <serverUrl>`, the scenario in the environment.
 */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as AuthScenarios from "./authScenarios.ts"

const scenario: AuthScenarios.Scenario = {
  name: process.env.MCP_CONFORMANCE_SCENARIO ?? "",
  url: process.argv[2] ?? "",
  context: JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}")
}

const outcome = await Effect.runPromise(
  Effect.either(AuthScenarios.run(scenario)).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, Logger.none)))
)
if (outcome._tag === "Left") {
  process.stderr.write(`${outcome.left.phase} ${outcome.left.kind}: ${outcome.left.message}\n`)
  process.exitCode = 1
}
