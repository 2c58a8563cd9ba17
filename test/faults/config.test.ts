/**
 * A. Configuration files.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import * as McpConfig from "../../src/mcp/McpConfig.ts"
import type { Stdio } from "../../src/mcp/ServerConfig.ts"
import { fault } from "./fault.ts"
import { configFile, entry, folder, living, load, loadEntries, statusOf, textOf, words } from "./living.ts"

const unit = ["test/mcp/McpConfigParse.test.ts", "test/mcp/McpConfigLoad.test.ts"]

const good = JSON.stringify({ mcpServers: { a: { command: "node" } } })

const parse = (text: string, env: Readonly<Record<string, string>> = {}) =>
  Either.getOrThrow(McpConfig.parse(text, { path: "/p/.mcp.json", cwd: "/p", env }))

const parseEntry = (it: unknown, env?: Readonly<Record<string, string>>) =>
  parse(JSON.stringify({ mcpServers: { it } }), env)

const stdioOf = (parsed: McpConfig.ParsedFile): Stdio => {
  const [server] = parsed.servers
  if (server?.transport._tag !== "stdio") throw new Error("there is no stdio server")
  return server.transport
}

/** What the server of an entry says about its arguments, environment and folder. */
const reported = (it: unknown, env?: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { servers } = yield* loadEntries({ it }, env)
    const manager = yield* living(servers)
    const names = typeof it === "object" && it !== null && "env" in it ? Object.keys(it.env ?? {}) : []
    return JSON.parse(yield* textOf(manager, "it", "env", { names }))
  })

fault(
  1,
  "A byte order mark is passed over; another encoding is named; a file that cannot be read is left as it is",
  () => {
    it.scopedLive("the mark that Windows editors put first costs nothing", () =>
      Effect.gen(function* () {
        const file = yield* configFile(`\uFEFF${good}`)
        expect((yield* load(file)).servers.map(({ name }) => name)).toEqual(["a"])
      })
    )

    it.scopedLive("UTF-16 is refused by its name, and no byte of the file changes", () =>
      Effect.gen(function* () {
        for (const bytes of [
          Buffer.from(`\uFEFF${good}`, "utf16le"),
          Buffer.from(`\uFEFF${good}`, "utf16le").swap16()
        ]) {
          const file = yield* configFile(bytes)
          const error = yield* Effect.flip(load(file))
          expect(error.message).toContain("UTF-16")
          expect(readFileSync(file).equals(bytes)).toBe(true)
        }
      })
    )
  },
  { see: unit }
)

fault(
  2,
  "Absent, empty and broken are three answers; comments and trailing commas are fine; a mistake is told with path, line and column",
  () => {
    it.scopedLive("a file that is not there, one that is empty and one that is broken are told apart", () =>
      Effect.gen(function* () {
        const home = yield* folder
        const absent = yield* McpConfig.load({ cwd: home, env: { HOME: home } }).pipe(
          Effect.provide(NodeFileSystem.layer)
        )
        expect(absent).toEqual(McpConfig.empty)
        const empty = yield* load(yield* configFile(" \n"))
        expect(empty.problems.map(({ message }) => message)).toEqual(["the file is empty"])
        const file = yield* configFile(`{\n  "mcpServers": {\n    "a": { "command": }\n  }\n}`)
        expect((yield* Effect.flip(load(file))).message).toMatch(`${file}:3:`)
      })
    )

    it("comments, commas and line ends of any kind may stand wherever JSON lets white space stand", () => {
      const space = fc.constantFrom("", " ", "\n", "\r\n", "\t", "/* { */", "// }\n")
      fc.assert(
        fc.property(fc.array(space, { minLength: 9, maxLength: 9 }), (s) => {
          const text = `${s[0]}{${s[1]}"mcpServers"${s[2]}:${s[3]}{"a"${s[4]}:{"command":"node","args":["x//y","/*z*/",]${s[5]}}${s[6]},}${s[7]},}${s[8]}`
          expect(stdioOf(parse(text)).args).toEqual(["x//y", "/*z*/"])
        })
      )
    })

    it("a file cut off anywhere is an error with its place, or what is left of it; nothing throws", () => {
      const text = `{"mcpServers":{"a":{"command":"node","args":["x\\u2028y"]},"b":{"url":"http://x/"}}}`
      for (let length = 1; length < text.length; length++) {
        const outcome = McpConfig.parse(text.slice(0, length), { path: "/p/.mcp.json", cwd: "/p", env: {} })
        expect(Either.isLeft(outcome) && outcome.left.message).toMatch(/^\/p\/\.mcp\.json:1:\d+: /)
      }
    })

    it("the key of another host gets a hint", () => {
      for (const key of ["servers", "mcp", "mcp_servers", "context_servers", "mcpservers"]) {
        const { problems, servers } = parse(JSON.stringify({ [key]: { a: { command: "node" } } }))
        expect(servers).toEqual([])
        expect(problems[0]?.message).toContain(`rename "${key}" to "mcpServers"`)
      }
    })
  },
  { see: unit }
)

