import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { Kind } from "../../src/mcp/McpError.ts"
import * as McpManager from "../../src/mcp/McpManager.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as ServerStatus from "../../src/mcp/ServerStatus.ts"
import { TransportFactory } from "../../src/mcp/TransportFactory.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"

type Servers = Parameters<typeof TestTransportFactory.layer>[0]
type Entry = Partial<Omit<ServerConfig.ServerConfig, "name" | "transport">>

const config = (name: string, entry: Entry = {}) => ServerConfig.stdio(name, { command: "-", ...entry })

const manage = (
  servers: Servers,
  entries: Record<string, Entry> = {},
  options?: McpManager.Options
): Effect.Effect<McpManager.Service, never, Scope.Scope> =>
  McpManager.make(
    Object.keys(servers).map((name) => config(name, entries[name])),
    options
  ).pipe(Effect.provide(TestTransportFactory.layer(servers)))

const named = (...names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, { handler: () => name } satisfies TestServer.Tool]))

const healthy = (...tools: ReadonlyArray<string>) => TestServer.make({ tools: named("ping", ...tools) })

const words = (manager: McpManager.Service) =>
  Effect.map(manager.statuses, (statuses) => Object.fromEntries(statuses.map((s) => [s.name, ServerStatus.word(s)])))

const statusOf = (manager: McpManager.Service, name: string) =>
  Effect.map(manager.statuses, (statuses) => statuses.find((status) => status.name === name))

/** Waits, without the clock, until a server is in a state. */
const until = (manager: McpManager.Service, name: string, word: string) =>
  manager.changes.pipe(
    Stream.filter((statuses) => statuses.some((s) => s.name === name && ServerStatus.word(s) === word)),
    Stream.runHead
  )

