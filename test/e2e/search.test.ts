import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, packaged, run, runJson } from "./cli.ts"

const config = configured({
  everything: packaged("everything", "stdio"),
  missing: { command: "no-such-program-anywhere" }
})

const search = (...words: ReadonlyArray<string>) =>
  Effect.flatMap(config, (file) => run(["mcp", "search", ...words, "--config", file]))

describe("mcp search", () => {
  it.scopedLive("shows the tools that fit, best first, and the servers that could not be asked", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* search("add two numbers", "--limit", "1")
      expect(code).toBe(0)
      expect(stdout).toMatch(/^mcp__everything__get_sum +\S.*\n$/)
      expect(stderr).toContain("missing")
    })
  )

  it.scopedLive("finds nothing where nothing fits", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* search("mow the lawn")
      expect([code, stdout]).toEqual([0, ""])
      expect(stderr).toContain("No tool fits.")
    })
  )

  it.scopedLive("gives the tools with their schemas as JSON", () =>
    Effect.gen(function* () {
      const file = yield* config
      const { code, json } = yield* runJson([
        "mcp",
        "search",
        "variables of the environment",
        "--json",
        "--config",
        file
      ])
      expect(code).toBe(0)
      expect(json).toMatchObject({
        query: "variables of the environment",
        tools: [
          { name: "mcp__everything__get_env", server: "everything", tool: "get-env", inputSchema: { type: "object" } }
        ]
      })
    })
  )

  it.scopedLive("needs words to look for", () =>
    Effect.gen(function* () {
      expect((yield* search()).code).toBe(2)
      expect((yield* search("x", "--limit", "0")).code).toBe(2)
    })
  )
})
