import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { afterAll, describe } from "vitest"
import type * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as StdioTransport from "../../src/mcp/StdioTransport.ts"
import { allGone, isAlive, open, pidsOf } from "./stdioServer.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness9-")))
afterAll(() => rmSync(folder, { recursive: true }))

const initialize = (transport: McpTransport.Service) =>
  transport.request("initialize", { protocolVersion: "2025-06-18", capabilities: {} })

const call = (transport: McpTransport.Service, name: string, args = {}) =>
  transport.request("tools/call", { name, arguments: args })

describe("a program that cannot be started", () => {
  const failure = (options: Omit<StdioTransport.Options, "server">) =>
    Effect.scoped(Effect.flip(StdioTransport.make({ server: "bad", ...options })))

  const script = (name: string, content: string, mode: number) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    chmodSync(path, mode)
    return path
  }

  it.live("is named, and so is the search through PATH", () =>
    Effect.gen(function* () {
      expect(yield* failure({ command: "no-such-program-xyz" })).toMatchObject({
        server: "bad",
        phase: "spawn",
        kind: "spawn",
        message: "command not found: no-such-program-xyz (looked for it in PATH)",
        hint: expect.stringContaining("Install it")
      })
      expect((yield* failure({ command: "/no/such/program" })).message).toBe("command not found: /no/such/program")
    })
  )

  it.live("because it is a whole command line says where the rest belongs", () =>
    Effect.gen(function* () {
      expect((yield* failure({ command: "node server.mjs --x" })).hint).toContain("args")
    })
  )

  it.live("because its working directory is missing says so, and does not blame the command", () =>
    Effect.gen(function* () {
      const cwd = join(folder, "nowhere")
      expect((yield* failure({ command: process.execPath, cwd })).message).toBe(
        `the working directory ${cwd} does not exist`
      )
      const file = script("file", "", 0o600)
      expect((yield* failure({ command: process.execPath, cwd: file })).message).toContain("is not a directory")
    })
  )

  it.live("because it may not be executed says what to change", () =>
    Effect.gen(function* () {
      const command = script("plain.sh", "#!/bin/sh\n", 0o600)
      expect(yield* failure({ command })).toMatchObject({
        kind: "spawn",
        hint: `Make it executable: chmod +x ${command}`
      })
      expect((yield* failure({ command: folder })).message).toBe(`${folder} is a directory`)
    })
  )

  it.live("because its interpreter is missing is not called missing itself", () =>
    Effect.gen(function* () {
      const command = script("bad.sh", "#!/no/such/interpreter\n", 0o700)
      expect((yield* failure({ command })).message).toBe(
        `${command} exists, but the program that should run it does not`
      )
    })
  )

  it.live("keeps arguments and environment values out of the error", () =>
    Effect.gen(function* () {
      const error = yield* failure({ command: "node", args: ["s3cret\0"], env: { TOKEN: "s3cret\0" } })
      expect(error.kind).toBe("spawn")
      expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain("s3cret")
      expect((yield* failure({ command: "" })).message).toBe("the command is empty")
    })
  )
})

describe("a program that ends while it is needed", () => {
  it.scopedLive("fails every open call at once, with its exit code and the end of its stderr", () =>
    Effect.gen(function* () {
      const transport = yield* open("crash", ["call"])
      yield* initialize(transport)
      const idle = yield* Effect.fork(Effect.flip(transport.request("other", {})))
      const error = yield* Effect.flip(call(transport, "die"))
      expect(error).toMatchObject({ kind: "exit", phase: "call", message: "the server exited with code 7" })
      expect(error.stderr).toContain("boom at line 3")
      expect((yield* Fiber.join(idle)).kind).toBe("exit")
    })
  )

  it.scopedLive("is told with the signal that killed it", () =>
    Effect.gen(function* () {
      const transport = yield* open("crash", ["signal"])
      yield* initialize(transport)
      expect((yield* Effect.flip(call(transport, "die"))).message).toBe("the server was killed by SIGKILL")
    })
  )

  it.scopedLive("at its start, before it reads a word, is one failure of that server and nothing uncaught", () =>
    Effect.gen(function* () {
      const transport = yield* open("crash", ["start"])
      const error = yield* Effect.flip(transport.request("initialize", {}, { phase: "handshake", silent: true }))
      expect(error).toMatchObject({ kind: "exit", phase: "handshake", message: "the server exited with code 1" })
      expect(error.stderr).toBe('Error: missing module "yaml"')
    })
  )

  it.scopedLive("has its last words heard, even without a line end", () =>
    Effect.gen(function* () {
      const transport = yield* open("crash", ["partial"])
      yield* initialize(transport)
      expect(yield* call(transport, "die")).toEqual({ content: [{ type: "text", text: "whole" }] })
      expect((yield* Effect.flip(transport.closed)).message).toBe("the server exited with code 0")
    })
  )

  it.scopedLive("or closes its stdin only fails the requests that it cannot read", () =>
    Effect.gen(function* () {
      const transport = yield* open("crash", ["handshake"])
      yield* initialize(transport)
      const error = yield* Effect.flip(Effect.forever(transport.request("tools/list", {})))
      expect(["closed", "exit"]).toContain(error.kind)
    })
  )

  it.scopedLive("or closes its stdout and lives on fails the connection", () =>
    Effect.gen(function* () {
      const transport = yield* open("crash", ["deaf"])
      yield* initialize(transport)
      expect((yield* Effect.flip(transport.closed)).kind).toBe("closed")
      expect((yield* Effect.flip(call(transport, "die"))).kind).toBe("closed")
    })
  )

  it.scopedLive("fails its calls although a child of it holds the pipes, and the child is ended too", () =>
    Effect.gen(function* () {
      const transport = yield* open("orphaning", [], { grace: "100 millis" })
      const error = yield* Effect.flip(Effect.timeout(transport.request("leave", {}), "5 seconds"))
      expect(error).toMatchObject({ kind: "exit", message: "the server exited with code 3" })
      const [left] = yield* Stream.runCollect(transport.inbound)
      yield* allGone([Number(left?.params?.pid)])
    })
  )
})