fault(
  3,
  "An entry that cannot be used costs itself alone, and is told by file, name and place",
  () => {
    it("whatever the bad entries are and wherever they stand, the good ones load in their order", () => {
      const bad = fc.oneof(
        fc.constantFrom<unknown>(
          { args: ["x"] },
          "oops",
          null,
          [],
          3,
          true,
          {},
          { command: 1 },
          { type: "ws", url: "x" }
        ),
        fc.json().map((text): unknown => JSON.parse(text))
      )
      const entries = fc.array(
        fc.oneof(
          bad.map((value) => ({ value, good: false })),
          fc.constant({ value: { command: "node" }, good: true })
        )
      )
      fc.assert(
        fc.property(entries, (all) => {
          const named = all.map((one, index) => ({ ...one, name: `s${index}` }))
          const text = JSON.stringify({ mcpServers: Object.fromEntries(named.map(({ name, value }) => [name, value])) })
          const { problems, servers } = parse(text)
          expect(servers.map(({ name }) => name)).toEqual(named.filter(({ good }) => good).map(({ name }) => name))
          const told = new Set(problems.map(({ server }) => server))
          expect(named.filter(({ good, name }) => !good && !told.has(name))).toEqual([])
          for (const { message, path } of problems) {
            expect(path).toBe("/p/.mcp.json")
            expect(message).toMatch(/\(line 1, column \d+\)$/)
          }
        })
      )
    })

    it.scopedLive("the good server beside the bad ones can be used", () =>
      Effect.gen(function* () {
        const { problems, servers } = yield* loadEntries({
          bad: { args: ["x"] },
          good: entry("stdout-noise"),
          str: "oops",
          nul: null
        })
        expect(problems.map(({ server }) => server)).toEqual(["bad", "str", "nul"])
        const manager = yield* living(servers)
        expect(yield* textOf(manager, "good", "echo", { text: "hi" })).toBe("hi")
      })
    )
  },
  { see: unit }
)

fault(
  4,
  "References to the environment mean the same in every field; an unset one without a default stops its server, by name",
  () => {
    it.scopedLive("a program gets them in its arguments, environment and folder", () =>
      Effect.gen(function* () {
        const home = yield* folder
        const { args, ...rest } = entry("env-report", "--token=${DEMO_TOKEN}", "${MODE:-fast}")
        const { argv, cwd, values } = yield* reported(
          { ...rest, args, cwd: "${DEMO_HOME}", env: { AUTH: "Bearer ${DEMO_TOKEN}", NESTED: "${DEMO_NESTED}" } },
          { DEMO_TOKEN: "t0ken", DEMO_HOME: home, DEMO_NESTED: "${DEMO_TOKEN}" }
        )
        expect(argv.slice(-2)).toEqual(["--token=t0ken", "fast"])
        expect(cwd).toBe(home)
        expect(values).toMatchObject({ AUTH: "Bearer t0ken", NESTED: "${DEMO_TOKEN}" })
      })
    )

    it.scopedLive("an HTTP server gets them in its address and headers", () =>
      Effect.gen(function* () {
        const { problems, servers } = yield* loadEntries(
          { it: { url: "http://127.0.0.1:1/${P:-mcp}", headers: { Authorization: "Bearer ${DEMO_TOKEN}" } } },
          { DEMO_TOKEN: "t0ken" }
        )
        expect(problems).toEqual([])
        expect(servers[0]?.transport).toMatchObject({
          url: "http://127.0.0.1:1/mcp",
          headers: { Authorization: "Bearer t0ken" }
        })
      })
    )

    it("one that is not set names variable and field, wherever it stands, and sends nothing in its place", () => {
      for (const [field, it] of [
        ["command", { command: "${GONE}" }],
        ["args.0", { command: "node", args: ["${GONE}"] }],
        ["env.K", { command: "node", env: { K: "${GONE}" } }],
        ["cwd", { command: "node", cwd: "${GONE}" }],
        ["url", { url: "http://x/${GONE}" }],
        ["headers.Authorization", { url: "http://x/", headers: { Authorization: "Bearer ${GONE}" } }]
      ] as const) {
        const { problems, servers } = parseEntry(it)
        expect(servers).toEqual([])
        expect(problems[0]?.message).toContain(`"${field}" needs \${GONE}, which is not set`)
      }
    })
  },
  { see: unit }
)

