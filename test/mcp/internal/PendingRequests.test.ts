import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { describe } from "vitest"
import * as PendingRequests from "../../../src/mcp/internal/PendingRequests.ts"
import { McpError } from "../../../src/mcp/McpError.ts"
import type { Progress } from "../../../src/mcp/McpSchema.ts"
import type { RequestOptions } from "../../../src/mcp/McpTransport.ts"

const make = Effect.gen(function* () {
  const cancelled: Array<number> = []
  const pending = yield* PendingRequests.make({ server: "s", cancel: (id) => cancelled.push(id) })
  const open = (options?: RequestOptions) =>
    Effect.gen(function* () {
      let id = 0
      const fiber = yield* Effect.fork(
        pending.request("tools/call", options, (given) => {
          id = given
        })
      )
      yield* Effect.yieldNow()
      return { id, fiber }
    })
  return { pending, open, cancelled }
})

const failure = <A>(fiber: Fiber.Fiber<A, McpError>) => Effect.flip(Fiber.join(fiber))

const seconds = (n: number) => ({ timeout: Duration.seconds(n) })

describe("pending requests", () => {
  it.scoped("a reply ends its request, and a second one finds nobody", () =>
    Effect.gen(function* () {
      const { open, pending } = yield* make
      const { fiber, id } = yield* open()
      expect(pending.has(id)).toBe(true)
      expect(pending.settle(String(id), { _tag: "Result", result: "wrong" })).toBe(false)
      expect(pending.settle(id, { _tag: "Result", result: "right" })).toBe(true)
      expect(pending.settle(id, { _tag: "Result", result: "late" })).toBe(false)
      expect(yield* Fiber.join(fiber)).toBe("right")
      expect(pending.has(id)).toBe(false)
    })
  )

  it.scoped("each request ends at its own deadline, whatever the order in which they were opened", () =>
    Effect.gen(function* () {
      const { cancelled, open, pending } = yield* make
      const slow = yield* open(seconds(60))
      const quick = yield* open(seconds(1))
      const endless = yield* open()
      yield* TestClock.adjust("999 millis")
      expect(pending.methods()).toHaveLength(3)
      yield* TestClock.adjust("1 millis")
      expect(yield* failure(quick.fiber)).toMatchObject({
        kind: "timeout",
        phase: "call",
        message: "no answer to tools/call within 1s"
      })
      yield* TestClock.adjust("59 seconds")
      expect((yield* failure(slow.fiber)).kind).toBe("timeout")
      expect(cancelled).toEqual([quick.id, slow.id])
      yield* TestClock.adjust("1 day")
      expect(pending.has(endless.id)).toBe(true)
    })
  )

  it.scoped("progress starts the timeout anew, up to the limit of the whole wait", () =>
    Effect.gen(function* () {
      const { open, pending } = yield* make
      const seen: Array<Progress> = []
      const { fiber, id } = yield* open({
        timeout: Duration.seconds(2),
        maxTimeout: Duration.seconds(5),
        onProgress: (progress) => Effect.sync(() => seen.push(progress))
      })
      for (const progress of [1, 2, 3]) {
        yield* TestClock.adjust("1500 millis")
        expect(pending.progress({ progressToken: id, progress, total: "junk", message: "working" })).toBe(true)
      }
      yield* TestClock.adjust("499 millis")
      expect(pending.has(id)).toBe(true)
      yield* TestClock.adjust("1 millis")
      expect((yield* failure(fiber)).kind).toBe("timeout")
      expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, message: "working" })))
    })
  )

  it.scoped("progress that is late, malformed, without a token or with another one is nobody's", () =>
    Effect.gen(function* () {
      const { open, pending } = yield* make
      const { id } = yield* open(seconds(1))
      expect(pending.progress(undefined)).toBe(false)
      expect(pending.progress({ progress: 1 })).toBe(false)
      expect(pending.progress({ progressToken: String(id), progress: 1 })).toBe(false)
      expect(pending.progress({ progressToken: id, progress: "1" })).toBe(false)
      pending.settle(id, { _tag: "Result", result: 1 })
      expect(pending.progress({ progressToken: id, progress: 1 })).toBe(false)
    })
  )

  it.scoped("an interrupted request is cancelled, one that has its reply is not, nor is a silent one", () =>
    Effect.gen(function* () {
      const { cancelled, open, pending } = yield* make
      const given = yield* open()
      const answered = yield* open()
      const silent = yield* open({ silent: true })
      pending.settle(answered.id, { _tag: "Result", result: 1 })
      for (const { fiber } of [given, answered, silent]) yield* Fiber.interrupt(fiber)
      expect(cancelled).toEqual([given.id])
      expect(pending.methods()).toEqual([])
    })
  )

  it.scoped("the loss of the connection ends every wait, and each later one, with its first reason", () =>
    Effect.gen(function* () {
      const { cancelled, open, pending } = yield* make
      const first = yield* open({ phase: "list" })
      const second = yield* open(seconds(1))
      const reason = (message: string) => new McpError({ server: "s", phase: "connect", kind: "exit", message })
      pending.close(reason("gone"))
      pending.close(reason("closed"))
      expect(yield* failure(first.fiber)).toMatchObject({ kind: "exit", phase: "list", message: "gone" })
      expect(yield* failure(second.fiber)).toMatchObject({ kind: "exit", phase: "call", message: "gone" })
      expect((yield* failure((yield* open()).fiber)).message).toBe("gone")
      expect(cancelled).toEqual([])
    })
  )

  it.scoped("a request that the server gives up ends with its reason", () =>
    Effect.gen(function* () {
      const { open, pending } = yield* make
      const { fiber, id } = yield* open()
      expect(pending.cancelled(undefined)).toBe(false)
      expect(pending.cancelled({ requestId: String(id) })).toBe(false)
      expect(pending.cancelled({ requestId: id })).toBe(true)
      expect(yield* failure(fiber)).toMatchObject({ kind: "rpc", message: "the server cancelled tools/call" })
    })
  )
})

