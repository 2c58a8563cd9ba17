import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServer from "../mcp/httpServer.ts"
import { configured, fixture, folder, packaged, run, runJson } from "./cli.ts"

const read = (path: string) => JSON.parse(readFileSync(path, "utf8"))

const commented = `{
  // our servers
  "mcpServers": {
    "a": { "command": "x" }, // about a
    "b": { "command": "y", "enabled": true }
  }
}
`

/** A folder with a commented project file, and a user's file that has a server too. */
const project = Effect.gen(function* () {
  const cwd = yield* folder
  const file = join(cwd, ".mcp.json")
  const user = join(cwd, "xdg", "harness9", "mcp.json")
  mkdirSync(join(cwd, "xdg", "harness9"), { recursive: true })
  writeFileSync(file, commented)
  writeFileSync(user, JSON.stringify({ mcpServers: { mine: { command: "z" } } }))
  return { cwd, file, user, options: { cwd, env: { XDG_CONFIG_HOME: join(cwd, "xdg") } } }
})

/** An address whose every answer has this status. */
const answering = (status: number) =>
  Effect.map(
    HttpServer.serve((_, response) => HttpServer.json(response, status, {})),
    ({ url }) => url
  )

describe("mcp add", () => {
  it.live("connects to a program, shows its tools, and then writes it", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const { args, command } = packaged("everything", "stdio")
      const { code, stdout } = yield* run(["mcp", "add", "every", "--env", "A=1", "--", command, ...args], { cwd })
      expect(code).toBe(0)
      expect(stdout).toMatch(
        /^● mcp-servers\/everything .* over stdio, \d+ tools\n {2}mcp__every__echo .*\nadded "every" to /s
      )
      expect(read(join(cwd, ".mcp.json"))).toEqual({ mcpServers: { every: { command, args, env: { A: "1" } } } })
    }).pipe(Effect.scoped)
  )

  it.live("finds out how an address is spoken to", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const { origin } = yield* HttpServer.fixture("legacy-sse")
      const { code, json } = yield* runJson(["mcp", "add", "old", `${origin}/sse`, "--json"], { cwd })
      expect(code).toBe(0)
      expect(json).toMatchObject({
        name: "old",
        file: join(cwd, ".mcp.json"),
        scope: "project",
        replaced: false,
        entry: { type: "sse", url: `${origin}/sse` },
        check: { transport: "sse", serverInfo: { name: expect.any(String) }, tools: expect.any(Array) }
      })
      expect(read(join(cwd, ".mcp.json")).mcpServers.old.type).toBe("sse")
    }).pipe(Effect.scoped)
  )

  it.live("writes nothing when the server does not work, and says why", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const missing = yield* run(["mcp", "add", "x", "--", "no-such-program"], { cwd })
      expect(missing).toMatchObject({ code: 3, stdout: "" })
      expect(missing.stderr).toContain("command not found: no-such-program")
      expect(missing.stderr).toContain("--no-check")
      const page = yield* runJson(["mcp", "add", "x", yield* answering(500), "--json"], { cwd })
      expect(page).toMatchObject({ code: 3, json: { name: "x", error: { kind: "http" } } })
      const unset = yield* run(["mcp", "add", "x", "https://x/", "--header", "A: ${HARNESS9_NOT_SET}"], { cwd })
      expect(unset).toMatchObject({ code: 2, stderr: expect.stringContaining("${HARNESS9_NOT_SET}") })
      expect(existsSync(join(cwd, ".mcp.json"))).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.live("adds a server that wants a login, unless it refuses the credentials that it was given", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const url = yield* answering(401)
      const { code, stderr } = yield* run(["mcp", "add", "private", url], { cwd })
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("wants a login") })
      const refused = yield* run(["mcp", "add", "other", url, "--header", "Authorization: Bearer wrong-one"], { cwd })
      expect(refused.code).toBe(4)
      expect(refused.stderr).not.toContain("wrong-one")
      expect(Object.keys(read(join(cwd, ".mcp.json")).mcpServers)).toEqual(["private"])
    }).pipe(Effect.scoped)
  )

  it.live("writes without connecting when told so, warns of secrets in the file and shows none", () =>
    Effect.gen(function* () {
      const { cwd, options } = yield* project
      const words = ["--scope", "user", "--no-check", "--env", "API_KEY=k-secret", "--json", "--", "no-such", "arg"]
      const { code, json } = yield* runJson(["mcp", "add", "later", ...words], options)
      expect(code).toBe(0)
      expect(json).toMatchObject({
        scope: "user",
        entry: { command: "no-such", args: ["arg"], env: { API_KEY: "***" } }
      })
      expect(json.notes.join()).toContain("env.API_KEY")
      expect(JSON.stringify(json)).not.toContain("k-secret")
      expect(read(join(cwd, "xdg/harness9/mcp.json")).mcpServers.later.env).toEqual({ API_KEY: "k-secret" })
    }).pipe(Effect.scoped)
  )

  it.live("replaces an entry only when forced", () =>
    Effect.gen(function* () {
      const { file, options } = yield* project
      const words = ["mcp", "add", "a", "--no-check", "--", "new"]
      expect(yield* run(words, options)).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") })
      expect(readFileSync(file, "utf8")).toBe(commented)
      expect(yield* run([...words.slice(0, 3), "--force", ...words.slice(3)], options)).toMatchObject({ code: 0 })
      expect(readFileSync(file, "utf8")).toContain('"command": "new"\n    }, // about a\n')
    }).pipe(Effect.scoped)
  )

  it.live("refuses a name that no server should have, and a transport that there is not", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      expect(yield* run(["mcp", "add", "a b", "--", "x"], { cwd })).toMatchObject({ code: 2 })
      expect(yield* run(["mcp", "add", "a", "x", "--transport", "carrier-pigeon"], { cwd })).toMatchObject({ code: 2 })
    }).pipe(Effect.scoped)
  )
})

