import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { EngineEvent } from "../../src/engine/EngineEvent.ts"
import { LoginPrompt } from "../../src/mcp/auth/LoginPrompt.ts"
import { McpAuth } from "../../src/mcp/McpAuth.ts"
import * as Tool from "../../src/tool/Tool.ts"
import type { Services } from "../../src/tui/Session.ts"
import * as Tui from "../../src/tui/Tui.ts"
import { FakeStdin, FakeStdout } from "./FakeTerminal.ts"
import { connected, failed, mcpTool, needsAuth, pending, tool, world } from "./fakes.ts"

const start = Effect.fnUntraced(function* <E>(
  services: Layer.Layer<Services, E, LoginPrompt>,
  options: Partial<Tui.Options> = {}
) {
  const stdin = new FakeStdin()
  const stdout = new FakeStdout()
  const fiber = yield* Tui.run(
    {
      model: "offline",
      configFile: "/tmp/none.json",
      stdin: stdin as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      ...options
    },
    services
  ).pipe(Effect.provide(NodeFileSystem.layer), Effect.fork)
  yield* stdout.shows("Ctrl+C quit")
  return { stdin, stdout, fiber }
})

const expectRestored = ({ stdin, stdout }: { readonly stdin: FakeStdin; readonly stdout: FakeStdout }) => {
  expect([stdin.isRaw, stdin.isPaused, stdin.listenerCount("data")]).toEqual([false, true, 0])
  for (const mode of ["?2004", "?1049"]) {
    const on = stdout.written.lastIndexOf(`\x1b[${mode}h`)
    expect(stdout.written.lastIndexOf(`\x1b[${mode}l`)).toBeGreaterThanOrEqual(on)
  }
  expect(stdout.written.lastIndexOf("\x1b[?25h")).toBeGreaterThan(stdout.written.lastIndexOf("\x1b[?25l"))
}