fault(
  5,
  "Only a plain name, alone or with a default, is a reference; every other text between braces reaches the program untouched",
  () => {
    it.scopedLive("a shell's own forms are the shell's", () =>
      Effect.gen(function* () {
        const forms = ["${_X%o}", "${#x}", "${x:?no}", "${1}", "${x/a/b}", "${}", "$x", "${ x }", "${x:+y}", "${x-y}"]
        const { command, args } = entry("env-report", ...forms)
        const { argv } = yield* reported({ command, args })
        expect(argv.slice(-forms.length)).toEqual(forms)
      })
    )

    it("no text without a plain reference is changed", () => {
      const text = fc
        .string()
        .filter((text) => !/\$\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\}/.test(text) && !text.includes("\0"))
      fc.assert(
        fc.property(text, (argument) => {
          expect(stdioOf(parseEntry({ command: "node", args: [argument] })).args).toEqual([argument])
        })
      )
    })
  },
  { see: unit }
)

fault(
  6,
  "disabled: true and enabled: false both switch off, off wins, and what is off is listed but never started",
  () => {
    it.scopedLive("no spelling of off starts the program", () =>
      Effect.gen(function* () {
        const marks = yield* folder
        const marking = (name: string) => entry("crash", "start", join(marks, name))
        const { servers } = yield* loadEntries({
          a: { ...marking("a"), disabled: true },
          b: { ...marking("b"), enabled: false },
          c: { ...marking("c"), disabled: true, enabled: true },
          d: { ...marking("d"), disabled: false, enabled: false },
          on: { ...marking("on"), disabled: false, enabled: true }
        })
        const manager = yield* living(servers)
        expect(yield* words(manager)).toEqual({
          a: "disabled",
          b: "disabled",
          c: "disabled",
          d: "disabled",
          on: "failed"
        })
        const started = ["a", "b", "c", "d", "on"].filter((name) => existsSync(join(marks, name)))
        expect(started).toEqual(["on"])
      })
    )

    it("one whose variables are not set stays in the list", () => {
      const { servers } = parseEntry({ url: "http://${GONE}/", disabled: true })
      expect(servers[0]).toMatchObject({ disabled: true, unusable: expect.stringContaining("GONE") })
    })
  },
  { see: unit }
)

fault(
  7,
  "The transport follows from url or command; every spelling of other hosts is known; an unknown one costs the entry; no part is dropped silently",
  () => {
    const headers = { Authorization: "Bearer t0ken" }

    it("every spelling gives the same connection, headers and all", () => {
      for (const it of [
        { url: "http://x/" },
        { httpUrl: "http://x/" },
        { serverUrl: "http://x/" },
        ...["http", "streamable-http", "streamable_http", "streamableHttp"].flatMap((type) => [
          { type, url: "http://x/" },
          { transport: type, url: "http://x/" },
          { transport: { type, url: "http://x/" } }
        ])
      ]) {
        const { problems, servers } = parseEntry({ ...it, headers })
        expect(problems).toEqual([])
        expect(servers[0]?.transport).toMatchObject({ _tag: "http", url: "http://x/", headers })
      }
    })

    it("a nested transport keeps its headers", () => {
      const { problems, servers } = parseEntry({ transport: { type: "sse", url: "http://x/", headers } })
      expect(problems).toEqual([])
      expect(servers[0]?.transport).toMatchObject({ _tag: "sse", headers })
    })

    it("a type that nobody knows, and a field that nobody reads, are told", () => {
      fc.assert(
        fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
          const { problems } = parseEntry({ command: "node", [`x${word}`]: 1 })
          expect(problems[0]?.message).toContain(`"x${word}"`)
          const typed = parseEntry({ type: `x${word}`, url: "http://x/" })
          expect(typed.servers).toEqual([])
          expect(typed.problems[0]?.message).toContain('"type" must be one of')
        })
      )
    })
  },
  { see: unit }
)

