import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { McpError } from "../../src/mcp/McpError.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import { TransportFactory } from "../../src/mcp/TransportFactory.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { entry, started, statusOf, until, words } from "./managed.ts"

/** A server, and a door before it: while `trouble` is set, it cannot be connected. */
const world = Effect.fnUntraced(function* (
  server: TestServer.TestServer = TestServer.make({ tools: { a: { handler: () => "a" } } })
) {
  const door = { attempts: 0, delay: Duration.zero, trouble: undefined as McpError | undefined }
  const layer = Layer.succeed(TransportFactory, {
    make: ({ name }) =>
      Effect.suspend(() => {
        door.attempts++
        return door.trouble === undefined
          ? Effect.delay(MemoryTransport.make({ server: name, handler: server.handler }), door.delay)
          : Effect.fail(door.trouble)
      })
  })
  const manager = yield* started([entry("it")], {
    supervision: { backoff: Schedule.exponential("1 second") }
  }).pipe(Effect.provide(layer))
  return { door, manager, server }
})

const trouble = (kind: "network" | "exit" | "spawn") =>
  new McpError({ server: "it", phase: "connect", kind, message: `trouble: ${kind}` })

describe("a connection that is lost", () => {
  it.scoped("is made again by itself; until then it is told when", () =>
    Effect.gen(function* () {
      const { door, manager, server } = yield* world()
      yield* TestClock.adjust("10 seconds")
      yield* server.die
      yield* until(manager, "it", "reconnecting")
      expect(yield* statusOf(manager, "it")).toMatchObject({
        attempt: 1,
        nextTryAt: 11_000,
        error: { kind: "exit", message: "the server ended" }
      })
      yield* TestClock.adjust("999 millis")
      expect(door.attempts).toBe(1)
      yield* TestClock.adjust("1 millis")
      yield* until(manager, "it", "connected")
      expect(yield* server.connections).toBe(1)
      const client = yield* manager.client("it")
      expect((yield* client.callTool("a", {})).text).toBe("a")
    })
  )

  it.scoped("is made again later and later, and given up after five quick ends; the others are not concerned", () =>
    Effect.gen(function* () {
      const { door, manager, server } = yield* world()
      for (const delay of [1, 2, 4, 8]) {
        yield* server.die
        yield* until(manager, "it", "reconnecting")
        yield* TestClock.adjust(`${delay} seconds`)
        yield* until(manager, "it", "connected")
      }
      yield* server.die
      yield* until(manager, "it", "failed")
      expect(yield* statusOf(manager, "it")).toMatchObject({ error: { hint: expect.stringContaining("5 times") } })
      yield* TestClock.adjust("1 day")
      expect(door.attempts).toBe(5)
    })
  )

  it.scoped("that has lasted is no quick end", () =>
    Effect.gen(function* () {
      const { manager, server } = yield* world()
      for (let round = 0; round < 20; round++) {
        yield* TestClock.adjust("1 minute")
        yield* server.die
        yield* until(manager, "it", "reconnecting")
        expect(yield* statusOf(manager, "it")).toMatchObject({ attempt: 1 })
        yield* TestClock.adjust("1 second")
        yield* until(manager, "it", "connected")
      }
    })
  )

  it.scoped("to a program that crashes at each start from then on is given up after few tries", () =>
    Effect.gen(function* () {
      const { door, manager, server } = yield* world()
      door.trouble = trouble("exit")
      yield* server.die
      yield* TestClock.adjust("1 hour")
      expect(yield* words(manager)).toEqual({ it: "failed" })
      expect(door.attempts).toBe(5)
    })
  )

  it.scoped("to an address that cannot be reached is tried for as long as it takes", () =>
    Effect.gen(function* () {
      const { door, manager, server } = yield* world()
      door.trouble = trouble("network")
      yield* server.die
      yield* TestClock.adjust("1 hour")
      expect(yield* words(manager)).toEqual({ it: "reconnecting" })
      expect(door.attempts).toBeGreaterThan(8)
      door.trouble = undefined
      yield* TestClock.adjust("1 hour")
      expect(yield* words(manager)).toEqual({ it: "connected" })
    })
  )

  it.scoped("fails every open call at once, with the reason", () =>
    Effect.gen(function* () {
      const never = TestServer.make({ tools: { never: { handler: () => Effect.never } } })
      const { manager, server } = yield* world(never)
      const client = yield* manager.client("it")
      const calls = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        Effect.fork(Effect.flip(client.callTool("never", {})))
      )
      yield* Effect.yieldNow()
      yield* server.die
      for (const call of calls) expect(yield* Fiber.join(call)).toMatchObject({ phase: "call", kind: "exit" })
    })
  )

  it.scoped("is not made by itself once a person has said no", () =>
    Effect.gen(function* () {
      const { door, manager, server } = yield* world()
      yield* server.die
      yield* until(manager, "it", "reconnecting")
      yield* manager.disable("it")
      yield* TestClock.adjust("1 hour")
      expect(yield* words(manager)).toEqual({ it: "disabled" })
      expect(door.attempts).toBe(1)
    })
  )

  it.effect("is not made again after the Manager's end", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { door, manager, server } = yield* Scope.extend(world(), scope)
      yield* server.die
      yield* until(manager, "it", "reconnecting")
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("1 hour")
      expect(door.attempts).toBe(1)
    })
  )
})