describe("Tui.run", () => {
  it.live("draws its first frame before its services are there", () =>
    Effect.gen(function* () {
      const ui = yield* start(Layer.effectDiscard(Effect.never) as unknown as Layer.Layer<Services>)
      expect(ui.stdin.isRaw).toBe(true)
      yield* ui.stdin.type("\x03")
      yield* Fiber.join(ui.fiber)
      expectRestored(ui)
    })
  )

  it.live("gives the terminal back when its services cannot be built, and fails with their reason", () =>
    Effect.gen(function* () {
      const ui = yield* start(Layer.fail("no config" as const) as Layer.Layer<Services, "no config">)
      expect(yield* Effect.flip(Fiber.join(ui.fiber))).toBe("no config")
      expectRestored(ui)
    })
  )

  it.live("gives the terminal back when it is interrupted in a panel", () =>
    Effect.gen(function* () {
      const { layer } = yield* world({ statuses: [pending("a")] })
      const ui = yield* start(layer)
      yield* ui.stdin.type("/mcp\r")
      yield* ui.stdout.shows("MCP Tool Management")
      expect(ui.stdout.written).toContain("\x1b[?1049h")
      yield* Fiber.interrupt(ui.fiber)
      expectRestored(ui)
    })
  )

  it.live("the bar follows the servers without a key press", () =>
    Effect.gen(function* () {
      const { layer, statuses } = yield* world({ statuses: [pending("a")] })
      const ui = yield* start(layer)
      yield* ui.stdout.shows("[MCP] a ○ connecting")
      yield* SubscriptionRef.set(statuses, [connected("a", [mcpTool("x")])])
      yield* ui.stdout.shows("[MCP] a ● 1 tool")
      yield* SubscriptionRef.set(statuses, [failed("a", "died")])
      yield* ui.stdout.shows("[MCP] a ✗ failed")
      yield* Fiber.interrupt(ui.fiber)
    })
  )

  it.live("a prompt goes to the engine, and its answer into the scrollback", () =>
    Effect.gen(function* () {
      const run = () =>
        Stream.make(
          EngineEvent.ToolStarted({ id: "1", name: "read_file", server: undefined, arguments: { path: "x" } }),
          EngineEvent.ToolFinished({
            id: "1",
            name: "read_file",
            result: Tool.text("text"),
            denied: false,
            durationMs: 3
          }),
          EngineEvent.TextDelta({ text: "the **answer**" }),
          EngineEvent.Usage({ inputTokens: 1_500, outputTokens: 7 }),
          EngineEvent.Done({ reason: "answer", text: "the answer", turns: 1, error: undefined })
        )
      const { calls, layer } = yield* world({ run })
      const ui = yield* start(layer)
      yield* ui.stdin.type("what?\r")
      yield* ui.stdout.shows("the answer")
      yield* ui.stdout.shows("✓ read_file  3 ms  path: x")
      yield* ui.stdout.shows("↑1.5k ↓7 tokens")
      expect(yield* Ref.get(calls)).toContain("ask what?")
      yield* Fiber.interrupt(ui.fiber)
    })
  )

  it.live("Esc stops a run, and the prompt after it runs", () =>
    Effect.gen(function* () {
      const stopped = yield* Ref.make(0)
      const run = (prompt: string) =>
        prompt === "hang"
          ? Stream.ensuring(
              Stream.never,
              Ref.update(stopped, (count) => count + 1)
            )
          : Stream.make(EngineEvent.TextDelta({ text: "fine" }))
      const { layer } = yield* world({ run })
      const ui = yield* start(layer)
      yield* ui.stdin.type("hang\r")
      yield* ui.stdout.shows("thinking")
      yield* ui.stdin.type("\x1b")
      yield* ui.stdout.shows("cancelled")
      expect(yield* Ref.get(stopped)).toBe(1)
      yield* ui.stdin.type("again\r")
      yield* ui.stdout.shows("fine")
      yield* Fiber.interrupt(ui.fiber)
    })
  )

  it.live("! runs the shell tool and gives its output to the model", () =>
    Effect.gen(function* () {
      const { calls, layer } = yield* world({ tools: [tool("bash")] })
      const ui = yield* start(layer)
      yield* ui.stdin.type("!ls\r")
      yield* ui.stdout.shows("✓ bash")
      yield* ui.stdin.type("!pwd\r")
      yield* ui.stdout.shows("command: pwd")
      expect((yield* Ref.get(calls)).filter((call) => call !== "start").slice(0, 2)).toEqual([
        'execute bash {"command":"ls"}',
        "context The user ran this command in a shell:\n$ ls\noutput"
      ])
      yield* Fiber.interrupt(ui.fiber)
    })
  )

  it.live("the editor has the terminal to itself, and the view comes back with what was found wrong", () =>
    Effect.gen(function* () {
      const { layer } = yield* world({ statuses: [connected("a", [mcpTool("x")])] })
      const before = process.env.EDITOR
      yield* Effect.addFinalizer(() => Effect.sync(() => Object.assign(process.env, { EDITOR: before ?? "" })))
      process.env.EDITOR = "true"
      const message = { text: "line 3: a comma is missing", tone: "error" } as const
      const seen = yield* Ref.make<boolean | undefined>(undefined)
      const ui = yield* start(layer, {
        onConfigEdited: Effect.as(
          Effect.suspend(() => Ref.set(seen, true)),
          message
        )
      })
      yield* ui.stdin.type("/mcp\r")
      yield* ui.stdout.shows("mcp__a__x")
      yield* ui.stdout.forget
      yield* ui.stdin.type("e")
      yield* ui.stdout.shows("line 3: a comma is missing")
      expect(yield* Ref.get(seen)).toBe(true)
      expect(ui.stdout.written.indexOf("\x1b[?1049l")).toBeGreaterThanOrEqual(0)
      expect(ui.stdout.written.lastIndexOf("\x1b[?1049h")).toBeGreaterThan(ui.stdout.written.indexOf("\x1b[?1049l"))
      expect(ui.stdin.isRaw).toBe(true)
      yield* ui.stdin.type("\x03")
      yield* Fiber.join(ui.fiber)
      expectRestored(ui)
    }).pipe(Effect.scoped)
  )

  it.live("r and d drive the servers", () =>
    Effect.gen(function* () {
      const { calls, layer } = yield* world({ statuses: [connected("a", [])] })
      const ui = yield* start(layer)
      yield* ui.stdout.shows("a ● 0 tools")
      yield* ui.stdin.type("/mcp\r")
      yield* ui.stdout.shows("MCP Tool Management")
      yield* ui.stdin.type("r")
      yield* ui.stdout.shows("a: reconnected")
      yield* ui.stdin.type("d")
      yield* ui.stdout.shows("a: disabled")
      expect(yield* Ref.get(calls)).toEqual(["start", "reconnect a", "disable a"])
      yield* Fiber.interrupt(ui.fiber)
    })
  )

  it.live("/model takes another model, which the status bar names; one that cannot be used is told", () =>
    Effect.gen(function* () {
      const { layer } = yield* world({})
      const ui = yield* start(layer, { model: "anthropic/of-the-command-line" })
      yield* ui.stdout.shows("offline  ·")
      yield* ui.stdin.type("/model fake/l\t\r")
      yield* ui.stdout.shows("offline/fake/large  ·")
      yield* ui.stdin.type("/model nobody/x\r")
      yield* ui.stdout.shows('✗ unknown model "nobody/x"')
      yield* ui.stdin.type("/model\r")
      yield* ui.stdout.shows("others: fake/small, fake/large")
      yield* Fiber.interrupt(ui.fiber)
    })
  )

  it.live("what is wrong with the configuration at the start is told in the conversation, and the UI works", () =>
    Effect.gen(function* () {
      const { layer } = yield* world({})
      const ui = yield* start(layer, { problems: Effect.succeed(["/p/.mcp.json:3:7: a comma is expected here"]) })
      yield* ui.stdout.shows("✗ /p/.mcp.json:3:7: a comma is expected here")
      yield* ui.stdin.type("/mcp\r")
      yield* ui.stdout.shows("no server is configured: e opens the file")
      yield* Fiber.interrupt(ui.fiber)
    })
  )

  it.live("l logs in at a server that wants it: the address is shown, and may be answered by pasting", () =>
    Effect.gen(function* () {
      const { calls, layer } = yield* world({ statuses: [needsAuth("linear"), connected("other", [])] })
      const waits = Layer.effect(
        McpAuth,
        Effect.gen(function* () {
          const fake = yield* McpAuth
          const { pasted } = yield* LoginPrompt
          const waiting = {
            server: "linear",
            url: new URL(`https://login.example/authorize?state=${"x".repeat(100)}`),
            opened: false,
            redirectUri: "http://127.0.0.1:7777/callback"
          }
          return {
            ...fake,
            login: (config) =>
              Effect.tap(fake.login(config), () =>
                Effect.flatMap(pasted(waiting), (address) => Ref.update(calls, (all) => [...all, `got ${address}`]))
              )
          }
        })
      )
      const ui = yield* start(Layer.provideMerge(waits, layer))
      yield* ui.stdout.shows("linear ○ needs login")
      yield* ui.stdin.type("/mcp linear\r")
      yield* ui.stdout.shows("try: l logs in")
      yield* ui.stdin.type("\r")
      yield* ui.stdout.shows("https://login.example/authorize?state=")
      yield* ui.stdin.type("\x1b[200~ http://127.0.0.1:7777/callback?code=1\n\x1b[201~")
      yield* ui.stdout.shows("linear: logged in")
      expect(yield* Ref.get(calls)).toEqual([
        "start",
        "login linear",
        "got http://127.0.0.1:7777/callback?code=1",
        "reconnect linear"
      ])
      yield* Fiber.interrupt(ui.fiber)
    })
  )

  it.live("a resize draws the screen for the new size", () =>
    Effect.gen(function* () {
      const { layer } = yield* world({})
      const ui = yield* start(layer)
      yield* ui.stdout.forget
      Object.assign(ui.stdout, { columns: 40, rows: 12 })
      ui.stdout.emit("resize")
      yield* ui.stdout.shows("─".repeat(39))
      expect(ui.stdout.text).not.toContain("─".repeat(40))
      yield* Fiber.interrupt(ui.fiber)
    })
  )

  it.live("quits when the terminal is gone", () =>
    Effect.gen(function* () {
      const { layer } = yield* world({})
      const ui = yield* start(layer)
      ui.stdin.emit("end")
      yield* Fiber.join(ui.fiber)
      expectRestored(ui)
    })
  )
})