describe("mcp add-json", () => {
  it.live("writes an entry as it is given, and tells what it does not know of it", () =>
    Effect.gen(function* () {
      const { file, options } = yield* project
      const entry = { url: "https://example.com/mcp", alwaysLoad: true }
      const { code, json } = yield* runJson(["mcp", "add-json", "c", JSON.stringify(entry), "--json"], options)
      expect(code).toBe(0)
      expect(json.notes.join()).toContain("alwaysLoad")
      const text = readFileSync(file, "utf8")
      expect(text).toContain("// our servers")
      expect(text).toContain("// about a")
      expect(text).toContain('"alwaysLoad": true')
    }).pipe(Effect.scoped)
  )

  it.live("goes into one's own file with --scope user", () =>
    Effect.gen(function* () {
      const { options, user } = yield* project
      yield* run(["mcp", "add-json", "c", '{"command":"x"}', "--scope", "user"], options)
      expect(Object.keys(read(user).mcpServers)).toEqual(["mine", "c"])
    }).pipe(Effect.scoped)
  )

  it.live("refuses what is no entry, and repeats no value", () =>
    Effect.gen(function* () {
      const { file, options } = yield* project
      for (const text of ["{", "[]", '{"command":5}', '{"foo":"s3cret"}', '"s3cret"']) {
        const { code, stderr } = yield* run(["mcp", "add-json", "c", text], options)
        expect({ text, code }).toEqual({ text, code: 2 })
        expect(stderr).not.toContain("s3cret")
      }
      expect(yield* run(["mcp", "add-json", "a", '{"command":"x"}'], options)).toMatchObject({ code: 2 })
      expect(readFileSync(file, "utf8")).toBe(commented)
      expect(yield* run(["mcp", "add-json", "a", '{"command":"x"}', "--force"], options)).toMatchObject({ code: 0 })
    }).pipe(Effect.scoped)
  )
})