describe("start", () => {
  it.scoped("a server that fails costs that server alone", () =>
    Effect.gen(function* () {
      const manager = yield* manage({
        good: healthy(),
        missing: { fail: { message: "spawn no-such-program ENOENT" } },
        refusing: TestServer.make({ fail: { code: -32000, message: "not today" } }),
        dying: TestServer.make({ fail: "dies" })
      })
      yield* manager.start
      expect(yield* words(manager)).toEqual({
        dying: "failed",
        good: "connected",
        missing: "failed",
        refusing: "failed"
      })
      expect(yield* statusOf(manager, "missing")).toMatchObject({
        error: { server: "missing", phase: "spawn", kind: "spawn", message: "spawn no-such-program ENOENT" }
      })
      const client = yield* manager.client("good")
      expect((yield* client.callTool("ping", {})).text).toBe("ping")
      expect(yield* Effect.flip(manager.client("refusing"))).toMatchObject({ phase: "handshake", message: "not today" })
    })
  )

  it.scoped("a transport that throws costs its server alone", () =>
    Effect.gen(function* () {
      const throwing = Layer.succeed(TransportFactory, { make: () => Effect.die(new Error("a bug of the embedder")) })
      const manager = yield* McpManager.make([config("a")]).pipe(Effect.provide(throwing))
      yield* manager.start
      const status = yield* statusOf(manager, "a")
      expect(status?._tag === "Failed" && status.error.message).toContain("a bug of the embedder")
    })
  )

  it.scoped("200 servers at once, half of which fail, settle together", () =>
    Effect.gen(function* () {
      const delay = Duration.millis(300)
      const servers = Object.fromEntries(
        Array.from({ length: 200 }, (_, i) => [
          `server${i}`,
          i % 2 === 0
            ? TestServer.make({ delay, tools: named("a", "b") })
            : TestServer.make({ delay, fail: { code: -32000, message: "no" } })
        ])
      )
      const manager = yield* manage(servers)
      const start = yield* Effect.fork(manager.start)
      yield* TestClock.adjust(delay)
      yield* Fiber.join(start)
      const statuses = yield* manager.statuses
      expect(statuses.filter((status) => status._tag === "Connected")).toHaveLength(100)
      expect(statuses.filter((status) => status._tag === "Failed")).toHaveLength(100)
    })
  )

  it.scoped("a server that never answers fails at its own timeout; tools of the others are usable meanwhile", () =>
    Effect.gen(function* () {
      const manager = yield* manage(
        { fast: healthy(), never: TestServer.make({ fail: "silent" }), patient: TestServer.make({ fail: "silent" }) },
        { patient: { connectTimeout: Duration.minutes(2) } }
      )
      const start = yield* Effect.fork(manager.start)
      yield* until(manager, "fast", "connected")
      const client = yield* manager.client("fast")
      expect((yield* client.callTool("ping", {})).text).toBe("ping")
      expect(yield* words(manager)).toEqual({ fast: "connected", never: "pending", patient: "pending" })

      yield* TestClock.adjust("30 seconds")
      yield* until(manager, "never", "failed")
      expect(yield* statusOf(manager, "never")).toMatchObject({
        error: { kind: "timeout", phase: "handshake", message: "no answer to initialize within 30s" }
      })
      expect(yield* words(manager)).toMatchObject({ patient: "pending" })

      yield* TestClock.adjust("90 seconds")
      yield* Fiber.join(start)
      expect(yield* words(manager)).toMatchObject({ patient: "failed" })
    })
  )

  it.scoped("a transport that never opens fails at the timeout too", () =>
    Effect.gen(function* () {
      const stuck = Layer.succeed(TransportFactory, { make: () => Effect.never })
      const manager = yield* McpManager.make([config("a")]).pipe(Effect.provide(stuck))
      const start = yield* Effect.fork(manager.start)
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(start)
      expect(yield* statusOf(manager, "a")).toMatchObject({ error: { phase: "connect", kind: "timeout" } })
    })
  )

  it.scoped("settling does not wait for the end of a slow process, but the Manager does", () =>
    Effect.gen(function* () {
      const gone = yield* Deferred.make<void>()
      const slowToEnd = Layer.succeed(TransportFactory, {
        make: ({ name }) =>
          Effect.zipRight(
            Effect.addFinalizer(() => Effect.zipRight(Effect.sleep("5 seconds"), Deferred.succeed(gone, undefined))),
            MemoryTransport.make({ server: name, handler: TestServer.make({ fail: "silent" }).handler })
          )
      })
      const scope = yield* Scope.make()
      const manager = yield* McpManager.make([config("a")]).pipe(Scope.extend(scope), Effect.provide(slowToEnd))
      const start = yield* Effect.fork(manager.start)
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(start)
      expect(yield* words(manager)).toEqual({ a: "failed" })
      expect(yield* Deferred.isDone(gone)).toBe(false)

      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(closing)
      expect(yield* Deferred.isDone(gone)).toBe(true)
    })
  )

  it.scoped("a second start waits for the first and starts nothing again", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ delay: Duration.seconds(1) })
      const manager = yield* manage({ a: server, b: { fail: { message: "no" } } })
      const both = yield* Effect.fork(Effect.all([manager.start, manager.start], { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(both)
      yield* manager.start
      expect(yield* server.connections).toBe(1)
      expect((yield* server.messages).filter((m) => m._tag === "Request" && m.method === "initialize")).toHaveLength(1)
    })
  )

  it.scoped("interrupting a start leaves the connecting to the Manager", () =>
    Effect.gen(function* () {
      const manager = yield* manage({ a: TestServer.make({ delay: Duration.seconds(1) }) })
      const start = yield* Effect.fork(manager.start)
      yield* TestClock.adjust("500 millis")
      yield* Fiber.interrupt(start)
      yield* TestClock.adjust("500 millis")
      yield* manager.start
      expect(yield* words(manager)).toEqual({ a: "connected" })
    })
  )

  it.scoped("a disabled server is listed and never contacted, one that cannot be used fails without contact", () =>
    Effect.gen(function* () {
      const [off, broken] = [healthy(), healthy()]
      const manager = yield* manage(
        { off, broken },
        { off: { disabled: true }, broken: { unusable: "TOKEN is not set" } }
      )
      yield* manager.start
      expect(yield* words(manager)).toEqual({ off: "disabled", broken: "failed" })
      expect(yield* statusOf(manager, "broken")).toMatchObject({
        error: { kind: "config", message: "TOKEN is not set" }
      })
      expect([...(yield* off.messages), ...(yield* broken.messages)]).toEqual([])
      expect(yield* Effect.flip(manager.client("off"))).toMatchObject({ kind: "disabled" })
      expect(yield* Effect.flip(manager.reconnect("off"))).toMatchObject({ kind: "disabled" })
    })
  )

  it.scoped("a login that is needed is a status of its own", () =>
    Effect.gen(function* () {
      const manager = yield* manage({ a: { fail: { kind: "needs-auth", phase: "auth", message: "401" } } })
      yield* manager.start
      expect(yield* words(manager)).toEqual({ a: "needs-auth" })
    })
  )

  it.scoped("an unknown name is told with the known ones", () =>
    Effect.gen(function* () {
      const manager = yield* manage({ one: healthy(), two: healthy() })
      for (const use of [manager.client, manager.reconnect, manager.disable, manager.enable, manager.diagnostics]) {
        const error = yield* Effect.flip(use("three") as Effect.Effect<unknown, { kind: Kind; hint?: string }>)
        expect(error.kind).toBe("unknown-server")
        expect(error.hint).toContain("one, two")
      }
    })
  )

  it.scoped("secrets of an entry are masked in its failure", () =>
    Effect.gen(function* () {
      const manager = yield* manage(
        { a: { fail: { message: "GET https://h/?key=abc%2F123 failed", stderr: "token abc/123 refused" } } },
        { a: { secrets: ["abc/123"] } }
      )
      yield* manager.start
      expect(yield* statusOf(manager, "a")).toMatchObject({
        error: { message: "GET https://h/?key=*** failed", stderr: "token *** refused" }
      })
    })
  )

  it.scoped("only the tools that the entry lets through are offered", () =>
    Effect.gen(function* () {
      const manager = yield* manage(
        { a: TestServer.make({ tools: named("read_file", "read_dir", "write_file", "a.b", "axb") }) },
        { a: { includeTools: ["read_*", "?.b", "write_file"], excludeTools: ["*_dir"] } }
      )
      yield* manager.start
      const status = yield* statusOf(manager, "a")
      expect(status?._tag === "Connected" && status.tools.map(({ name }) => name)).toEqual([
        "read_file",
        "write_file",
        "a.b"
      ])
    })
  )

  it.effect("each server's outcome is one log line", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => {
      lines.push(String(message))
    })
    return Effect.gen(function* () {
      const manager = yield* manage({ good: healthy("b"), bad: { fail: { message: "spawn x ENOENT" } } })
      yield* manager.start
      expect(lines.sort()).toEqual([
        '[mcp] server "bad" connect failed: spawn x ENOENT',
        '[mcp] server "good" connected: 2 tools, 2025-11-25, 0 ms'
      ])
    }).pipe(Effect.scoped, Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })
})

