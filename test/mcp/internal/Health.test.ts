import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as Health from "../../../src/mcp/internal/manager/Health.ts"
import { type Kind, McpError } from "../../../src/mcp/McpError.ts"
import type * as McpTransport from "../../../src/mcp/McpTransport.ts"

const failure = (kind: Kind) => new McpError({ server: "it", phase: "call", kind, message: `it is ${kind}` })

/** A transport whose requests, and a ping, end as the test says. */
const world = Effect.fnUntraced(function* (options: { readonly kind?: McpTransport.Service["kind"] } = {}) {
  const state = { open: 0, pings: 0, ping: Effect.void as Effect.Effect<void, McpError> }
  const transport: McpTransport.Service = {
    kind: options.kind ?? "http",
    server: "it",
    request: (method) => (method === "unreachable" ? Effect.fail(failure("network")) : Effect.succeed(method)),
    notify: () => Effect.void,
    respond: () => Effect.void,
    inbound: Stream.empty,
    closed: Effect.never,
    negotiated: () => Effect.void,
    diagnostics: Effect.sync(() => ({ stderr: "", skipped: [], openRequests: state.open }))
  }
  const health = yield* Health.make(transport)
  const ping = Effect.suspend(() => {
    state.pings++
    return state.ping
  })
  const watched = (interval: Duration.Duration | "off", pings = true) =>
    Effect.fork(Effect.either(health.watch({ ping: pings ? ping : undefined, interval })))
  return { health, state, watched }
})

const ended = (fiber: Fiber.RuntimeFiber<Either.Either<never, McpError>>) =>
  Effect.map(Fiber.join(fiber), (outcome) => (Either.isLeft(outcome) ? outcome.left : undefined))

const thirtySeconds = Duration.seconds(30)

describe("an idle connection", () => {
  it.effect("is asked now and then whether it lives, and not while a request is open", () =>
    Effect.gen(function* () {
      const { state, watched } = yield* world()
      const fiber = yield* watched(thirtySeconds)
      yield* TestClock.adjust("61 seconds")
      expect(state.pings).toBe(2)
      state.open = 1
      yield* TestClock.adjust("10 minutes")
      expect(state.pings).toBe(2)
      state.open = 0
      yield* TestClock.adjust("30 seconds")
      expect(state.pings).toBe(3)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("is never asked where that is off, or where the revision has no ping", () =>
    Effect.gen(function* () {
      const { state, watched } = yield* world()
      const fibers = [yield* watched("off"), yield* watched(thirtySeconds, false)]
      yield* TestClock.adjust("1 hour")
      expect(state.pings).toBe(0)
      yield* Fiber.interruptAll(fibers)
    })
  )

  it.effect("is lost when three pings in a row get no answer, from a server that has answered before", () =>
    Effect.gen(function* () {
      const { state, watched } = yield* world()
      const fiber = yield* watched(thirtySeconds)
      yield* TestClock.adjust("30 seconds")
      state.ping = Effect.delay(Effect.fail(failure("timeout")), "30 seconds")
      yield* TestClock.adjust("122 seconds")
      expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust("1 seconds")
      expect(yield* ended(fiber)).toMatchObject({ kind: "timeout", phase: "connect" })
    })
  )

  it.effect("is not lost when one of them is answered", () =>
    Effect.gen(function* () {
      const { state, watched } = yield* world()
      const fiber = yield* watched(thirtySeconds)
      yield* TestClock.adjust("30 seconds")
      for (let round = 0; round < 5; round++) {
        const before = state.pings
        state.ping = Effect.suspend(() => (state.pings - before < 3 ? Effect.fail(failure("timeout")) : Effect.void))
        yield* TestClock.adjust("33 seconds")
      }
      expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("of a server that never answers a ping is not judged by its silence", () =>
    Effect.gen(function* () {
      const { state, watched } = yield* world()
      state.ping = Effect.fail(failure("timeout"))
      const fiber = yield* watched(thirtySeconds)
      yield* TestClock.adjust("1 hour")
      expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
      yield* Fiber.interrupt(fiber)
    })
  )
})

describe("a request that cannot reach the server", () => {
  it.effect("leads to three pings at once; when none arrives, the server is lost", () =>
    Effect.gen(function* () {
      const { health, state, watched } = yield* world()
      const fiber = yield* watched("off")
      state.ping = Effect.fail(failure("network"))
      yield* Effect.flip(health.transport.request("unreachable", undefined))
      yield* TestClock.adjust("3 seconds")
      expect(yield* ended(fiber)).toMatchObject({ kind: "network", phase: "connect" })
      expect(state.pings).toBe(3)
    })
  )

  it.effect("is no loss when a ping arrives", () =>
    Effect.gen(function* () {
      const { health, state, watched } = yield* world()
      const fiber = yield* watched("off")
      for (let round = 1; round <= 3; round++) {
        yield* Effect.flip(health.transport.request("unreachable", undefined))
        yield* TestClock.adjust("10 seconds")
        expect(state.pings).toBe(round)
      }
      expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("is the loss itself where there is no ping", () =>
    Effect.gen(function* () {
      const { health, watched } = yield* world()
      const fiber = yield* watched(thirtySeconds, false)
      yield* Effect.flip(health.transport.request("unreachable", undefined))
      yield* TestClock.adjust("1 millis")
      expect(yield* ended(fiber)).toMatchObject({ kind: "network" })
    })
  )

  it.effect("costs the requests that do reach it nothing, and a program's transport is left as it is", () =>
    Effect.gen(function* () {
      const { health } = yield* world()
      expect(yield* health.transport.request("a", undefined)).toBe("a")
      expect(health.transport.kind).toBe("http")
      const program = yield* world({ kind: "stdio" })
      expect(program.health.transport.kind).toBe("stdio")
    })
  )
})
