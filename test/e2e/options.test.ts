import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, fixture, folder, packaged, run, runJson } from "./cli.ts"

/** Each command that connects, with the words that it needs about a server. */
const connecting = [
  ["list"],
  ["tools"],
  ["search", "echo"],
  ["get", "it"],
  ["call", "it", "echo"],
  ["resources", "it"],
  ["templates", "it"],
  ["read", "it", "demo://resource/static/document/features.md"],
  ["prompts", "it"],
  ["prompt", "it", "simple-prompt"],
  ["complete", "it", "completable-prompt", "department"],
  ["doctor", "it"],
  ["lock", "it"]
] as const

describe("options that many commands have", () => {
  it.live(
    "--connect-timeout ends the wait for a server that never answers",
    () =>
      Effect.gen(function* () {
        const config = yield* configured({ it: fixture("cli/silent.mjs") })
        for (const words of connecting) {
          const { code, stderr, stdout } = yield* run([
            "mcp",
            ...words,
            "--config",
            config,
            "--connect-timeout",
            "300ms"
          ])
          expect({ words, code }).toEqual({ words, code: ["list", "tools", "search"].includes(words[0]) ? 0 : 5 })
          if (words[0] !== "tools") expect(`${stdout}${stderr}`).toMatch(/300 ?ms|0\.3 ?s|timed out/)
        }
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "--trust starts what a project lists for one command, and nothing without it",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder
        writeFileSync(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers: { it: packaged("everything", "stdio") } }))
        for (const words of connecting) {
          const said = Effect.map(run(["mcp", ...words], { cwd }), ({ stderr, stdout }) => stdout + stderr)
          expect(yield* said).toMatch(/approv/)
          const trusted = yield* run(["mcp", ...words, "--trust"], { cwd })
          expect({ words, code: trusted.code }).toEqual({ words, code: words[0] === "call" ? 1 : 0 })
          expect(trusted.stdout + trusted.stderr).not.toMatch(/approv/)
        }
        expect(existsSync(join(cwd, ".mcp.lock.json"))).toBe(true)
        expect(yield* run(["mcp", "verify", "--trust"], { cwd })).toMatchObject({ code: 0 })
      }).pipe(Effect.scoped),
    180_000
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