describe("a living server", () => {
  it.scoped("its death is told at once, with the reason", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ tools: { die: { handler: () => TestServer.dies } } })
      const manager = yield* manage({ a: server, b: healthy() })
      yield* manager.start
      const client = yield* manager.client("a")
      yield* Effect.flip(client.callTool("die", {}))
      yield* until(manager, "a", "reconnecting")
      expect(yield* words(manager)).toEqual({ a: "reconnecting", b: "connected" })
      expect(yield* Effect.flip(manager.client("a"))).toMatchObject({ kind: "exit" })
    })
  )

  it.scoped("a change of its tools is a change of its status, filters applied again", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ tools: named("a") })
      const manager = yield* manage({ s: server }, { s: { excludeTools: ["secret*"] } })
      yield* manager.start
      yield* server.setTools(named("a", "secret_b", "c"))
      yield* TestClock.adjust("50 millis")
      const status = yield* statusOf(manager, "s")
      expect(status?._tag === "Connected" && status.tools.map(({ name }) => name)).toEqual(["a", "c"])
    })
  )

  it.scoped("reconnect replaces the connection: one is open before and after", () =>
    Effect.gen(function* () {
      const server = healthy()
      const manager = yield* manage({ a: server })
      yield* manager.start
      const before = yield* manager.client("a")
      expect(yield* manager.reconnect("a")).toMatchObject({ _tag: "Connected" })
      expect(yield* manager.client("a")).not.toBe(before)
      expect(yield* server.connections).toBe(1)
      expect(yield* Effect.flip(before.callTool("ping", {}))).toMatchObject({ kind: "closed" })
      // The end of the old connection is no end of the new one.
      yield* TestClock.adjust("1 second")
      expect(yield* words(manager)).toEqual({ a: "connected" })
    })
  )

  it.scoped("without supervision a server that was lost has failed, and can be reconnected", () =>
    Effect.gen(function* () {
      const server = healthy()
      const manager = yield* manage({ a: server }, {}, { supervision: false })
      yield* manager.start
      yield* server.die
      yield* until(manager, "a", "failed")
      yield* TestClock.adjust("1 hour")
      expect(yield* Effect.flip(manager.client("a"))).toMatchObject({ kind: "exit" })
      expect(yield* words(manager)).toEqual({ a: "failed" })
      expect(yield* manager.reconnect("a")).toMatchObject({ _tag: "Connected" })
      expect(yield* server.connections).toBe(1)
    })
  )

  it.scoped("many reconnects at once share one start", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ tools: named("a") })
      const manager = yield* manage({ a: server })
      yield* manager.start
      const statuses = yield* Effect.all(
        Array.from({ length: 20 }, () => manager.reconnect("a")),
        { concurrency: "unbounded" }
      )
      expect(new Set(statuses.map((status) => status._tag))).toEqual(new Set(["Connected"]))
      expect((yield* server.messages).filter((m) => m._tag === "Request" && m.method === "initialize")).toHaveLength(2)
    })
  )

  it.scoped("a new connection waits until the old process is gone", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const server = healthy()
      const exclusive = Layer.succeed(TransportFactory, {
        make: ({ name }) =>
          Effect.gen(function* () {
            events.push("open")
            yield* Effect.addFinalizer(() =>
              Effect.zipRight(
                Effect.sleep("2 seconds"),
                Effect.sync(() => events.push("gone"))
              )
            )
            return yield* MemoryTransport.make({ server: name, handler: server.handler })
          })
      })
      const manager = yield* McpManager.make([config("a")]).pipe(Effect.provide(exclusive))
      yield* manager.start
      const reconnect = yield* Effect.fork(manager.reconnect("a"))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(reconnect)
      expect(events).toEqual(["open", "gone", "open"])
      // Time for the test's own end.
      yield* Effect.forkDaemon(TestClock.adjust("10 seconds"))
    })
  )

  it.scoped("disable closes, enable opens again", () =>
    Effect.gen(function* () {
      const server = healthy()
      const manager = yield* manage({ a: server })
      yield* manager.start
      yield* manager.disable("a")
      expect(yield* words(manager)).toEqual({ a: "disabled" })
      expect(yield* server.connections).toBe(0)
      yield* manager.start
      expect(yield* words(manager)).toEqual({ a: "disabled" })
      expect(yield* manager.enable("a")).toMatchObject({ _tag: "Connected" })
      expect(yield* server.connections).toBe(1)
    })
  )

  it.scoped("disable in the middle of a start stops it", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ fail: "silent" })
      const manager = yield* manage({ a: server })
      const start = yield* Effect.fork(manager.start)
      yield* TestClock.adjust("1 second")
      expect(yield* server.connections).toBe(1)
      yield* manager.disable("a")
      yield* Fiber.join(start)
      expect(yield* words(manager)).toEqual({ a: "disabled" })
      expect(yield* server.connections).toBe(0)
    })
  )

  it.scoped("disable, enable and reconnect at random leave one connection or none, as the last word said", () =>
    Effect.gen(function* () {
      const server = healthy()
      const manager = yield* manage({ a: server })
      yield* manager.start
      for (let round = 0; round < 20; round++) {
        yield* Effect.all(
          [manager.disable("a"), manager.reconnect("a"), manager.enable("a"), manager.reconnect("a"), server.die].map(
            (step, i) =>
              Effect.ignore(Effect.zipRight(Effect.yieldNow(), step).pipe(Effect.when(() => (round + i) % 3 !== 0)))
          ),
          { concurrency: "unbounded" }
        )
        yield* manager.disable("a")
        expect(yield* server.connections).toBe(0)
        expect(yield* words(manager)).toEqual({ a: "disabled" })
        expect(yield* manager.enable("a")).toMatchObject({ _tag: "Connected" })
        expect(yield* server.connections).toBe(1)
      }
    })
  )

  it.effect("closing the Manager closes every connection", () =>
    Effect.gen(function* () {
      const servers = [healthy(), healthy(), TestServer.make({ fail: "silent" })] as const
      yield* Effect.gen(function* () {
        const manager = yield* manage({ a: servers[0], b: servers[1], c: servers[2] })
        yield* Effect.fork(manager.start)
        yield* until(manager, "b", "connected")
      }).pipe(Effect.scoped)
      expect(yield* Effect.forEach(servers, (server) => server.connections)).toEqual([0, 0, 0])
    })
  )
})