describe("closing the Scope", () => {
  const closeAfter = <A, E>(
    open: Effect.Effect<McpTransport.Service, E, Scope.Scope>,
    use: (transport: McpTransport.Service) => Effect.Effect<A, E>
  ) => Effect.scoped(Effect.flatMap(open, use))

  const started = (transport: McpTransport.Service) => Stream.runHead(transport.inbound)

  it.live("lets a program that ends with its stdin do so in peace", () =>
    Effect.gen(function* () {
      const file = join(folder, "eof.log")
      yield* closeAfter(open("orderly", [file, "eof"]), started)
      expect(readFileSync(file, "utf8").trim().split("\n")).toEqual(["start", "eof", "clean"])
    })
  )

  it.live("asks a program that stays on with SIGTERM", () =>
    Effect.gen(function* () {
      const file = join(folder, "term.log")
      yield* closeAfter(open("orderly", [file, "term"], { grace: "1 second" }), started)
      expect(readFileSync(file, "utf8").trim().split("\n")).toEqual(["start", "eof", "term", "clean"])
    })
  )

  it.live("ends a launcher and its child that ignore both, several at once, within their grace", () =>
    Effect.gen(function* () {
      const scopes = yield* Effect.forEach([1, 2, 3], () => Scope.make())
      const pids = yield* Effect.forEach(
        scopes,
        (scope) =>
          Effect.gen(function* () {
            const transport = yield* Scope.extend(open("stubborn", [], { grace: "300 millis" }), scope)
            yield* initialize(transport)
            return pidsOf(yield* call(transport, "pids"))
          }),
        { concurrency: "unbounded" }
      )
      expect(pids.flat()).toHaveLength(6)
      const [took] = yield* Effect.timed(
        Effect.forEach(scopes, (scope) => Scope.close(scope, Exit.void), { concurrency: "unbounded", discard: true })
      )
      expect(Duration.toMillis(took)).toBeLessThan(3000)
      expect(pids.flat().filter(isAlive)).toEqual([])
    })
  )

  it.live("ends the program of a fiber that is interrupted in the middle of its handshake", () =>
    Effect.gen(function* () {
      const pids: Array<number> = []
      const connecting = yield* Effect.fork(
        closeAfter(open("slow-start", ["never"]), (transport) =>
          Effect.zipRight(
            Effect.map(transport.diagnostics, ({ pid }) => pids.push(pid ?? 0)),
            initialize(transport)
          )
        )
      )
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => pids.length > 0 })
      yield* Fiber.interrupt(connecting)
      expect(pids.filter(isAlive)).toEqual([])
    })
  )

  it.live("at once after the start leaves nothing behind", () =>
    Effect.gen(function* () {
      const pid = yield* closeAfter(open("slow-start", ["never"]), (transport) =>
        Effect.map(transport.diagnostics, (diagnostics) => diagnostics.pid ?? 0)
      )
      expect(pid).toBeGreaterThan(0)
      expect(isAlive(pid)).toBe(false)
    })
  )

  it.effect("takes the machine's time, also under a clock that a test has stopped", () =>
    Effect.gen(function* () {
      const pid = yield* closeAfter(open("orderly", [join(folder, "clock.log"), "eof"]), (transport) =>
        Effect.map(transport.diagnostics, (diagnostics) => diagnostics.pid ?? 0)
      )
      expect(isAlive(pid)).toBe(false)
    })
  )
})

describe("the environment of a program", () => {
  it.scopedLive("is what it needs and what the entry names, none of the host's keys", () =>
    Effect.gen(function* () {
      process.env.HARNESS9_TEST_API_KEY = "demo"
      const transport = yield* open("env-report", ["one", "two words"], { cwd: folder, env: { OWN: "1" } })
      delete process.env.HARNESS9_TEST_API_KEY
      yield* initialize(transport)
      const report = (yield* call(transport, "env", { names: ["OWN", "PATH"] })) as {
        readonly content: ReadonlyArray<{ readonly text: string }>
      }
      const { argv, cwd, keys, values } = JSON.parse(report.content[0]?.text ?? "{}")
      expect(keys).not.toContain("HARNESS9_TEST_API_KEY")
      expect(values).toEqual({ OWN: "1", PATH: process.env.PATH })
      expect(cwd).toBe(folder)
      expect(argv).toEqual(["one", "two words"])
    })
  )

  it.scopedLive("is the host's whole one when the entry asks for that", () =>
    Effect.gen(function* () {
      process.env.HARNESS9_TEST_API_KEY = "demo"
      const transport = yield* open("env-report", [], { inheritEnv: true })
      delete process.env.HARNESS9_TEST_API_KEY
      yield* initialize(transport)
      expect(JSON.stringify(yield* call(transport, "env"))).toContain("HARNESS9_TEST_API_KEY")
    })
  )
})

it.scopedLive("arguments reach the program as they are: no shell is between", () =>
  Effect.gen(function* () {
    const transport = yield* open("env-report", ["$(id)", "; exit 1", "*"])
    yield* initialize(transport)
    const report = JSON.stringify(yield* call(transport, "env"))
    for (const argument of ["$(id)", "; exit 1", "*"]) expect(report).toContain(argument)
  })
)
