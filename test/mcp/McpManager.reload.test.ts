import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { McpError } from "../../src/mcp/McpError.ts"
import * as McpManager from "../../src/mcp/McpManager.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import type { ServerConfig } from "../../src/mcp/ServerConfig.ts"
import { TransportFactory } from "../../src/mcp/TransportFactory.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as McpToolAdapter from "../../src/tool/McpToolAdapter.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { entry, started, statusOf, until, words } from "./managed.ts"

/** Servers that do as their entry's arguments say, and a log of their lives. */
const world = () => {
  const log: Array<string> = []
  const servers = new Map<string, TestServer.TestServer>()
  let held: string | undefined

  const open = (config: ServerConfig) => {
    const { name, transport } = config
    const args = transport._tag === "stdio" ? transport.args : []
    const [version = "1"] = args
    const label = `${name} ${version}`
    const failure = (kind: McpError["kind"]) => new McpError({ server: name, phase: "connect", kind, message: label })
    const server =
      servers.get(label) ??
      TestServer.make({
        tools: {
          [`v${version}`]: { handler: () => version },
          slow: { handler: () => Effect.as(Effect.sleep("3 seconds"), version) }
        }
      })
    servers.set(label, server)
    return Effect.gen(function* () {
      log.push(`+ ${label}`)
      yield* Effect.addFinalizer(() => Effect.sync(() => log.push(`- ${label}`)))
      if (args.includes("missing")) return yield* failure("spawn")
      if (args.includes("hangs")) return yield* Effect.never
      if (args.includes("exclusive")) {
        if (held !== undefined) return yield* failure("exit")
        held = label
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            held = undefined
          })
        )
      }
      return yield* MemoryTransport.make({ server: name, handler: server.handler })
    })
  }
  return { layer: Layer.succeed(TransportFactory, { make: open }), log, servers }
}

const toolsOf = (manager: McpManager.Service, name: string) =>
  Effect.map(statusOf(manager, name), (status) =>
    status?._tag === "Connected" ? status.tools.map((tool) => tool.name) : []
  )