describe("the changes", () => {
  it.scoped("begin with the present, sorted by name, and tell each step", () =>
    Effect.gen(function* () {
      const manager = yield* manage(
        { b: TestServer.make({ delay: Duration.seconds(1) }), a: healthy() },
        { a: { disabled: true } }
      )
      const seen: Array<string> = []
      const reader = yield* Effect.fork(
        Stream.runForEach(manager.changes, (statuses) =>
          Effect.sync(() => seen.push(statuses.map((s) => `${s.name}:${ServerStatus.word(s)}`).join(" ")))
        )
      )
      yield* Effect.yieldNow()
      const start = yield* Effect.fork(manager.start)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(start)
      yield* TestClock.adjust("1 second")
      expect(seen[0]).toBe("a:disabled b:pending")
      expect(seen.at(-1)).toBe("a:disabled b:connected")
      expect((yield* manager.servers).map(({ name }) => name)).toEqual(["b", "a"])
      yield* Fiber.interrupt(reader)
    })
  )

  it.scoped("a reader that is slow loses states between, never the last, and holds up nobody", () =>
    Effect.gen(function* () {
      const servers = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`s${i}`, healthy()]))
      const manager = yield* manage(servers)
      const seen: Array<number> = []
      yield* Effect.fork(
        Stream.runForEach(manager.changes, (statuses) =>
          Effect.zipRight(
            Effect.sync(() => seen.push(statuses.filter((status) => status._tag === "Connected").length)),
            Effect.sleep("1 second")
          )
        )
      )
      yield* Effect.yieldNow()
      yield* manager.start
      yield* TestClock.adjust("20 seconds")
      expect(seen.at(-1)).toBe(100)
      expect(seen.length).toBeLessThan(15)
    })
  )

  it.scoped("a thousand servers and ten readers: each reader comes to the last state", () =>
    Effect.gen(function* () {
      const servers = Object.fromEntries(
        Array.from({ length: 1000 }, (_, i) => [`s${i}`, i % 2 === 0 ? healthy() : { fail: { message: "no" } }])
      )
      const manager = yield* manage(servers)
      const settled = (statuses: ReadonlyArray<ServerStatus.ServerStatus>) => statuses.every(ServerStatus.isSettled)
      const readers = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        Effect.fork(Stream.runHead(Stream.filter(manager.changes, settled)))
      )
      yield* Effect.yieldNow()
      yield* manager.start
      for (const reader of readers) expect((yield* Fiber.join(reader))._tag).toBe("Some")
    })
  )
})
