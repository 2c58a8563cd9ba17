import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fixture, folder, run, runJson } from "./cli.ts"

interface Files {
  readonly project?: unknown
  readonly user?: unknown
  readonly managed?: unknown
}

/** A project and a home with these rules; the fixture server is the person's own. */
const project = ({ managed, project, user }: Files) =>
  Effect.gen(function* () {
    const cwd = yield* folder
    const home = yield* folder
    const settings = join(home, ".config/harness9")
    mkdirSync(settings, { recursive: true })
    writeFileSync(join(settings, "mcp.json"), JSON.stringify({ mcpServers: { it: fixture("cli/server.mjs") } }))
    const write = (path: string, permissions: unknown) =>
      permissions === undefined ? undefined : writeFileSync(path, JSON.stringify({ permissions }, null, 2))
    write(join(cwd, "harness9.json"), project)
    write(join(settings, "harness9.json"), user)
    write(join(home, "managed.json"), managed)
    const options = { cwd, env: { HOME: home, HARNESS9_MANAGED: join(home, "managed.json") } }
    const explain = (tool: string, args: unknown, ...more: ReadonlyArray<string>) =>
      Effect.map(
        runJson(["permissions", tool, JSON.stringify(args), "--json", ...more], options),
        ({ json }) => json.call
      )
    const fails = (...more: ReadonlyArray<string>) =>
      Effect.map(
        runJson(["run", "call the tool fail of it", "--model", "offline", "--output", "json", ...more], options),
        ({ json }) => json.toolCalls[0].result
      )
    return { cwd, explain, fails, home, options, settings }
  })

const ran = { denied: false, text: expect.stringContaining("the disk is full") }

describe("permission rules", () => {
  it.live("a run without a person follows them: allow runs, ask and deny do not", () =>
    Effect.gen(function* () {
      expect(yield* (yield* project({ user: { allow: ["mcp__it__*"] } })).fails()).toMatchObject(ran)
      const asking = yield* project({ user: { allow: ["mcp__it__*"], ask: ["mcp__*__fail"] } })
      expect(yield* asking.fails()).toMatchObject({
        denied: true,
        text: expect.stringMatching(/by the rule ask mcp__\*__fail \(.*harness9\.json:7\) and nobody is there/)
      })
      expect(yield* asking.fails("--yes")).toMatchObject(ran)
      expect(yield* asking.fails("--allow", "mcp__it__fail")).toMatchObject(ran)
    }).pipe(Effect.scoped)
  )

  it.live("deny holds against --yes, --allow and --trust, wherever it stands, and the model is told the rule", () =>
    Effect.gen(function* () {
      const everything = { allow: ["*"] }
      const nothing = { deny: ["mcp__it__fail"] }
      for (const files of [
        { user: nothing, project: everything },
        { user: everything, project: nothing },
        { managed: nothing, user: everything, project: everything }
      ]) {
        const { fails } = yield* project(files)
        expect(yield* fails("--yes", "--trust", "--allow", "mcp__it__fail")).toMatchObject({
          denied: true,
          text: expect.stringMatching(/a rule forbids it, deny mcp__it__fail \(.*\.json:\d+\)/)
        })
      }
    }).pipe(Effect.scoped)
  )

  it.live("what a project allows counts once a person has agreed, or with --trust", () =>
    Effect.gen(function* () {
      const { cwd, fails, options } = yield* project({ project: { allow: ["mcp__it__fail"] } })
      expect(yield* fails()).toMatchObject({ denied: true })
      expect(yield* fails("--trust")).toMatchObject(ran)
      const shown = yield* run(["permissions"], options)
      expect(shown.stdout).toMatch(/^allow +mcp__it__fail +project .*harness9\.json:4 +not agreed to yet$/m)
      expect(shown.stderr).toContain("harness9 permissions --approve")
      yield* run(["permissions", "--approve"], options)
      expect(yield* fails()).toMatchObject(ran)
      writeFileSync(join(cwd, "harness9.json"), '{ "permissions": { "allow": ["mcp__it__*"] } }')
      expect(yield* fails()).toMatchObject({ denied: true })
    }).pipe(Effect.scoped)
  )

  it.live("a file that does not parse stops a run before anything starts, with line and column", () =>
    Effect.gen(function* () {
      const { cwd, options } = yield* project({})
      for (const [text, place] of [
        ['{\n  "permissions": {\n', "harness9.json:3:1"],
        ['{ "permissions": { "deny": "bash" } }', "(line 1, column 28)"],
        ['{ "permissions": { "deny": ["bash("] } }', "harness9.json:1: "]
      ] as const) {
        writeFileSync(join(cwd, "harness9.json"), text)
        for (const words of [["run", "say hello", "--yes"], ["permissions"], []]) {
          expect(yield* run(words, { ...options, input: "say hello\n" })).toMatchObject({
            code: 2,
            stdout: "",
            stderr: expect.stringContaining(place)
          })
        }
      }
    }).pipe(Effect.scoped)
  )

  it.live("what means nothing is told with its place: keys, and tools that there are not", () =>
    Effect.gen(function* () {
      const { options } = yield* project({ user: { allow: ["Bash(ls)", "bash("], forbid: [] } })
      const { stderr } = yield* run(["permissions"], options)
      expect(stderr).toMatch(/no tool is called "Bash": did you mean bash\? \(line 4\)/)
      expect(stderr).toMatch(/"bash\(" is no pattern \(line 5\)/)
      expect(stderr).toMatch(/unknown key ignored: "forbid" \(line 7, column 5\)/)
    }).pipe(Effect.scoped)
  )
})