describe("a first connection that fails", () => {
  it.scoped("on the network is told at once and tried again in the background", () =>
    Effect.gen(function* () {
      const { door, manager } = yield* world()
      yield* manager.disable("it")
      door.trouble = trouble("network")
      expect(yield* manager.enable("it")).toMatchObject({ _tag: "Reconnecting", attempt: 1 })
      door.trouble = undefined
      yield* TestClock.adjust("1 second")
      yield* until(manager, "it", "connected")
    })
  )

  it.scoped("in any other way is not tried again", () =>
    Effect.gen(function* () {
      for (const kind of ["exit", "spawn"] as const) {
        const { door, manager } = yield* world()
        door.trouble = trouble(kind)
        expect(yield* manager.reconnect("it")).toMatchObject({ _tag: "Failed" })
        yield* TestClock.adjust("1 hour")
        expect(door.attempts).toBe(2)
      }
    })
  )
})

describe("a use of a server that is not connected", () => {
  it.scoped("connects it, whoever uses it at once sharing the attempt", () =>
    Effect.gen(function* () {
      const { door, manager, server } = yield* world()
      yield* TestClock.adjust("10 seconds")
      yield* server.die
      yield* until(manager, "it", "reconnecting")
      const clients = yield* Effect.all(
        Array.from({ length: 10 }, () => manager.client("it")),
        { concurrency: "unbounded" }
      )
      expect(new Set(clients).size).toBe(1)
      expect(door.attempts).toBe(2)
      yield* TestClock.adjust("1 hour")
      expect(door.attempts).toBe(2)
    })
  )

  it.scoped("that was given up tries once more, though not oftener than every five seconds", () =>
    Effect.gen(function* () {
      const { door, manager } = yield* world()
      door.trouble = trouble("exit")
      yield* manager.reconnect("it")
      for (let use = 0; use < 20; use++) expect((yield* Effect.flip(manager.client("it"))).kind).toBe("exit")
      expect(door.attempts).toBe(2)
      yield* TestClock.adjust("5 seconds")
      for (let use = 0; use < 20; use++) expect((yield* Effect.flip(manager.client("it"))).kind).toBe("exit")
      expect(door.attempts).toBe(3)
      door.trouble = undefined
      yield* TestClock.adjust("5 seconds")
      expect((yield* (yield* manager.client("it")).callTool("a", {})).text).toBe("a")
    })
  )

  it.scoped("waits for a start that is under way", () =>
    Effect.gen(function* () {
      const { door, manager } = yield* world()
      door.delay = Duration.seconds(1)
      yield* Effect.fork(manager.reconnect("it"))
      yield* until(manager, "it", "pending")
      const client = yield* Effect.fork(manager.client("it"))
      yield* TestClock.adjust("1 second")
      expect((yield* (yield* Fiber.join(client)).callTool("a", {})).text).toBe("a")
      expect(door.attempts).toBe(2)
    })
  )
})

describe("a server that still answers", () => {
  it.scoped("is not disturbed by tools that fail", () =>
    Effect.gen(function* () {
      const failing = TestServer.make({
        tools: { fails: { handler: () => Effect.fail("no") } },
        methods: { "tools/call": () => Effect.fail({ code: -32603, message: "internal error" }) }
      })
      const { door, manager } = yield* world(failing)
      const client = yield* manager.client("it")
      for (let call = 0; call < 50; call++) yield* Effect.either(client.callTool("fails", {}))
      yield* TestClock.adjust("1 hour")
      expect(yield* words(manager)).toEqual({ it: "connected" })
      expect(door.attempts).toBe(1)
    })
  )

  it.scoped("with -32601 to a ping is alive", () =>
    Effect.gen(function* () {
      const old = TestServer.make({
        methods: { ping: () => Effect.fail({ code: -32601, message: "Method not found" }) }
      })
      const { door, manager, server } = yield* world(old)
      yield* TestClock.adjust("1 hour")
      expect(door.attempts).toBe(1)
      expect(yield* words(manager)).toEqual({ it: "connected" })
      expect((yield* server.messages).filter((m) => m._tag === "Request" && m.method === "ping")).toHaveLength(120)
    })
  )

  it.scoped("no ping any more is connected anew", () =>
    Effect.gen(function* () {
      let hangs = false
      const hanging = TestServer.make({
        methods: { ping: () => (hangs ? Effect.never : Effect.succeed({})) }
      })
      const { door, manager } = yield* world(hanging)
      yield* TestClock.adjust("1 minute")
      hangs = true
      yield* TestClock.adjust("3 minutes")
      expect(door.attempts).toBe(2)
      expect(yield* words(manager)).toEqual({ it: "connected" })
    })
  )
})
