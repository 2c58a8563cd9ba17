import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { json, serve } from "../mcp/httpServer.ts"
import { configured, folder, root, start } from "./cli.ts"
import { hasTmux, open } from "./tmux.ts"

const modules = join(root, "node_modules/@modelcontextprotocol")
const everything = { command: process.execPath, args: [join(modules, "server-everything/dist/index.js")] }

describe.skipIf(!hasTmux)("a server that asks", () => {
  it.scopedLive(
    "is answered in dialogs; its prompts are commands, its resources can be mentioned",
    () =>
      Effect.gen(function* () {
        const ui = yield* open(["--config", yield* configured({ everything })])
        yield* ui.resize(110, 40)
        yield* ui.shows("everything ● 17 tools")

        yield* ui.type("/mcp__everything__comp")
        yield* ui.press("Tab")
        yield* ui.shows("› /mcp__everything__completable_prompt")
        yield* ui.press("Tab")
        yield* ui.shows("completable_prompt department=")
        yield* ui.press("Tab")
        yield* ui.shows("department=Engineering")
        yield* ui.type(" name=")
        yield* ui.press("Tab")
        yield* ui.shows("name=Alice")
        yield* ui.press("Enter")
        yield* ui.shows(/Please\s+promote Alice to the head of the Engineering team\./)
        yield* ui.shows("ready")

        yield* ui.type("/mcp__everything__args_prompt")
        yield* ui.press("Enter")
        yield* ui.shows("city must be given: /mcp__everything__args_prompt city=… [state=…]")

        yield* ui.type("read @every")
        yield* ui.press("Tab")
        yield* ui.shows("read @everything:")
        yield* ui.type("demo://resource/static/document/how")
        yield* ui.press("Tab")
        yield* ui.shows("@everything:demo://resource/static/document/how-it-works.md")
        yield* ui.press("Enter")
        yield* ui.shows(/read @everything:\S+how-it-works.md/)
        yield* ui.shows("ready")

        yield* ui.type("trigger elicitation request")
        yield* ui.press("Enter")
        yield* ui.shows("Allow this tool to run?")
        yield* ui.type("y")
        yield* ui.shows("everything asks you")
        yield* ui.shows(/Integer: 42/)
        yield* ui.type("Ada")
        yield* ui.press("Up", "Up", "Up", "Enter")
        yield* ui.shows(/"action": "accept",\s+"content": \{\s+"name": "Ada",/)
        yield* ui.shows("ready")
        expect(yield* ui.all).toContain("✓ mcp__everything__trigger_elicitation_request")

        yield* ui.type("trigger sampling request with prompt 'What time is it?'")
        yield* ui.press("Enter")
        yield* ui.shows("Allow this tool to run?")
        yield* ui.type("y")
        yield* ui.shows("Let the model answer a server?")
        yield* ui.shows("user: Resource trigger-sampling-request context: What time is it?")
        yield* ui.type("n")
        yield* ui.shows("the person did not allow this request")
        yield* ui.shows("ready")
        expect(yield* ui.all).toContain("✗ mcp__everything__trigger_sampling_request")

        yield* ui.type("/mcp everything")
        yield* ui.press("Enter")
        yield* ui.shows("MCP Tool Management")
        yield* ui.type("i")
        yield* ui.shows("speaks 2025-11-25: server/discover was")
        yield* ui.shows("says of itself:")
      }),
    120_000
  )
})

describe.skipIf(!hasTmux)("mcp call at a terminal", () => {
  it.scopedLive(
    "asks the person what the server wants to know, line by line",
    () =>
      Effect.gen(function* () {
        const config = yield* configured({ everything })
        const terminal = yield* open(["mcp", "call", "everything", "trigger-elicitation-request", "--config", config])
        yield* terminal.shows("Answer it? [y]es, [n]o")
        yield* terminal.type("n")
        yield* terminal.press("Enter")
        yield* terminal.shows(/declined/)
        yield* terminal.shows("ended with 0")
      }),
    120_000
  )

  it.scopedLive(
    "shows a page that the call needs to have visited, and makes the call again after that",
    () =>
      Effect.gen(function* () {
        const { server, visited } = yield* needsVisit
        const config = yield* configured({ it: { type: "http", url: server.url, protocolVersion: "2025-11-25" } })
        const terminal = yield* open(["mcp", "call", "it", "files", "--config", config])
        yield* terminal.shows("it wants you to visit a page: Log in to see your files")
        yield* terminal.shows("https://login.example.com/start?id=e1")
        expect(visited()).toBe(false)
        yield* terminal.type("y")
        yield* terminal.press("Enter")
        yield* terminal.shows("two files")
        yield* terminal.shows("ended with 0")
      }),
    120_000
  )

  it.scopedLive(
    "is left by Ctrl+C at a question",
    () =>
      Effect.gen(function* () {
        const config = yield* configured({ everything })
        const terminal = yield* open(["mcp", "call", "everything", "trigger-elicitation-request", "--config", config])
        yield* terminal.shows("Answer it? [y]es, [n]o")
        yield* terminal.press("C-c")
        yield* terminal.shows("ended with 130")
        const { after, before } = yield* terminal.settings
        expect(after).toBe(before)
      }),
    120_000
  )
})

/** A server whose tool wants a page to be visited: by the second call it has been. */
const needsVisit = Effect.gen(function* () {
  let calls = 0
  const page = {
    mode: "url",
    elicitationId: "e1",
    url: "https://login.example.com/start?id=e1",
    message: "Log in to see your files"
  }
  const server = yield* serve((got, response) => {
    const { id, method, params } = got.message
    if (id === undefined) return void response.writeHead(got.method === "GET" ? 405 : 202).end()
    const answer = (value: unknown) => json(response, 200, { jsonrpc: "2.0", id, result: value })
    if (method === "initialize") {
      const { protocolVersion } = params ?? {}
      const serverInfo = { name: "it", version: "1.0.0" }
      return answer({ protocolVersion, capabilities: { tools: {} }, serverInfo })
    }
    if (method === "tools/list") return answer({ tools: [{ name: "files", inputSchema: { type: "object" } }] })
    calls += 1
    if (calls > 1) return answer({ content: [{ type: "text", text: "two files" }] })
    const error = { code: -32042, message: "This request requires more information.", data: { elicitations: [page] } }
    json(response, 200, { jsonrpc: "2.0", id, error })
  })
  return { server, visited: () => calls > 1 }
})

describe("commands without a terminal", () => {
  const call = Effect.fnUntraced(function* (tool: string, env: Readonly<Record<string, string>> = {}) {
    const cwd = yield* folder
    const config = yield* configured({ everything })
    const running = yield* start(["mcp", "call", "everything", tool, "--config", config], { cwd, env })
    return { ...(yield* running.exit), cwd }
  })

  it.scopedLive(
    "tell servers where they work, and decline what only a person could answer",
    () =>
      Effect.gen(function* () {
        const roots = yield* call("get-roots-list")
        expect(roots.stdout).toContain(pathToFileURL(roots.cwd).href)
        const { stdout } = yield* call("trigger-elicitation-request")
        expect(stdout).toMatch(/declined/)
      }),
    120_000
  )

  it.scopedLive(
    "let servers ask a model where one is configured, with somebody's word alone",
    () =>
      Effect.gen(function* () {
        expect(yield* call("trigger-sampling-request")).toMatchObject({
          code: 2,
          stderr: expect.stringContaining('no tool "trigger-sampling-request"')
        })
        const config = yield* configured({ everything })
        const words = ["mcp", "call", "everything", "trigger-sampling-request", "prompt=hi", "--config", config]
        const running = yield* start(words, { env: { HARNESS9_MODEL: "offline" } })
        const { code, stderr, stdout } = yield* running.exit
        expect(code).toBe(1)
        expect(stdout + stderr).toContain("sampling(everything)")
      }),
    120_000
  )

  it.scopedLive("say so when a call needs a page to be visited", () =>
    Effect.gen(function* () {
      const { server } = yield* needsVisit
      const config = yield* configured({ it: { type: "http", url: server.url, protocolVersion: "2025-11-25" } })
      const { code, stderr } = yield* (yield* start(["mcp", "call", "it", "files", "--config", config])).exit
      expect(code).toBe(1)
      expect(stderr).toContain("a page of login.example.com to be visited first, which was declined")
    })
  )
})

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
    120_000
  )

  it.scopedLive(
    "tells servers where to work: here, and in the directories of their entries",
    () =>
      Effect.gen(function* () {
        const here = yield* folder
        const there = join(yield* folder, "there")
        mkdirSync(there)
        writeFileSync(join(there, "note.txt"), "found there")
        writeFileSync(join(here, "note.txt"), "found here")
        const server = { command: process.execPath, args: [join(modules, "server-filesystem/dist/index.js"), there] }
        const config = yield* configured({ fs: server })
        for (const place of [here, there]) {
          const prompt = `use mcp__fs__read_text_file with path ${join(place, "note.txt")}`
          const running = yield* start(["run", prompt, "--config", config, "--yes"], { cwd: here })
          expect((yield* running.exit).stdout).toContain(place === here ? "found here" : "found there")
        }
      }),
    120_000
  )
})
