import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, fixture, folder, run, runJson } from "./cli.ts"

/** A project whose server writes a file when it starts, and a home of a person who has agreed to nothing yet. */
const project = Effect.gen(function* () {
  const cwd = yield* folder
  const home = yield* folder
  const marker = join(cwd, "marker")
  const options = { cwd, env: { HOME: home } }
  const write = (servers: unknown) => writeFileSync(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers: servers }))
  const entry = fixture("stdio/reach.mjs", { env: { MARKER: marker } })
  write({ it: entry })
  const listed = Effect.map(runJson(["mcp", "list", "--json"], options), ({ json }) =>
    json.servers.map(({ name, status }: Record<string, string>) => [name, status])
  )
  return { cwd, entry, home, listed, marker, options, write }
})

describe("a project's .mcp.json", () => {
  it.live("starts nothing before a person agrees: not to list, to call, to run or to talk", () =>
    Effect.gen(function* () {
      const { listed, marker, options } = yield* project
      expect(yield* listed).toEqual([["it", "needs-approval"]])
      const shown = yield* run(["mcp", "list"], options)
      expect(shown.stdout).toMatch(/^○ it +stdio +needs-approval$/m)
      expect(shown.stdout).toMatch(/reach\.mjs/)
      expect(shown.stdout).toMatch(/env +\{"MARKER":"\*\*\*"\}/)
      expect(shown.stderr).toMatch(/\[mcp\] server "it" is not started.*harness9 mcp approve it/)
      const called = yield* runJson(["mcp", "call", "it", "reach", "--json"], options)
      expect(called).toMatchObject({ code: 2, json: { error: { kind: "needs-approval" } } })
      const ran = yield* run(["run", "say hello", "--yes", "--model", "offline"], options)
      expect(ran.stderr).toContain("mcp approve it")
      yield* run([], { ...options, input: "say hello\n" })
      expect(existsSync(marker)).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.live("is started once a person has agreed, and asks again when the entry changes or the word is taken back", () =>
    Effect.gen(function* () {
      const { entry, home, listed, marker, options, write } = yield* project
      const waiting = yield* runJson(["mcp", "approve", "--json"], options)
      expect(waiting.json).toMatchObject({
        approved: [],
        waiting: [{ name: "it", entry: { command: process.execPath } }]
      })
      expect(yield* run(["mcp", "approve", "it"], options)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("approved it")
      })
      expect(yield* listed).toEqual([["it", "connected"]])
      expect(existsSync(marker)).toBe(true)
      expect(statSync(join(home, ".local/state/harness9/approvals.json")).mode & 0o777).toBe(0o600)

      write({ it: { ...entry, args: [...entry.args, "--more"] } })
      expect(yield* listed).toEqual([["it", "needs-approval"]])
      write({ it: { ...entry, disabled: true } })
      expect(yield* listed).toEqual([["it", "disabled"]])
      write({ it: entry })
      expect(yield* listed).toEqual([["it", "connected"]])

      expect((yield* run(["mcp", "revoke", "--all"], options)).stdout).toContain("revoked it")
      expect(yield* listed).toEqual([["it", "needs-approval"]])
    }).pipe(Effect.scoped)
  )

  it.live("--trust agrees for one run, --config and the person's own file are consent", () =>
    Effect.gen(function* () {
      const { cwd, entry, home, listed, options, write } = yield* project
      const status = (...args: ReadonlyArray<string>) =>
        Effect.map(runJson(["mcp", "list", "--json", ...args], options), ({ json }) => json.servers[0].status)
      expect(yield* status("--trust")).toBe("connected")
      expect(yield* status("--config", join(cwd, ".mcp.json"))).toBe("connected")
      expect(yield* listed).toEqual([["it", "needs-approval"]])
      write({})
      mkdirSync(join(home, ".config/harness9"), { recursive: true })
      writeFileSync(join(home, ".config/harness9/mcp.json"), JSON.stringify({ mcpServers: { mine: entry } }))
      expect(yield* listed).toEqual([["mine", "connected"]])
    }).pipe(Effect.scoped)
  )

  it.live("does not take the place of the person's own server of that name without their word", () =>
    Effect.gen(function* () {
      const { entry, home, listed, marker, options } = yield* project
      mkdirSync(join(home, ".config/harness9"), { recursive: true })
      const own = join(home, ".config/harness9/mcp.json")
      writeFileSync(own, JSON.stringify({ mcpServers: { it: { ...entry, env: {} } } }))
      expect(yield* listed).toEqual([["it", "connected"]])
      expect(existsSync(marker)).toBe(false)
      expect((yield* runJson(["mcp", "get", "it", "--json"], options)).json.source).toBe(own)
      yield* run(["mcp", "approve", "it"], options)
      expect(yield* listed).toEqual([["it", "connected"]])
      expect(existsSync(marker)).toBe(true)
    }).pipe(Effect.scoped)
  )

  it.live("what a person adds to it is agreed to", () =>
    Effect.gen(function* () {
      const { entry, listed, options, write } = yield* project
      write({})
      const added = yield* run(["mcp", "add", "new", "--", entry.command, ...entry.args], options)
      expect(added).toMatchObject({ code: 0 })
      expect(yield* listed).toEqual([["new", "connected"]])
    }).pipe(Effect.scoped)
  )

  it.live("cannot loosen the lists of the administrator, whatever has been approved", () =>
    Effect.gen(function* () {
      const { cwd, marker, options } = yield* project
      yield* run(["mcp", "approve", "--all"], options)
      const managed = join(cwd, "managed.json")
      writeFileSync(managed, JSON.stringify({ deny: [{ command: "node*" }] }))
      const env = { ...options.env, HARNESS9_MANAGED: managed }
      for (const args of [[], ["--trust"], ["--config", join(cwd, ".mcp.json")]]) {
        const { json } = yield* runJson(["mcp", "list", "--json", ...args], { ...options, env })
        expect(json.servers[0]).toMatchObject({
          status: "failed",
          error: { message: expect.stringContaining("policy") }
        })
      }
      expect(existsSync(marker)).toBe(false)
    }).pipe(Effect.scoped)
  )
})

const hasSandbox =
  process.platform === "linux" &&
  spawnSync("bwrap", ["--unshare-user", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "true"]).status === 0

describe.runIf(hasSandbox)("a sandbox in the entry", () => {
  it.live("lets the server write where it may, and nowhere else", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      mkdirSync(join(directory, "data"))
      const sandbox = { writable: [join(directory, "data")] }
      const config = yield* configured({ it: { ...fixture("stdio/reach.mjs"), sandbox } })
      const write = (path: string) =>
        Effect.map(run(["mcp", "call", "it", "reach", `writes=${path}`, "--config", config]), ({ stdout }) =>
          stdout.trim()
        )
      expect(yield* write(join(dirname(config), "outside"))).toBe("EROFS")
      expect(yield* write(join(directory, "data/inside"))).toBe("written")
      yield* write(join(directory, "outside"))
      expect([dirname(config), directory].map((path) => existsSync(join(path, "outside")))).toEqual([false, false])
      const { json } = yield* runJson(["mcp", "get", "it", "--json", "--config", config])
      expect(json.entry.sandbox).toEqual(sandbox)
    }).pipe(Effect.scoped)
  )
})