describe("permissions TOOL ARGS", () => {
  it.live("says which rule decides, with its file and line, and why where none does", () =>
    Effect.gen(function* () {
      const { explain, options, settings } = yield* project({
        user: { allow: ["bash(npm test*)", "write_file(src/**)"], deny: ["bash(rm *)", "mcp__*__delete_*"] }
      })
      const path = join(settings, "harness9.json")
      expect(yield* explain("bash", { command: "npm test -- a" })).toMatchObject({
        action: "allow",
        because: "rule",
        rule: { action: "allow", pattern: "bash(npm test*)", scope: "user", path, line: 4, inForce: true }
      })
      expect(yield* explain("bash", { command: "npm test && rm -rf x" })).toMatchObject({
        action: "deny",
        rule: { pattern: "bash(rm *)", line: 8 }
      })
      for (const command of ["npm test; x", "npm test | x", "npm test $(x)", "npm test `x`", "npm test > x"]) {
        expect(yield* explain("bash", { command })).toMatchObject({ action: "ask", because: "nothing" })
      }
      expect(yield* explain("mcp__db__delete_all", {})).toMatchObject({ action: "deny" })
      expect(yield* explain("read_file", { path: "x" })).toMatchObject({ action: "allow", because: "read-only" })
      expect(yield* explain("mcp__db__insert", {}, "--yes")).toMatchObject({ action: "allow", because: "options" })
      expect(yield* explain("mcp__db__insert", {}, "--allow", "mcp__db__*")).toMatchObject({ because: "options" })
      const { stdout } = yield* run(["permissions", "bash", '{"command":"rm x"}'], options)
      expect(stdout).toBe(`deny: the rule deny bash(rm *) (${path}:8) decides\n`)
    }).pipe(Effect.scoped)
  )

  it.live("no link and no .. leads out of the folder of a rule", () =>
    Effect.gen(function* () {
      const { cwd, explain } = yield* project({ user: { allow: ["write_file(src/**)"], deny: ["*(secret/**)"] } })
      for (const name of ["src", "lib", "secret"]) mkdirSync(join(cwd, name))
      symlinkSync(join(cwd, "lib"), join(cwd, "src/link"))
      symlinkSync(join(cwd, "secret"), join(cwd, "lib/link"))
      const action = (path: string) => Effect.map(explain("write_file", { path, content: "" }), ({ action }) => action)
      expect(yield* action("src/a/b.ts")).toBe("allow")
      expect(yield* action(join(cwd, "src/b.ts"))).toBe("allow")
      expect(yield* action("src/link/a.ts")).toBe("ask")
      expect(yield* action("src/../lib/a.ts")).toBe("ask")
      expect(yield* action("lib/link/a.ts")).toBe("deny")
      expect(yield* action("src/../secret/new/a.ts")).toBe("deny")
      expect(yield* explain("grep", { pattern: "x", path: "secret" })).toMatchObject({ action: "deny" })
    }).pipe(Effect.scoped)
  )

  it.live("a call that cannot be is a mistake of the command line", () =>
    Effect.gen(function* () {
      const { options } = yield* project({})
      expect(yield* run(["permissions", "bsh"], options)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("bash")
      })
      expect(yield* run(["permissions", "bash", "[]"], options)).toMatchObject({ code: 2 })
      expect((yield* run(["permissions"], options)).stdout).toContain("There are no rules")
      expect(existsSync(join(options.cwd, "harness9.json"))).toBe(false)
    }).pipe(Effect.scoped)
  )
})
