import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, root, run, runJson } from "./cli.ts"

const fixtures = join(root, "test/fixtures/import")

const formats = [
  ["claude-code", "claude.json"],
  ["claude-desktop", "claude_desktop_config.json"],
  ["cursor", "cursor.json"],
  ["vscode", "vscode.jsonc"],
  ["gemini", "gemini.json"],
  ["codex", "codex.toml"],
  ["opencode", "opencode.jsonc"]
] as const

describe("mcp import", () => {
  it.live.each(formats)("takes the servers of %s over from a file, as entries that load", ([id, file]) =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const { code, json } = yield* runJson(["mcp", "import", join(fixtures, file), "--json"], { cwd })
      expect(code).toBe(0)
      expect(json).toMatchObject({ from: id, file: join(cwd, ".mcp.json"), dryRun: false })
      const written = Object.keys(JSON.parse(readFileSync(join(cwd, ".mcp.json"), "utf8")).mcpServers)
      const taken = json.servers.filter(({ state }: { state: string }) => state === "new")
      expect(written).toEqual(taken.map(({ name }: { name: string }) => name))
      expect(written.length).toBeGreaterThan(1)
      expect(JSON.stringify(json)).not.toContain("BSA-secret-value")
    }).pipe(Effect.scoped)
  )

  it.live("finds a host's files by its name, the project's before the user's", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const home = join(cwd, "home")
      for (const place of [cwd, home]) mkdirSync(join(place, ".cursor"), { recursive: true })
      writeFileSync(join(cwd, ".cursor/mcp.json"), '{"mcpServers": {"local": {"command": "of-the-project"}}}')
      copyFileSync(join(fixtures, "cursor.json"), join(home, ".cursor/mcp.json"))
      const { code, stdout } = yield* run(["mcp", "import", "cursor", "--dry-run"], { cwd, env: { HOME: home } })
      expect(code).toBe(0)
      expect(stdout).toMatch(/^\+ local +stdio +new +of-the-project$/m)
      expect(stdout).toMatch(/^\+ remote +http +new +https:/m)
      expect(stdout).toContain("would be written")
    }).pipe(Effect.scoped)
  )

  it.live("shows what each server becomes before anything is written", () =>
    Effect.gen(function* () {
      // The draft beside it would have too long a name.
      const unwritable = `${"n".repeat(247)}.json`
      const { code, stderr, stdout } = yield* run([
        "mcp",
        "import",
        join(fixtures, "cursor.json"),
        "--config",
        unwritable
      ])
      expect(code).toBe(2)
      expect(stdout).toMatch(/^\+ remote +http +new +https:/m)
      expect(stdout).not.toContain("written")
      expect(stderr).toContain(unwritable)
    }).pipe(Effect.scoped)
  )

  it.live("keeps what is there, and replaces it only when forced; the rest of the file stays", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const file = join(cwd, ".mcp.json")
      const before = `{
  "mcpServers": {
    "github": { "command": "mine" }, // mine
    "old": { "headers": { "X-Who": "\${WHO}" }, "type": "sse", "url": "https://old.example.com/sse" }
  }
}
`
      writeFileSync(file, before)
      const from = join(fixtures, "vscode.jsonc")
      const states = (json: { servers: ReadonlyArray<Record<string, string>> }) =>
        json.servers.map(({ name, state }) => [name, state])
      const dry = yield* runJson(["mcp", "import", from, "--dry-run", "--json"], { cwd })
      expect(states(dry.json)).toEqual([
        ["perplexity", "new"],
        ["github", "exists"],
        ["old", "same"]
      ])
      expect(readFileSync(file, "utf8")).toBe(before)
      yield* run(["mcp", "import", from], { cwd })
      expect(readFileSync(file, "utf8")).toContain(before.slice(0, before.indexOf("// mine")))
      const forced = yield* runJson(["mcp", "import", from, "github", "--force", "--json"], { cwd })
      expect(states(forced.json)).toEqual([["github", "replace"]])
      expect(readFileSync(file, "utf8")).toMatch(/githubcopilot[^}]*\}, \/\/ mine/)
    }).pipe(Effect.scoped)
  )

  it.live("goes into one's own file, or a named one", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const from = join(fixtures, "codex.toml")
      const options = { cwd, env: { XDG_CONFIG_HOME: cwd } }
      const user = yield* runJson(["mcp", "import", from, "--scope", "user", "--json"], options)
      expect(user.json.file).toBe(join(cwd, "harness9/mcp.json"))
      const named = yield* runJson(["mcp", "import", from, "--config", "named.json", "--json"], options)
      expect(named.json.file).toBe(join(cwd, "named.json"))
    }).pipe(Effect.scoped)
  )

  it.live("says when there is nothing to read, or no such server", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const wrong = yield* run(["mcp", "import", "cursr"], { cwd })
      expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean cursor?") })
      const none = yield* run(["mcp", "import", "gemini"], { cwd })
      expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining(".gemini/settings.json") })
      const server = yield* run(["mcp", "import", join(fixtures, "cursor.json"), "remot"], { cwd })
      expect(server).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean remote?") })
    }).pipe(Effect.scoped)
  )
})