describe("another configuration", () => {
  it.scoped("stops what left, starts what came, and lets the rest alone", () =>
    Effect.gen(function* () {
      const { layer, log } = world()
      const manager = yield* Effect.provide(started([entry("a"), entry("b"), entry("c")]), layer)
      const before = yield* manager.client("b")
      const report = yield* manager.reload([entry("d"), entry("b"), entry("c", { args: ["2"] })])
      expect(report).toEqual({ added: ["d"], removed: ["a"], changed: ["c"], unchanged: ["b"] })
      expect(yield* words(manager)).toEqual({ b: "connected", c: "connected", d: "connected" })
      expect(yield* manager.client("b")).toBe(before)
      expect((yield* manager.servers).map(({ name }) => name)).toEqual(["d", "b", "c"])
      expect((yield* Effect.flip(manager.client("a"))).hint).toContain("d, b, c")
      yield* TestClock.adjust("100 millis")
      expect(log.filter((line) => line.endsWith("b 1"))).toEqual(["+ b 1"])
      expect(log).toContain("- a 1")
    })
  )

  it.scoped("that says the same in another order touches no server", () =>
    Effect.gen(function* () {
      const { layer, log } = world()
      const manager = yield* Effect.provide(started([entry("a"), entry("b", { excludeTools: ["x"] })]), layer)
      const report = yield* manager.reload([entry("b", { excludeTools: ["x"] }), entry("a")])
      expect(report).toEqual({ added: [], removed: [], changed: [], unchanged: ["b", "a"] })
      expect(log).toEqual(["+ a 1", "+ b 1"])
      expect((yield* manager.servers).map(({ name }) => name)).toEqual(["b", "a"])
    })
  )

  it.scoped("brings the new connection up before the old one goes, and never shows the server without its tools", () =>
    Effect.gen(function* () {
      const { layer, log } = world()
      const manager = yield* Effect.provide(started([entry("a")]), layer)
      const seen: Array<string> = []
      yield* Effect.fork(
        Stream.runForEach(manager.changes, (statuses) =>
          Effect.sync(() => seen.push(statuses.map((s) => (s._tag === "Connected" ? s.tools[0]?.name : s._tag)).join()))
        )
      )
      yield* Effect.yieldNow()
      yield* manager.reload([entry("a", { args: ["2"] })])
      yield* TestClock.adjust("100 millis")
      expect(log).toEqual(["+ a 1", "+ a 2", "- a 1"])
      expect(new Set(seen)).toEqual(new Set(["v1", "v2"]))
    })
  )

  it.scoped("stops the old server first where the new one cannot live beside it", () =>
    Effect.gen(function* () {
      const { layer, log } = world()
      const manager = yield* Effect.provide(started([entry("a", { args: ["1", "exclusive"] })]), layer)
      yield* manager.reload([entry("a", { args: ["2", "exclusive"] })])
      expect(yield* toolsOf(manager, "a")).toContain("v2")
      expect(log).toEqual(["+ a 1", "+ a 2", "- a 2", "- a 1", "+ a 2"])
    })
  )

  it.scoped("that cannot be started is told, and the old server goes: its entry is not there any more", () =>
    Effect.gen(function* () {
      const { layer, log } = world()
      const manager = yield* Effect.provide(started([entry("a"), entry("b")]), layer)
      yield* manager.reload([entry("a", { args: ["2", "missing"] }), entry("b")])
      expect(yield* statusOf(manager, "a")).toMatchObject({ _tag: "Failed", error: { kind: "spawn" } })
      expect(yield* words(manager)).toEqual({ a: "failed", b: "connected" })
      expect(log).toContain("- a 1")
    })
  )

  it.scoped("leaves calls time to end, on servers that change or leave too", () =>
    Effect.gen(function* () {
      const { layer } = world()
      const manager = yield* Effect.provide(started([entry("same"), entry("changes"), entry("leaves")]), layer)
      const calls = yield* Effect.forEach(["same", "changes", "leaves"], (name) =>
        Effect.flatMap(manager.client(name), (client) => Effect.fork(client.callTool("slow", {})))
      )
      yield* Effect.yieldNow()
      yield* manager.reload([entry("same"), entry("changes", { args: ["2"] })])
      expect(yield* toolsOf(manager, "changes")).toContain("v2")
      yield* TestClock.adjust("3 seconds")
      for (const call of calls) expect((yield* Fiber.join(call)).text).toBe("1")
    })
  )

  it.scoped("is heard while one before it still waits for a server", () =>
    Effect.gen(function* () {
      const { layer, log } = world()
      const manager = yield* Effect.provide(started([entry("a"), entry("b")]), layer)
      const first = yield* Effect.fork(manager.reload([entry("a", { args: ["2", "hangs"] }), entry("b")]))
      yield* TestClock.adjust("1 second")
      expect(yield* toolsOf(manager, "a")).toContain("v1")
      const report = yield* manager.reload([entry("a", { args: ["3"] }), entry("b")])
      expect(report.changed).toEqual(["a"])
      yield* Fiber.join(first)
      expect(yield* toolsOf(manager, "a")).toContain("v3")
      yield* TestClock.adjust("1 second")
      expect(log.filter((line) => line.startsWith("-")).sort()).toEqual(["- a 1", "- a 2"])
    })
  )

  it.scoped("that takes back a change under way leaves the server as it was", () =>
    Effect.gen(function* () {
      const { layer, log } = world()
      const manager = yield* Effect.provide(started([entry("a")]), layer)
      const before = yield* manager.client("a")
      yield* Effect.fork(manager.reload([entry("a", { args: ["2", "hangs"] })]))
      yield* TestClock.adjust("1 second")
      yield* manager.reload([entry("a")])
      expect(yield* manager.client("a")).toBe(before)
      expect(log).toEqual(["+ a 1", "+ a 2", "- a 2"])
    })
  )

  it.scoped("switches servers off and on, and gives one that has failed another chance", () =>
    Effect.gen(function* () {
      const { layer } = world()
      const manager = yield* Effect.provide(started([entry("a"), entry("b", { args: ["1", "missing"] })]), layer)
      expect(yield* words(manager)).toEqual({ a: "connected", b: "failed" })
      yield* manager.reload([entry("a", { disabled: true }), entry("b")])
      expect(yield* words(manager)).toEqual({ a: "disabled", b: "connected" })
      yield* manager.reload([entry("a"), entry("b")])
      expect(yield* words(manager)).toEqual({ a: "connected", b: "connected" })
    })
  )

  it.scoped("leaves a server that a person has switched off alone, unless its entry changed", () =>
    Effect.gen(function* () {
      const { layer } = world()
      const manager = yield* Effect.provide(started([entry("a")]), layer)
      yield* manager.disable("a")
      yield* manager.reload([entry("a"), entry("b")])
      expect(yield* words(manager)).toEqual({ a: "disabled", b: "connected" })
      yield* manager.reload([entry("a", { args: ["2"] }), entry("b")])
      expect(yield* words(manager)).toEqual({ a: "connected", b: "connected" })
    })
  )

  it.scoped("before the start starts nothing", () =>
    Effect.gen(function* () {
      const { layer, log } = world()
      const manager = yield* Effect.provide(McpManager.make([entry("a")]), layer)
      yield* manager.reload([entry("a", { args: ["2"] }), entry("b")])
      expect(log).toEqual([])
      yield* manager.start
      expect(yield* words(manager)).toEqual({ a: "connected", b: "connected" })
    })
  )

  it.scoped(
    "of random changes, one upon the other, ends in what the last one says, and with no connection too many",
    () =>
      Effect.gen(function* () {
        const { layer, servers } = world()
        const manager = yield* Effect.provide(started([]), layer)
        const variants: ReadonlyArray<ReadonlyArray<string>> = [["1"], ["2"], ["3", "missing"], ["4", "exclusive"]]
        for (let round = 0; round < 60; round++) {
          const entries = ["a", "b", "c", "d"].flatMap((name, i) => {
            const variant = variants[(round * 7 + i * 3) % 5]
            return variant === undefined ? [] : [entry(name, { args: variant })]
          })
          yield* Effect.fork(manager.reload(entries))
          if (round % 3 === 0) yield* Effect.yieldNow()
        }
        const last = [entry("a", { args: ["1"] }), entry("b", { args: ["2"] }), entry("x")]
        yield* Fiber.join(yield* Effect.fork(manager.reload(last)))
        yield* TestClock.adjust("1 minute")
        expect(yield* words(manager)).toEqual({ a: "connected", b: "connected", x: "connected" })
        const open = yield* Effect.forEach(servers.values(), (server) => server.connections)
        expect(open.reduce((sum, count) => sum + count, 0)).toBe(3)
      })
  )
})