describe("a sandbox that cannot be had", () => {
  it.live("keeps the server from being started", () =>
    Effect.gen(function* () {
      const marker = join(yield* folder, "marker")
      const config = yield* configured({
        it: { ...fixture("stdio/reach.mjs", { env: { MARKER: marker } }), sandbox: true }
      })
      const { json } = yield* runJson(["mcp", "list", "--json", "--config", config], { env: { PATH: "/nowhere" } })
      expect(json.servers[0]).toMatchObject({
        status: "failed",
        error: { kind: "spawn", message: expect.stringContaining("not started") }
      })
      expect(existsSync(marker)).toBe(false)
      const ran = yield* run(["run", "say hello", "--sandbox", "workspace", "--model", "offline"], {
        env: { PATH: "/nowhere" }
      })
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("no sandbox for bash") })
    }).pipe(Effect.scoped)
  )
})

describe("mcp lock and verify", () => {
  const pinned = Effect.gen(function* () {
    const directory = yield* folder
    const file = join(directory, "tools.json")
    const config = join(directory, ".mcp.json")
    const offer = (...tools: ReadonlyArray<readonly [name: string, description: string]>) =>
      writeFileSync(
        file,
        JSON.stringify(tools.map(([name, description]) => ({ name, description, inputSchema: { type: "object" } })))
      )
    writeFileSync(config, JSON.stringify({ mcpServers: { it: fixture("stdio/drift.mjs", { args: [file] }) } }))
    offer(["a", "does a"], ["b", "does b"])
    const lock = join(directory, ".mcp.lock.json")
    const h9 = (...args: ReadonlyArray<string>) => run(["mcp", ...args, "--config", config])
    const h9Json = (...args: ReadonlyArray<string>) => runJson(["mcp", ...args, "--json", "--config", config])
    return { config, h9, h9Json, lock, offer }
  })

  it.live("tell CI by exit code and JSON what has changed, field by field", () =>
    Effect.gen(function* () {
      const { h9, h9Json, lock, offer } = yield* pinned
      expect(yield* h9("verify")).toMatchObject({ code: 2, stderr: expect.stringContaining("mcp lock") })
      expect(yield* h9("lock")).toMatchObject({ code: 0 })
      expect(Object.keys(JSON.parse(readFileSync(lock, "utf8")).servers.it.tools)).toEqual(["a", "b"])
      expect(yield* h9("verify")).toMatchObject({ code: 0 })
      offer(["a", "does a, and tells everybody"], ["c", "new"])
      const { code, json } = yield* h9Json("verify")
      expect(code).toBe(1)
      expect(json.servers).toEqual([
        {
          name: "it",
          state: "drift",
          differences: [
            {
              tool: "a",
              kind: "changed",
              differences: [{ field: "description", before: "does a", after: "does a, and tells everybody" }]
            },
            { tool: "b", kind: "removed", differences: [] },
            { tool: "c", kind: "added", differences: [] }
          ]
        }
      ])
      expect((yield* h9("verify")).stdout).toMatch(/- does a\n +\+ does a, and tells everybody/)
    }).pipe(Effect.scoped)
  )

  it.live("withhold a tool that has changed from model and caller until it is accepted; its neighbours work", () =>
    Effect.gen(function* () {
      const { h9, h9Json, offer } = yield* pinned
      yield* h9("lock")
      offer(["a", "other"], ["b", "does b"])
      const offered = Effect.map(h9Json("tools"), ({ json }) =>
        json.tools.map(({ skipped, tool }: Record<string, string>) => [tool, skipped === undefined])
      )
      expect(yield* offered).toEqual([
        ["a", false],
        ["b", true]
      ])
      expect(yield* h9("call", "it", "b")).toMatchObject({ code: 0, stdout: "called b\n" })
      expect(yield* h9("call", "it", "a")).toMatchObject({ code: 2, stderr: expect.stringContaining("--accept it/a") })
      const { code, json } = yield* h9Json("doctor", "it")
      expect({ code, steps: json.servers[0].steps }).toMatchObject({
        code: 1,
        steps: expect.arrayContaining([
          expect.objectContaining({ step: "list", status: "failed", hint: expect.stringContaining("--accept it/a") })
        ])
      })
      expect(yield* h9("lock", "--accept", "it/a")).toMatchObject({ code: 0 })
      expect(yield* offered).toEqual([
        ["a", true],
        ["b", true]
      ])
      expect(yield* h9("verify")).toMatchObject({ code: 0 })
      expect(yield* h9("lock", "--accept", "it/nope")).toMatchObject({ code: 2 })
    }).pipe(Effect.scoped)
  )

  it.live("say 3 of a server that cannot be asked, and leave its lock as it is", () =>
    Effect.gen(function* () {
      const { config, h9, lock } = yield* pinned
      yield* h9("lock")
      const before = readFileSync(lock, "utf8")
      writeFileSync(config, JSON.stringify({ mcpServers: { it: { command: "no-such-program-anywhere" } } }))
      expect(yield* h9("verify")).toMatchObject({ code: 3 })
      expect(yield* h9("lock")).toMatchObject({ code: 3 })
      expect(readFileSync(lock, "utf8")).toBe(before)
    }).pipe(Effect.scoped)
  )
})
