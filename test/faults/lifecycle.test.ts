/**
 * C. The life of a server's process.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import type * as McpManager from "../../src/mcp/McpManager.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as McpToolAdapter from "../../src/tool/McpToolAdapter.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { allGone, fixture, isAlive } from "../mcp/stdioServer.ts"
import { fault } from "./fault.ts"
import {
  entry,
  folder,
  living,
  loadEntries,
  scripted,
  statusOf,
  stdio,
  textOf,
  unstarted,
  until,
  untilLost,
  words
} from "./living.ts"

const life = ["test/mcp/StdioTransport.life.test.ts", "test/mcp/StdioTransport.host.test.ts"]

const errorOf = (manager: McpManager.Service, name: string) =>
  Effect.map(statusOf(manager, name), (status) => (status?._tag === "Failed" ? status.error : undefined))

const lines = (file: string) => readFileSync(file, "utf8").trim().split("\n")

fault(
  22,
  "A server that dies at once, or closes its pipes, is one failure of that server; nothing is thrown anywhere else",
  () => {
    it.scopedLive("each way of dying early is told of that server, and the one beside them works", () =>
      Effect.gen(function* () {
        const { servers } = yield* loadEntries({
          missing: { command: "no-such-program" },
          folder: { ...entry("stdout-noise"), cwd: "/no/such/folder" },
          start: entry("crash", "start"),
          good: entry("stdout-noise")
        })
        const manager = yield* living(servers)
        expect(yield* words(manager)).toEqual({
          folder: "failed",
          good: "connected",
          missing: "failed",
          start: "failed"
        })
        expect(yield* errorOf(manager, "missing")).toMatchObject({ phase: "spawn", kind: "spawn" })
        expect(yield* errorOf(manager, "folder")).toMatchObject({ message: expect.stringContaining("/no/such/folder") })
        expect(yield* errorOf(manager, "start")).toMatchObject({
          kind: "exit",
          stderr: expect.stringContaining("missing module")
        })
        expect(yield* textOf(manager, "good", "echo", { text: "hi" })).toBe("hi")
      })
    )

    it.scopedLive("one that closes its stdin, or its stdout, after the handshake costs nobody but itself", () =>
      Effect.gen(function* () {
        const manager = yield* living([
          stdio("crash", ["handshake"], { as: "stdin" }),
          stdio("crash", ["deaf"], { as: "stdout" }),
          stdio("stdout-noise")
        ])
        for (const name of ["stdin", "stdout"]) {
          yield* untilLost(manager, name)
        }
        expect(yield* textOf(manager, "stdout-noise", "echo", { text: "hi" })).toBe("hi")
      })
    )
  },
  { see: life }
)

fault(
  23,
  "Death in a call fails every open call at once, with code or signal and the last of stderr; each call has a limit and can be stopped",
  () => {
    it.scopedLive("every open call ends at once; a new connection works, and the server beside it never noticed", () =>
      Effect.gen(function* () {
        const manager = yield* living([
          stdio("crash", ["call"]),
          stdio("crash", ["signal"], { as: "killed" }),
          stdio("stdout-noise")
        ])
        for (const [name, message] of [
          ["crash", "code 7"],
          ["killed", "SIGKILL"]
        ] as const) {
          const calls = Array.from({ length: 5 }, () => Effect.flip(textOf(manager, name, "die")))
          const errors = yield* Effect.all(calls, { concurrency: "unbounded" }).pipe(Effect.timeout("5 seconds"))
          for (const error of errors)
            expect(error).toMatchObject({ kind: "exit", message: expect.stringContaining(message) })
          yield* untilLost(manager, name)
          expect((yield* manager.reconnect(name))._tag).toBe("Connected")
        }
        expect(yield* textOf(manager, "stdout-noise", "echo", { text: "unmoved" })).toBe("unmoved")
      })
    )

    it.scopedLive(
      "what the server wrote last is told, a half line included; a whole answer without a line end is an answer",
      () =>
        Effect.gen(function* () {
          const manager = yield* living([stdio("crash", ["call"]), stdio("crash", ["partial"], { as: "partial" })])
          expect(yield* Effect.flip(textOf(manager, "crash", "die"))).toMatchObject({
            stderr: expect.stringContaining("boom at line 3")
          })
          expect(yield* textOf(manager, "partial", "die")).toBe("whole")
        })
    )

    it.scoped("a call without an answer ends at its limit, and the session goes on", () =>
      Effect.gen(function* () {
        const server = TestServer.make({
          tools: { never: { handler: () => Effect.never }, now: { handler: () => "ok" } }
        })
        const manager = yield* scripted({ it: server })
        yield* manager.start
        const silent = yield* Effect.fork(Effect.flip(textOf(manager, "it", "never")))
        yield* TestClock.adjust("59 seconds")
        expect(yield* textOf(manager, "it", "now")).toBe("ok")
        yield* TestClock.adjust("1 seconds")
        expect((yield* Fiber.join(silent)).kind).toBe("timeout")
        expect(yield* textOf(manager, "it", "now")).toBe("ok")
      })
    )
  },
  { see: life }
)

fault(
  24,
  "A server is ended in order: end of input, then SIGTERM, then SIGKILL, each after a grace; all servers at the same time",
  () => {
    it.scopedLive("one that cleans up at the end of its input is left to do so, even when it never shook hands", () =>
      Effect.gen(function* () {
        const log = join(yield* folder, "log")
        yield* Effect.scoped(living([stdio("orderly", [log, "eof"])], { connectTimeout: Duration.seconds(2) }))
        expect(lines(log)).toEqual(["start", "eof", "clean"])
      })
    )

    it.live("many that ignore everything take no longer than one", () =>
      Effect.gen(function* () {
        const names = ["a", "b", "c", "d"]
        const scope = yield* Scope.make()
        const manager = yield* Scope.extend(living(names.map((as) => stdio("stubborn", [], { as }))), scope)
        const pids = yield* Effect.forEach(names, (name) => pidsOf(manager, name))
        const [took] = yield* Effect.timed(Scope.close(scope, Exit.void))
        expect(Duration.toMillis(took)).toBeLessThan(8000)
        expect(pids.flat().filter(isAlive)).toEqual([])
      })
    )
  },
  { see: life }
)

const pidsOf = (manager: McpManager.Service, name: string) =>
  Effect.map(textOf(manager, name, "pids"), (text): ReadonlyArray<number> => Object.values(JSON.parse(text)))

fault(
  25,
  "The whole process group ends with its server, launchers' children included, however the host ends; a watchdog is there for SIGKILL",
  () => {
    it.scopedLive("a launcher and its child are gone when a person switches the server off, or connects it anew", () =>
      Effect.gen(function* () {
        const manager = yield* living([stdio("stubborn")])
        const first = yield* pidsOf(manager, "stubborn")
        yield* manager.reconnect("stubborn")
        yield* allGone(first)
        const second = yield* pidsOf(manager, "stubborn")
        yield* manager.disable("stubborn")
        expect([...first, ...second].filter(isAlive)).toEqual([])
      })
    )

    it.scopedLive("a child that was left behind ends with the leader", () =>
      Effect.gen(function* () {
        const home = yield* folder
        const program = join(home, "launcher.sh")
        writeFileSync(program, `sleep 60 & echo $! > ${join(home, "pid")}; exit 3\n`)
        const { servers } = yield* loadEntries({ it: { command: "sh", args: [program] } })
        const manager = yield* living(servers)
        expect(yield* errorOf(manager, "it")).toMatchObject({ message: "the server exited with code 3" })
        yield* allGone([Number(readFileSync(join(home, "pid"), "utf8"))])
      })
    )
  },
  { see: life }
)

fault(
  26,
  "Servers run apart from the terminal: Ctrl+C is the host's alone, and stops the call, not the server",
  () => {
    it.scopedLive("a server leads a process group of its own", () =>
      Effect.gen(function* () {
        const manager = yield* living([stdio("stdout-noise")])
        const { pid } = yield* manager.diagnostics("stdout-noise")
        expect(process.kill(-(pid ?? Number.NaN), 0)).toBe(true)
      })
    )

    it.scoped("a call that is stopped is stopped on the server; host, server and the other calls go on", () =>
      Effect.gen(function* () {
        const stopped = yield* Deferred.make<void>()
        const begun = yield* Deferred.make<void>()
        const server = TestServer.make({
          tools: {
            long: {
              handler: () =>
                Deferred.succeed(begun, undefined).pipe(
                  Effect.zipRight(Effect.never),
                  Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
                )
            },
            other: { handler: () => Effect.as(Deferred.await(stopped), "unmoved") },
            next: { handler: () => "ok" }
          }
        })
        const manager = yield* scripted({ it: server })
        yield* manager.start
        const other = yield* Effect.fork(textOf(manager, "it", "other"))
        const long = yield* Effect.fork(textOf(manager, "it", "long"))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(long)
        yield* Deferred.await(stopped)
        expect(yield* Fiber.join(other)).toBe("unmoved")
        expect(yield* textOf(manager, "it", "next")).toBe("ok")
        expect(yield* server.connections).toBe(1)
      })
    )
  },
  { see: [...life, "test/e2e/signals.test.ts"] }
)

fault(
  27,
  "One start in flight for each server, whoever asks; a server that refuses ping by -32601 is alive",
  () => {
    it.scopedLive("a server that dies at its start is started as often as it is asked for, and no oftener", () =>
      Effect.gen(function* () {
        const starts = join(yield* folder, "starts")
        const manager = yield* living([stdio("crash", ["start", starts]), stdio("stdout-noise")])
        // Each time once more with a handshake at once: it may have ended because it was asked for its revision.
        expect(lines(starts)).toHaveLength(2)
        yield* Effect.all(
          Array.from({ length: 20 }, () => manager.reconnect("crash")),
          { concurrency: "unbounded" }
        )
        expect(lines(starts)).toHaveLength(4)
        expect(yield* textOf(manager, "stdout-noise", "echo", { text: "undisturbed" })).toBe("undisturbed")
      })
    )

    it.scoped("nothing starts it again by itself in an hour", () =>
      Effect.gen(function* () {
        const server = TestServer.make({ fail: "dies" })
        const manager = yield* scripted({ it: server })
        yield* manager.start
        const messages = yield* server.messages
        yield* TestClock.adjust("1 hour")
        expect(yield* server.messages).toEqual(messages)
      })
    )
  },
  { see: ["test/mcp/McpManager.test.ts", "test/mcp/McpClient.test.ts"] }
)

fault(
  28,
  "No failure is for good: a server that has failed any number of times is connected as soon as it can be, without a restart of the host",
  () => {
    it.scopedLive("a server that works again works again", () =>
      Effect.gen(function* () {
        const home = yield* folder
        const broken = join(home, "broken")
        const program = join(home, "program.sh")
        writeFileSync(broken, "")
        writeFileSync(program, `test -e ${broken} && exit 1\nexec ${process.execPath} ${fixture("stdout-noise")}\n`)
        const { servers } = yield* loadEntries({ it: { command: "sh", args: [program] } })
        const manager = yield* living(servers)
        for (let attempt = 0; attempt < 10; attempt++) expect((yield* manager.reconnect("it"))._tag).toBe("Failed")
        rmSync(broken)
        expect((yield* manager.reconnect("it"))._tag).toBe("Connected")
        expect(yield* textOf(manager, "it", "echo", { text: "back" })).toBe("back")
      })
    )
  },
  { see: ["test/mcp/McpManager.test.ts"] }
)

fault(
  29,
  "An entry's env is put on top of what programs need, PATH among it, and takes the place of nothing else",
  () => {
    it.scopedLive("a program named without a folder is found, and finds others, whatever its env", () =>
      Effect.gen(function* () {
        for (const env of [{}, { X: "1" }, { HOME: "/elsewhere", LANG: "C" }]) {
          const { servers } = yield* loadEntries({
            it: { command: "sh", args: ["-c", `exec node ${fixture("env-report")}`], env }
          })
          const manager = yield* living(servers)
          const { keys, values } = JSON.parse(yield* textOf(manager, "it", "env", { names: Object.keys(env) }))
          expect(keys).toContain("PATH")
          expect(keys).toContain("HOME")
          expect(values).toEqual(env)
        }
      })
    )
  },
  { see: [...life, "test/mcp/internal/ChildEnvironment.test.ts"] }
)

fault(
  30,
  "All servers start at once, each within its own limit; a tool can be called as soon as its own server is there, and late ones join",
  () => {
    it.scopedLive("a server that answers is usable while another is silent, which is killed at its limit", () =>
      Effect.gen(function* () {
        const manager = yield* unstarted(
          [stdio("slow-start", ["200"], { as: "slow" }), stdio("slow-start", ["never"], { as: "never" })],
          { connectTimeout: Duration.seconds(4) }
        )
        const start = yield* Effect.fork(manager.start)
        yield* until(manager, "slow", "connected")
        expect(yield* textOf(manager, "slow", "slow")).toBe("ok")
        expect((yield* words(manager)).never).toBe("pending")
        const { pid } = yield* manager.diagnostics("never")
        yield* Fiber.join(start)
        expect(yield* errorOf(manager, "never")).toMatchObject({ kind: "timeout" })
        yield* allGone(pid === undefined ? [] : [pid])
      })
    )

    it.scoped("tools join the registry server by server, in an order that does not depend on who was first", () =>
      Effect.gen(function* () {
        const after = (delay: Duration.DurationInput) =>
          TestServer.make({ delay: Duration.decode(delay), tools: { a: { handler: () => "ok" } } })
        const manager = yield* scripted({
          slowest: after("20 seconds"),
          fast: after(0),
          slow: after("10 seconds"),
          never: TestServer.make({ fail: "silent" })
        })
        const registry = yield* ToolRegistry.make
        yield* McpToolAdapter.inject(manager, registry)
        const start = yield* Effect.fork(manager.start)
        const names = Effect.map(registry.snapshot, ({ tools }) => tools.map(({ name }) => name))
        for (const expected of [
          ["mcp__fast__a"],
          ["mcp__fast__a", "mcp__slow__a"],
          ["mcp__fast__a", "mcp__slow__a", "mcp__slowest__a"]
        ]) {
          yield* TestClock.adjust("1 seconds")
          expect(yield* names).toEqual(expected)
          expect((yield* registry.execute("mcp__fast__a", {})).text).toBe("ok")
          yield* TestClock.adjust("9 seconds")
        }
        yield* Fiber.join(start)
        expect((yield* words(manager)).never).toBe("failed")
      })
    )
  },
  { see: ["test/mcp/McpManager.test.ts"] }
)

fault(
  31,
  "Silence ends no connection, and a call that may have run is never sent a second time",
  () => {
    it.scoped("a call works after hours without one, and may take its time", () =>
      Effect.gen(function* () {
        const server = TestServer.make({
          tools: { work: { handler: () => Effect.delay(Effect.succeed("done"), "50 seconds") } }
        })
        const manager = yield* scripted({ it: server })
        yield* manager.start
        for (const silence of ["1 seconds", "10 minutes", "5 hours"] as const) {
          yield* TestClock.adjust(silence)
          const call = yield* Effect.fork(textOf(manager, "it", "work"))
          yield* TestClock.adjust("50 seconds")
          expect(yield* Fiber.join(call)).toBe("done")
        }
        expect(yield* server.connections).toBe(1)
        expect(yield* server.calls).toHaveLength(3)
      })
    )

    it.scoped("a call that the server's death cut off is not repeated on the next connection", () =>
      Effect.gen(function* () {
        const server = TestServer.make({
          tools: { pay: { handler: () => TestServer.dies }, look: { handler: () => "ok" } }
        })
        const manager = yield* scripted({ it: server })
        yield* manager.start
        yield* Effect.flip(textOf(manager, "it", "pay"))
        yield* untilLost(manager, "it")
        yield* manager.reconnect("it")
        yield* TestClock.adjust("10 minutes")
        expect(yield* textOf(manager, "it", "look")).toBe("ok")
        expect((yield* server.calls).map(({ tool }) => tool)).toEqual(["pay", "look"])
      })
    )
  },
  { see: ["test/mcp/McpManager.test.ts"] }
)