fault(
  8,
  "Numbers and booleans in env become texts; what cannot be one is left out and told; the entry and the program go on",
  () => {
    it.scopedLive("the program gets what can be had", () =>
      Effect.gen(function* () {
        const env = { PORT: 8080, DEBUG: true, ZERO: 0, LIST: ["a"], NUL: null, OBJ: {} }
        const { values } = yield* reported({ ...entry("env-report"), env })
        expect(values).toEqual({ PORT: "8080", DEBUG: "true", ZERO: "0", LIST: null, NUL: null, OBJ: null })
      })
    )

    it("each value that is left out is told by its name", () => {
      const { problems, servers } = parseEntry({ command: "node", env: { A: "1", LIST: ["a"], NUL: null, OBJ: {} } })
      expect(servers).toHaveLength(1)
      expect(problems).toHaveLength(3)
      for (const name of ["env.LIST", "env.NUL", "env.OBJ"]) {
        expect(problems.some(({ message }) => message.includes(`"${name}"`))).toBe(true)
      }
    })

    it("a list of KEY=VALUE is an environment too", () => {
      expect(stdioOf(parseEntry({ command: "node", env: ["A=1", "B=x=y"] })).env).toEqual({ A: "1", B: "x=y" })
    })

    it("no value of env, whatever JSON it is, costs more than its entry", () => {
      fc.assert(
        fc.property(fc.json(), (json) => {
          const text = `{"mcpServers":{"it":{"command":"node","env":${json}},"next":{"command":"node"}}}`
          expect(parse(text).servers.map(({ name }) => name)).toContain("next")
        })
      )
    })
  },
  { see: unit }
)

fault(
  9,
  "A list in command is program and arguments; a whole command line gets the hint to use args, and no shell reads it",
  () => {
    it.scopedLive("a list starts the program", () =>
      Effect.gen(function* () {
        const { command, args } = entry("env-report")
        const { argv } = yield* reported({ command: [command, ...args], args: ["--x", "a b"] })
        expect(argv.slice(-2)).toEqual(["--x", "a b"])
      })
    )

    it.scopedLive("a command line is named as what it is, and started as nothing", () =>
      Effect.gen(function* () {
        const home = yield* folder
        const { problems, servers } = yield* loadEntries({
          line: { command: `node server.mjs --token=hunter2` },
          shell: { command: `touch ${join(home, "touched")}` }
        })
        expect(problems.map(({ server }) => server)).toEqual(["line", "shell"])
        for (const { message } of problems) expect(message).toContain('move the rest to "args"')
        expect(problems[0]?.message).not.toContain("hunter2")
        const manager = yield* living(servers)
        expect(yield* words(manager)).toEqual({ line: "failed", shell: "failed" })
        expect(JSON.stringify(yield* manager.statuses)).not.toContain("hunter2")
        expect(existsSync(join(home, "touched"))).toBe(false)
      })
    )

    it.scopedLive("a program whose path has spaces is a program", () =>
      Effect.gen(function* () {
        const home = yield* folder
        const program = join(home, "my server")
        writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} "$@"\n`, { mode: 0o755 })
        const { problems, servers } = yield* loadEntries({ it: { ...entry("stdout-noise"), command: program } })
        expect(problems).toEqual([])
        expect(yield* textOf(yield* living(servers), "it", "echo", { text: "hi" })).toBe("hi")
      })
    )
  },
  { see: unit }
)

fault(
  10,
  "A program that cannot be found is one clear failure of its server; Windows scripts are found by PATHEXT and run through cmd.exe",
  () => {
    it.scopedLive("names the command and where it was looked for, and leaves the others alone", () =>
      Effect.gen(function* () {
        const { servers } = yield* loadEntries({
          missing: { command: "no-such-program-xyz" },
          script: { command: "no-such-program-xyz.cmd" },
          path: { command: "./no/such/program" },
          good: entry("stdout-noise")
        })
        const manager = yield* living(servers)
        expect(yield* words(manager)).toEqual({
          good: "connected",
          missing: "failed",
          path: "failed",
          script: "failed"
        })
        expect(yield* statusOf(manager, "missing")).toMatchObject({
          error: { phase: "spawn", message: "command not found: no-such-program-xyz (looked for it in PATH)" }
        })
      })
    )
  },
  { see: ["test/mcp/StdioTransport.life.test.ts", "test/mcp/internal/ChildEnvironment.test.ts"] }
)
