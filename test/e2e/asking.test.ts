import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, root, start } from "./cli.ts"

const modules = join(root, "node_modules/@modelcontextprotocol")
const everything = { command: process.execPath, args: [join(modules, "server-everything/dist/index.js")] }

describe("harness9 run", () => {
  const run = Effect.fnUntraced(function* (prompt: string, ...args: ReadonlyArray<string>) {
    const config = yield* configured({ everything })
    const running = yield* start(["run", prompt, "--config", config, "--output", "json", ...args])
    const { stderr, stdout } = yield* running.exit
    return { report: stdout === "" ? undefined : JSON.parse(stdout), stderr }
  })

  it.scopedLive(
    "lets a server ask the model when a rule says so, and not otherwise; a form is declined",
    () =>
      Effect.gen(function* () {
        const ask = "trigger sampling request with prompt 'What time is it?'"
        const tool = ["--allow", "mcp__everything__*"]
        const denied = yield* run(ask, ...tool)
        expect(JSON.stringify(denied.report)).toContain("sampling(everything)")
        const allowed = yield* run(ask, ...tool, "--allow", "sampling(everything)")
        expect(JSON.stringify(allowed.report)).toContain("LLM sampling result")
        const declined = yield* run("trigger elicitation request", ...tool)
        expect(JSON.stringify(declined.report)).toMatch(/declined/)
      }),
    120_000
  )

  it.scopedLive(
    "fills in a server's prompt",
    () =>
      Effect.gen(function* () {
        const { report } = yield* run("/mcp__everything__args_prompt city=Oslo")
        expect(report.text).toContain("What's weather in Oslo?")
        const { report: none, stderr } = yield* run("/mcp__everything__args_prompt")
        expect(none).toBeUndefined()
        expect(stderr).toContain("city must be given")
      }),
    60_000
  )
})
