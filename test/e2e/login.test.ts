/**
 * Logins through the built program: a browser that follows every page stands where `xdg-open` would be.
 */
import { chmodSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fakeServer, oneTool } from "../mcp/auth/fakeServer.ts"
import { json } from "../mcp/httpServer.ts"
import { configured, folder, root, run, runJson, start } from "./cli.ts"
import { hasTmux, open } from "./tmux.ts"

/** What a person's machine has: a browser, a display, and a place where logins are kept. */
const machine = Effect.gen(function* () {
  const bin = yield* folder
  const opener = join(bin, "xdg-open")
  writeFileSync(opener, `#!${process.execPath}\nvoid fetch(process.argv[2])\n`)
  chmodSync(opener, 0o755)
  return { DISPLAY: ":9", PATH: `${bin}${delimiter}${process.env.PATH}`, XDG_STATE_HOME: yield* folder }
})

/** A server that works for those who have logged in. */
const guarded = Effect.gen(function* () {
  const server = yield* fakeServer({ mcp: oneTool })
  return { server, config: yield* configured({ guarded: { url: server.url } }) }
})

describe("a server that wants a login", () => {
  it.scopedLive("says so in the list, and what to do; a call to it ends with exit code 4", () =>
    Effect.gen(function* () {
      const { config } = yield* guarded
      const env = yield* machine
      const { code, json } = yield* runJson(["mcp", "list", "--json", "--config", config], { env })
      expect({ code, servers: json.servers }).toMatchObject({
        code: 0,
        servers: [{ name: "guarded", status: "needs-auth", error: { kind: "needs-auth" } }]
      })
      const called = yield* run(["mcp", "call", "guarded", "open", "--config", config], { env })
      expect(called.code).toBe(4)
      expect(called.stderr).toContain("harness9 mcp login guarded")
    })
  )

  it.scopedLive("works after mcp login, also in later runs, until mcp logout", () =>
    Effect.gen(function* () {
      const { config, server } = yield* guarded
      const env = yield* machine
      const login = yield* run(["mcp", "login", "guarded", "--config", config], { env })
      expect(login).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Logged in to guarded by http:/) })

      const tools = yield* runJson(["mcp", "tools", "guarded", "--json", "--config", config], { env })
      expect(tools.json.tools).toMatchObject([{ name: "mcp__guarded__open" }])

      const logout = yield* runJson(["mcp", "logout", "guarded", "--json", "--config", config], { env })
      expect(logout).toMatchObject({ code: 0, json: { server: "guarded", forgotten: 1, revoked: 1 } })
      expect(server.at("/revoke")).not.toEqual([])
      const list = yield* runJson(["mcp", "list", "--json", "--config", config], { env })
      expect(list.json.servers).toMatchObject([{ status: "needs-auth" }])

      const said = JSON.stringify([login, tools, logout, list])
      for (const secret of ["the-token-123", "the-code-123"]) expect(said).not.toContain(secret)
    })
  )

  it.scopedLive("prints the address where there is no browser, and is left alone by Ctrl+C", () =>
    Effect.gen(function* () {
      const { config } = yield* guarded
      const { PATH, XDG_STATE_HOME } = yield* machine
      const waiting = yield* start(["mcp", "login", "guarded", "--config", config], { env: { PATH, XDG_STATE_HOME } })
      yield* waiting.until("/authorize?")
      yield* waiting.kill("SIGINT")
      expect(yield* waiting.exit).toMatchObject({ code: 130, stdout: "" })
    })
  )

  it.scopedLive("waits for the person as long as --timeout says", () =>
    Effect.gen(function* () {
      const { config } = yield* guarded
      const { PATH, XDG_STATE_HOME } = yield* machine
      const words = ["mcp", "login", "guarded", "--timeout", "300ms", "--config", config]
      const { code, stderr } = yield* run(words, { env: { PATH, XDG_STATE_HOME } })
      expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining("within 300ms") })
    })
  )

  it.scopedLive("has no login when it is a program", () =>
    Effect.gen(function* () {
      const config = yield* configured({ program: { command: "node" } })
      const { code, stderr } = yield* run(["mcp", "login", "program", "--config", config])
      expect(code).toBe(2)
      expect(stderr).toContain("a program has no login")
    })
  )
})

/** The address of the page to log in on, as a terminal shows it. */
const pageIn = (screen: string): string => /http:\S+\/authorize\?\S+/.exec(screen.replaceAll("\n", ""))?.[0] ?? ""

describe.skipIf(!hasTmux)("in a terminal, a login", () => {
  it.scopedLive("without a browser is answered by pasting the address that another machine's ended at", () =>
    Effect.gen(function* () {
      const { config } = yield* guarded
      const ui = yield* open(["mcp", "login", "guarded", "--config", config], { DISPLAY: "" })
      yield* ui.shows("On another machine the browser ends at an address that does not load")
      const page = yield* ui.screen
      const end = yield* Effect.promise(() => fetch(pageIn(page), { redirect: "manual" }))
      yield* ui.type(end.headers.get("location") ?? "")
      yield* ui.press("Enter")
      yield* ui.shows("Logged in to guarded by http:")
      yield* ui.shows("ended with 0")
    })
  )

  it.scopedLive(
    "is begun by Enter while the rest goes on, and one that ends in the middle of a run is told at once",
    () =>
      Effect.gen(function* () {
        let over = false
        const server = yield* fakeServer({
          mcp: (got, response) =>
            over ? json(response, 401, {}, { "www-authenticate": "Bearer" }) : oneTool(got, response)
        })
        const other = { command: process.execPath, args: [join(root, "test/fixtures/cli/server.mjs")] }
        const config = yield* configured({ guarded: { url: server.url }, other })
        const bin = yield* folder
        const [gate, opener] = [join(bin, "gate"), join(bin, "xdg-open")]
        writeFileSync(
          opener,
          `#!/bin/sh\n(while [ ! -e ${gate} ]; do sleep 0.05; done; exec ${process.execPath} -e 'void fetch(process.argv[1])' "$1") &\n`
        )
        chmodSync(opener, 0o755)
        const ui = yield* open(["--config", config], { DISPLAY: ":9", PATH: `${bin}${delimiter}${process.env.PATH}` })
        yield* ui.shows(/guarded ○ needs login.*other ● 8 tools/)

        yield* ui.type("/mcp guarded")
        yield* ui.press("Enter")
        yield* ui.shows("try: l logs in")
        yield* ui.press("Enter")
        yield* ui.shows("log in in the browser that was opened")
        yield* ui.press("Escape")
        yield* ui.type("echo the text 'hello'")
        yield* ui.press("Enter")
        yield* ui.shows(/✓ mcp__other__echo/)
        writeFileSync(gate, "")
        yield* ui.shows("guarded ● 1 tool")

        over = true
        yield* ui.type("call the tool mcp__guarded__open")
        yield* ui.press("Enter")
        yield* ui.shows("Allow this tool to run?")
        yield* ui.type("y")
        yield* ui.shows(/✗ mcp__guarded__open/)
        yield* ui.shows("guarded ○ needs login")
      }),
    120_000
  )
})