describe("a preview", () => {
  /** A file that can be looked for and not written: the draft beside it would have too long a name. */
  const unwritable = `${"n".repeat(247)}.json`

  it.live("of the entry comes before anything is written, and shows no secret", () =>
    Effect.gen(function* () {
      const url = yield* answering(401)
      const preview = (entry: object) => `"new": ${JSON.stringify(entry, null, 2)}\n`
      for (const [words, entry] of [
        [
          ["add", "new", "--no-check", "--env", "API_KEY=k-secret", "--", "x"],
          { command: "x", env: { API_KEY: "***" } }
        ],
        [["add", "new", url], { type: "http", url }],
        [["add-json", "new", '{"command":"x","env":{"API_KEY":"k-secret"}}'], { command: "x", env: { API_KEY: "***" } }]
      ] as const) {
        const { code, stderr, stdout } = yield* run(["--config", unwritable, "mcp", ...words])
        expect({ code, stdout }).toEqual({ code: 2, stdout: preview(entry) })
        expect(stderr).toContain(unwritable)
        expect(stderr).not.toContain("k-secret")
      }
    }).pipe(Effect.scoped)
  )

  it.live("is all that --dry-run does", () =>
    Effect.gen(function* () {
      const { file, options } = yield* project
      const { args, command } = fixture("cli/server.mjs")
      const added = yield* run(["mcp", "add", "new", "--dry-run", "--", command, ...args], options)
      expect(added).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/8 tools\n.*^"new": \{$.*^"new" would be added to /ms)
      })
      const replaced = yield* run(["mcp", "add-json", "a", '{"command":"y"}', "--force", "--dry-run"], options)
      expect(replaced.stdout).toBe(`"a": {\n  "command": "y"\n}\n"a" would be replaced in ${file}\n`)
      const taken = yield* run(["mcp", "add-json", "a", '{"command":"y"}', "--dry-run"], options)
      expect(taken).toMatchObject({ code: 2, stdout: "" })
      const { json } = yield* runJson(["mcp", "add-json", "new", '{"command":"y"}', "--dry-run", "--json"], options)
      expect(json).toMatchObject({ name: "new", dryRun: true, replaced: false, entry: { command: "y" } })
      expect(readFileSync(file, "utf8")).toBe(commented)
    }).pipe(Effect.scoped)
  )
})

describe("mcp remove, enable and disable", () => {
  it.live("leave the file as it was after a round trip", () =>
    Effect.gen(function* () {
      const { file, options } = yield* project
      yield* run(["mcp", "add", "c", "--no-check", "--", "x"], options)
      const removed = yield* runJson(["mcp", "remove", "c", "--json"], options)
      expect(removed).toMatchObject({ code: 0, json: { name: "c", file, scope: "project", removed: true } })
      expect(readFileSync(file, "utf8")).toBe(commented)
      for (const name of ["a", "b"]) {
        const off = yield* runJson(["mcp", "disable", name, "--json"], options)
        expect(off.json).toEqual({ name, file, scope: "project", enabled: false, changed: true })
        const list = yield* runJson(["mcp", "list", "--json", "--config", file, "--connect-timeout", "1s"], options)
        expect(list.json.servers.find((server: { name: string }) => server.name === name).status).toBe("disabled")
        expect((yield* run(["mcp", "enable", name], options)).stdout).toBe(`enabled "${name}" in ${file}\n`)
        expect(readFileSync(file, "utf8")).toBe(commented)
        expect((yield* run(["mcp", "enable", name], options)).stdout).toContain("already")
      }
    }).pipe(Effect.scoped)
  )

  it.live("say where a server is that the file does not have", () =>
    Effect.gen(function* () {
      const { options, user } = yield* project
      for (const word of ["remove", "enable", "disable"]) {
        const { code, stderr } = yield* run(["mcp", word, "mine"], options)
        expect(code).toBe(2)
        expect(stderr).toContain(`it is in ${user}: --scope user`)
      }
      expect(yield* run(["mcp", "disable", "mine", "--scope", "user"], options)).toMatchObject({ code: 0 })
      expect(read(user).mcpServers.mine.disabled).toBe(true)
      expect(yield* run(["mcp", "remove", "mine", "--scope", "user"], options)).toMatchObject({ code: 0 })
      expect(read(user)).toEqual({ mcpServers: {} })
    }).pipe(Effect.scoped)
  )

  it.live("change the file that is named", () =>
    Effect.gen(function* () {
      const config = yield* configured({ it: fixture("cli/server.mjs") })
      expect(yield* run(["mcp", "disable", "it", "--config", config])).toMatchObject({ code: 0 })
      expect(read(config).mcpServers.it.disabled).toBe(true)
    }).pipe(Effect.scoped)
  )

  it.live("never touch a file that does not parse", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "broken.json")
      writeFileSync(file, '{ "mcpServers": {,} }')
      for (const words of [
        ["remove", "a"],
        ["disable", "a"],
        ["add-json", "a", '{"command":"x"}']
      ]) {
        const { code, stderr } = yield* run(["mcp", ...words, "--config", file])
        expect(code).toBe(2)
        expect(stderr).toContain(`${file}:1:18`)
      }
      expect(readFileSync(file, "utf8")).toBe('{ "mcpServers": {,} }')
    }).pipe(Effect.scoped)
  )
})
