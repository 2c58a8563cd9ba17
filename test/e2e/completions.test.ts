import { execFileSync } from "node:child_process"
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, fixture, folder, root, run } from "./cli.ts"

type Options = Parameters<typeof run>[1]

/** What the last of the words may become. */
const completed = (words: ReadonlyArray<string>, options?: Options) =>
  Effect.map(run(["completions", "bash", "--", ...words], options), ({ code, stderr, stdout }) => {
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    return stdout.split("\n").filter((line) => line !== "")
  })

const project = Effect.gen(function* () {
  const cwd = yield* folder
  const mcpServers = { files: fixture("cli/server.mjs"), "with space": { command: "x" }, fetch: { command: "x" } }
  writeFileSync(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers }))
  return { cwd, options: { cwd, env: { XDG_CACHE_HOME: join(cwd, "cache") } } }
})

describe("completions", () => {
  it.live("complete commands, word by word", () =>
    Effect.gen(function* () {
      expect(yield* completed([""])).toEqual(expect.arrayContaining(["run", "mcp", "completions"]))
      expect(yield* completed(["mcp", "add"])).toEqual(["add", "add-json"])
      expect(yield* completed(["mcp", "no-such", ""])).toEqual([])
    })
  )

  it.live("complete options that are not there yet, and the words of their values", () =>
    Effect.gen(function* () {
      expect(yield* completed(["mcp", "add", "--tr"])).toContain("--transport")
      const left = yield* completed(["mcp", "add", "--json", "--env", "A=1", "--"])
      expect(left).toContain("--env")
      expect(left).not.toContain("--json")
      expect(yield* completed(["mcp", "add", "--transport", "s"])).toEqual(["stdio", "sse"])
      expect(yield* completed(["mcp", "add", "--transport", "=", "h"])).toEqual(["http"])
      expect(yield* completed(["--log-level", "d"])).toEqual(["debug"])
    })
  )

  it.live("complete servers and hosts without starting anything, and only plain words", () =>
    Effect.gen(function* () {
      const { cwd, options } = yield* project
      expect(yield* completed(["mcp", "get", ""], options)).toEqual(["files", "fetch"])
      expect(yield* completed(["mcp", "remove", "fi"], options)).toEqual(["files"])
      expect(yield* completed(["mcp", "get", "files", ""], options)).toEqual([])
      expect(yield* completed(["mcp", "import", "claude"], options)).toEqual(["claude-code", "claude-desktop"])
      const config = yield* configured({ other: { command: "x" } })
      expect(yield* completed(["mcp", "call", "--config", config, ""], options)).toEqual(["other"])
      expect(readdirSync(cwd)).toEqual([".mcp.json"])
    }).pipe(Effect.scoped)
  )

  it.live("complete the tools that a server was last seen with", () =>
    Effect.gen(function* () {
      const { options } = yield* project
      expect(yield* completed(["mcp", "call", "files", ""], options)).toEqual([])
      yield* run(["mcp", "tools", "files", "--trust"], options)
      expect(yield* completed(["mcp", "call", "files", "e"], options)).toEqual(["echo"])
      expect(yield* completed(["mcp", "call", "fetch", ""], options)).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("leave files and texts of one's own to the shell", () =>
    Effect.gen(function* () {
      expect(yield* completed(["--config", ""])).toEqual([])
      expect(yield* completed(["run", "hello"])).toEqual([])
      expect(yield* completed(["mcp", "add", "x", "--", "np"])).toEqual([])
    })
  )

  it.live("say nothing when the configuration is broken", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      writeFileSync(join(cwd, ".mcp.json"), "{")
      expect(yield* completed(["mcp", "get", ""], { cwd })).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("come with descriptions for the shells that show them", () =>
    Effect.gen(function* () {
      const { stdout } = yield* run(["completions", "fish", "--", "mcp", "import", "cod"])
      expect(stdout).toBe("codex\tCodex\n")
      const unknown = yield* run(["completions", "bahs"])
      expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean bash?") })
    })
  )

  it.live("are a script that bash runs", () =>
    Effect.gen(function* () {
      const { cwd } = yield* project
      const program = join(cwd, "harness9")
      writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/cli/main.js")}" "$@"\n`)
      chmodSync(program, 0o755)
      const { stdout } = yield* run(["completions", "bash"])
      writeFileSync(join(cwd, "completions.bash"), stdout)
      const script =
        "source completions.bash; COMP_WORDS=(harness9 mcp get f); COMP_CWORD=3; _harness9; printf '%s,' \"${COMPREPLY[@]}\""
      const answer = execFileSync("bash", ["-c", script], {
        cwd,
        env: { PATH: `${cwd}:${process.env.PATH}`, HOME: cwd }
      })
      expect(answer.toString()).toBe("files,fetch,")
      expect(readFileSync(join(cwd, "completions.bash"), "utf8")).toContain("complete -o default -F _harness9 harness9")
    }).pipe(Effect.scoped)
  )

  it.live("are scripts for zsh and fish, too", () =>
    Effect.gen(function* () {
      expect((yield* run(["completions", "zsh"])).stdout).toMatch(
        /^#compdef harness9\n[\s\S]*\$\{\(@\)words\[2,CURRENT\]\}/
      )
      expect((yield* run(["completions", "fish"])).stdout).toContain(
        "complete -c harness9 -f -a '(__harness9_complete)'"
      )
    })
  )
})
