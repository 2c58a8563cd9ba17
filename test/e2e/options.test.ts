import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, fixture, folder, packaged, run, runJson } from "./cli.ts"

/** Each command that connects, with the words that it needs about a server, and how it ends where that server never answers. */
const connecting = [
  [["list"], 0],
  [["tools"], 0],
  [["search", "echo"], 0],
  [["get", "it"], 0],
  [["call", "it", "echo"], 5],
  [["resources", "it"], 5],
  [["templates", "it"], 5],
  [["read", "it", "demo://resource/static/document/features.md"], 5],
  [["prompts", "it"], 5],
  [["prompt", "it", "simple-prompt"], 5],
  [["complete", "it", "completable-prompt", "department"], 5],
  [["doctor", "it"], 5],
  [["lock", "it"], 3]
] as const

describe("options that many commands have", () => {
  it.live(
    "--connect-timeout ends the wait for a server that never answers",
    () =>
      Effect.gen(function* () {
        const config = yield* configured({ it: fixture("cli/silent.mjs") })
        for (const [words, expected] of connecting) {
          const { code, stderr } = yield* run(["mcp", ...words, "--config", config, "--connect-timeout", "300ms"])
          expect({ words, code }).toEqual({ words, code: expected })
          if (words[0] !== "doctor") expect(stderr).toContain("300ms")
        }
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "--trust starts what a project lists for one command",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder
        writeFileSync(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers: { it: packaged("everything", "stdio") } }))
        for (const [words] of connecting) {
          const { code, stderr, stdout } = yield* run(["mcp", ...words, "--trust"], { cwd })
          // The tool is called without what it needs.
          expect({ words, code }).toEqual({ words, code: words[0] === "call" ? 1 : 0 })
          expect(stdout + stderr).not.toMatch(/approv/)
        }
        expect(yield* run(["mcp", "verify", "--trust"], { cwd })).toMatchObject({ code: 0 })
        expect((yield* run(["mcp", "verify"], { cwd })).code).not.toBe(0)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live("--tool-timeout ends a call of a run, and the model is told", () =>
    Effect.gen(function* () {
      const config = yield* configured({ it: fixture("cli/server.mjs") })
      const words = ["run", "call the tool wait of it", "--model", "offline", "--yes", "--output", "json"]
      const { json } = yield* runJson([...words, "--tool-timeout", "300ms", "--config", config])
      expect(json.toolCalls[0].result).toMatchObject({
        isError: true,
        text: expect.stringMatching(/300 ?ms|timed out/)
      })
    }).pipe(Effect.scoped)
  )
})
