import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { describe } from "vitest"
import * as Connection from "../../../src/mcp/internal/Connection.ts"

const make = Effect.gen(function* () {
  const written: Array<{ readonly id?: number; readonly method?: string }> = []
  const connection = yield* Connection.make({ server: "s", write: (text) => written.push(JSON.parse(text)) })
  const receive = (message: object) => connection.receive(JSON.stringify({ jsonrpc: "2.0", ...message }))
  return { connection, written, receive }
})

describe("a cancellation by the server", () => {
  it.scoped("of a request of its own is for the reader, though a request of ours has that id", () =>
    Effect.gen(function* () {
      const { connection, receive } = yield* make
      const call = yield* Effect.fork(connection.request("tools/call", {}))
      yield* Effect.yieldNow()
      receive({ id: 1, method: "roots/list" })
      receive({ method: "notifications/cancelled", params: { requestId: 1 } })
      receive({ id: 1, result: "done" })
      expect(yield* Fiber.join(call)).toBe("done")
      const messages = yield* connection.inbound.pipe(Stream.take(2), Stream.runCollect)
      expect(Array.from(messages, ({ method }) => method)).toEqual(["roots/list", "notifications/cancelled"])
    })
  )

  it.scoped("of a request of its own, after our answer, still does not end ours", () =>
    Effect.gen(function* () {
      const { connection, receive } = yield* make
      receive({ id: 1, method: "roots/list" })
      yield* connection.respond(1, { _tag: "Result", result: {} })
      const call = yield* Effect.fork(connection.request("tools/call", {}))
      yield* Effect.yieldNow()
      receive({ method: "notifications/cancelled", params: { requestId: 1 } })
      receive({ id: 1, result: "done" })
      expect(yield* Fiber.join(call)).toBe("done")
    })
  )
})

describe("the time of a request", () => {
  it.scoped("goes on while the server pings, and stands still while it waits for an answer", () =>
    Effect.gen(function* () {
      const { connection, receive } = yield* make
      const call = () =>
        Effect.fork(Effect.flip(connection.request("tools/call", {}, { timeout: Duration.seconds(60) })))
      const first = yield* call()
      yield* Effect.yieldNow()
      yield* TestClock.adjust("30 seconds")
      receive({ id: "p", method: "ping" })
      yield* connection.respond("p", { _tag: "Result", result: {} })
      yield* TestClock.adjust("30 seconds")
      expect((yield* Fiber.join(first)).kind).toBe("timeout")
      const second = yield* call()
      yield* Effect.yieldNow()
      receive({ id: "q", method: "elicitation/create" })
      yield* TestClock.adjust("10 minutes")
      expect(second.unsafePoll()).toBeNull()
      yield* connection.respond("q", { _tag: "Result", result: {} })
      yield* TestClock.adjust("60 seconds")
      expect((yield* Fiber.join(second)).kind).toBe("timeout")
    })
  )
})

describe("what comes on the wire", () => {
  it.scoped("is never too odd to survive", () =>
    Effect.gen(function* () {
      const { connection, receive } = yield* make
      const oddities = ["", "  ", "{", "null", "42", '"x"', "[]", "[[]]", "{}", '{"jsonrpc":"2.0","id":1}', "\u0000"]
      for (const text of oddities) connection.receive(text)
      receive({ method: "notifications/progress", params: null })
      receive({ method: "notifications/cancelled", params: [1] })
      const call = yield* Effect.fork(connection.request("echo", {}))
      yield* Effect.yieldNow()
      receive({ id: 1, result: "alive" })
      expect(yield* Fiber.join(call)).toBe("alive")
    })
  )

  it.scoped("an answer that nobody waits for is kept as a sample, with its error", () =>
    Effect.gen(function* () {
      const { connection, receive } = yield* make
      receive({ id: "3", error: { code: -32000, message: "no\u001b[2Jway" } })
      expect((yield* connection.diagnostics).skipped).toEqual([
        'reply to no open request: id "3", error -32000 no\\x1b[2Jway'
      ])
    })
  )
})