describe("the progress token", () => {
  it("is the request's id, beside what else stands in _meta, and there only when progress is wanted", () => {
    const onProgress = () => Effect.void
    const withToken = PendingRequests.withProgressToken
    expect(withToken(undefined, 7, { onProgress })).toEqual({ _meta: { progressToken: 7 } })
    expect(withToken({ a: 1, _meta: { b: 2 } }, 7, { onProgress })).toEqual({ a: 1, _meta: { b: 2, progressToken: 7 } })
    expect(withToken({ a: 1 }, 7, {})).toEqual({ a: 1 })
  })

  it.scoped("while the server waits for an answer of ours, no request is late; its time then begins anew", () =>
    Effect.gen(function* () {
      const { open, pending } = yield* make
      const { fiber } = yield* open(seconds(60))
      pending.asked("q1")
      pending.asked("q2")
      yield* TestClock.adjust("90 seconds")
      pending.answered("q1")
      yield* TestClock.adjust("90 seconds")
      pending.answered("q2")
      yield* TestClock.adjust("59 seconds")
      expect(pending.size()).toBe(1)
      yield* TestClock.adjust("1 second")
      expect((yield* failure(fiber)).kind).toBe("timeout")
    })
  )

  it.scoped("a question that is never answered keeps a request no longer than its longest time", () =>
    Effect.gen(function* () {
      const { open, pending } = yield* make
      const { fiber } = yield* open({ timeout: Duration.seconds(60), maxTimeout: Duration.minutes(10) })
      pending.asked("q")
      yield* TestClock.adjust("599 seconds")
      expect(pending.size()).toBe(1)
      yield* TestClock.adjust("1 second")
      expect((yield* failure(fiber)).kind).toBe("timeout")
    })
  )
})
