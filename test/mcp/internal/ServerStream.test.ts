import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as ServerStream from "../../../src/mcp/internal/http/ServerStream.ts"
import { McpError } from "../../../src/mcp/McpError.ts"

const failure = (kind: McpError["kind"], status?: number) =>
  new McpError({ server: "web", phase: "connect", kind, message: "no", status })

const end = (over: Partial<ServerStream.End> = {}): ServerStream.End => ({
  delivered: 0,
  lastEventId: undefined,
  retry: undefined,
  ...over
})

/** Opens what the list gives, the last of it again and again, and notes when and from where. */
const opening = (...ends: ReadonlyArray<Effect.Effect<ServerStream.End, McpError>>) => {
  const opened: Array<readonly [at: number, lastEventId: string | undefined]> = []
  const open = (lastEventId: string | undefined) =>
    Effect.flatMap(
      Effect.clockWith((clock) => clock.currentTimeMillis),
      (now) => {
        opened.push([now, lastEventId])
        return ends[Math.min(opened.length, ends.length) - 1] ?? Effect.never
      }
    )
  return { opened, open, times: () => opened.map(([at]) => at) }
}

describe("a server's own stream", () => {
  it.effect("is opened later and later while streams end without a message", () =>
    Effect.gen(function* () {
      const { open, times } = opening(Effect.succeed(end()))
      const fiber = yield* Effect.fork(ServerStream.keepOpen(open))
      yield* TestClock.adjust("5 minutes")
      const seconds = times().map((at) => at / 1000)
      expect(seconds).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("is opened again after what the server asks for, from the last event on, when messages came", () =>
    Effect.gen(function* () {
      const { open, opened } = opening(
        Effect.succeed(end({ delivered: 1, lastEventId: "e1", retry: 250 })),
        Effect.succeed(end({ delivered: 1 })),
        Effect.never
      )
      const fiber = yield* Effect.fork(ServerStream.keepOpen(open))
      yield* TestClock.adjust("10 seconds")
      expect(opened).toEqual([
        [0, undefined],
        [250, "e1"],
        [500, "e1"]
      ])
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("never comes sooner than the server asks, and a message makes up for failures", () =>
    Effect.gen(function* () {
      const { open, times } = opening(
        Effect.succeed(end({ retry: 3_000 })),
        Effect.succeed(end()),
        Effect.succeed(end({ delivered: 2 })),
        Effect.never
      )
      const fiber = yield* Effect.fork(ServerStream.keepOpen(open))
      yield* TestClock.adjust("1 minute")
      expect(times()).toEqual([0, 3_000, 6_000, 9_000])
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("is not asked for again when the server has none", () =>
    Effect.gen(function* () {
      for (const status of [200, 400, 401, 404, 405, 406, 500]) {
        const { open, times } = opening(Effect.fail(failure("http", status)))
        yield* ServerStream.keepOpen(open)
        expect(times()).toEqual([0])
      }
    })
  )

  it.effect("outlives a restart of the server once it was there, and ends with its refusal", () =>
    Effect.gen(function* () {
      const { open, times } = opening(
        Effect.succeed(end({ delivered: 1 })),
        Effect.fail(failure("network")),
        Effect.fail(failure("http", 503)),
        Effect.fail(failure("session-lost", 404))
      )
      const fiber = yield* Effect.fork(ServerStream.keepOpen(open))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      expect(times()).toEqual([0, 1_000, 2_000, 4_000])
    })
  )
})

describe("a reply whose stream broke off", () => {
  const from = { lastEventId: "e0", retry: 500 }
  const giveUp = () => failure("network")

  it.effect("is resumed after exactly what the server asks for, as long as the server has more to say", () =>
    Effect.gen(function* () {
      let polls = 0
      const { open, opened } = opening(Effect.suspend(() => Effect.succeed(end({ lastEventId: `e${++polls}` }))))
      const fiber = yield* Effect.fork(ServerStream.resume({ from, open, giveUp, isDone: () => polls === 20 }))
      yield* TestClock.adjust("499 millis")
      expect(opened).toEqual([])
      yield* TestClock.adjust("10 minutes")
      yield* Fiber.join(fiber)
      expect(opened).toHaveLength(20)
      expect(opened[0]).toEqual([500, "e0"])
      expect(opened[19]).toEqual([10_000, "e19"])
    })
  )

  it.effect("is given up when streams bring nothing more", () =>
    Effect.gen(function* () {
      const { open, opened } = opening(Effect.succeed(end()))
      const fiber = yield* Effect.fork(Effect.flip(ServerStream.resume({ from, open, giveUp, isDone: () => false })))
      yield* TestClock.adjust("10 minutes")
      expect((yield* Fiber.join(fiber)).kind).toBe("network")
      expect(opened).toHaveLength(5)
    })
  )

  it.effect("is given up at once when the server refuses, and after a few tries when it is gone", () =>
    Effect.gen(function* () {
      const refused = opening(Effect.fail(failure("http", 405)))
      const gone = opening(Effect.fail(failure("network")))
      for (const { open } of [refused, gone]) {
        const fiber = yield* Effect.fork(Effect.flip(ServerStream.resume({ from, open, giveUp, isDone: () => false })))
        yield* TestClock.adjust("10 minutes")
        yield* Fiber.join(fiber)
      }
      expect(refused.opened).toHaveLength(1)
      expect(gone.opened).toHaveLength(5)
    })
  )

  it.effect("is not asked for when nobody waits any more", () =>
    Effect.gen(function* () {
      const { open, opened } = opening(Effect.never)
      let done = false
      const fiber = yield* Effect.fork(ServerStream.resume({ from, open, giveUp, isDone: () => done }))
      yield* TestClock.adjust("100 millis")
      done = true
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(fiber)
      expect(opened).toEqual([])
    })
  )
})