describe("the tools on offer", () => {
  const names = (registry: ToolRegistry.Service) =>
    Effect.map(registry.snapshot, ({ tools }) =>
      tools.map((tool) => tool.name).filter((name) => !name.includes("slow"))
    )

  it.scoped("follow: new ones take the place of old ones in one step, and the order is the new file's", () =>
    Effect.gen(function* () {
      const { layer } = world()
      const manager = yield* Effect.provide(started([entry("x_y"), entry("x-y", { args: ["1"] })]), layer)
      const registry = yield* ToolRegistry.make
      yield* McpToolAdapter.inject(manager, registry)
      const winner = Effect.map(registry.snapshot, ({ byName }) => byName.get("mcp__x_y__v1")?.origin)
      expect(yield* winner).toMatchObject({ server: "x_y" })

      yield* manager.reload([entry("x-y", { args: ["1"] }), entry("x_y")])
      yield* TestClock.adjust("1 millis")
      expect(yield* winner).toMatchObject({ server: "x-y" })

      const emptied = yield* Deferred.make<void>()
      yield* Effect.fork(
        Stream.runForEach(registry.changes, ({ tools }) =>
          tools.length === 0 ? Deferred.succeed(emptied, undefined) : Effect.void
        )
      )
      yield* manager.reload([entry("x-y", { args: ["2"] })])
      yield* TestClock.adjust("1 millis")
      expect(yield* names(registry)).toEqual(["mcp__x_y__v2"])
      expect(yield* Deferred.isDone(emptied)).toBe(false)
    })
  )

  it.scoped("of a turn that has begun can still be called after the reload, on the new connection", () =>
    Effect.gen(function* () {
      const { layer } = world()
      const manager = yield* Effect.provide(started([entry("a")]), layer)
      const registry = yield* ToolRegistry.make
      yield* McpToolAdapter.inject(manager, registry)
      const turn = yield* registry.snapshot
      yield* manager.reload([entry("a", { args: ["2"] })])
      yield* until(manager, "a", "connected")
      const slow = yield* Effect.fork(registry.execute("mcp__a__slow", {}, { from: turn }))
      yield* TestClock.adjust("3 seconds")
      expect((yield* Fiber.join(slow)).text).toBe("2")
    })
  )
})
