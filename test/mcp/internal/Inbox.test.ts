import { expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { describe } from "vitest"
import * as Inbox from "../../../src/mcp/internal/Inbox.ts"
import type { Inbound } from "../../../src/mcp/McpTransport.ts"

const notification = (n: number): Inbound => ({ _tag: "Notification", method: "n", params: { n } })
const request = (id: number): Inbound => ({ _tag: "Request", id, method: "r", params: undefined })

const drain = (inbox: Inbox.Inbox) => Effect.map(Stream.runCollect(inbox.stream), Chunk.toReadonlyArray)

describe("the inbox", () => {
  it.effect("keeps what came before anyone reads, and ends after it", () =>
    Effect.gen(function* () {
      const inbox = Inbox.make()
      inbox.offer(notification(1))
      inbox.offer(request(2))
      inbox.end()
      inbox.offer(notification(3))
      expect(yield* drain(inbox)).toEqual([notification(1), request(2)])
    })
  )

  it.effect("wakes a reader that waits, for messages and for the end", () =>
    Effect.gen(function* () {
      const inbox = Inbox.make()
      const reader = yield* Effect.fork(drain(inbox))
      for (const n of [1, 2]) {
        yield* Effect.yieldNow()
        inbox.offer(notification(n))
      }
      yield* Effect.yieldNow()
      inbox.end()
      expect(yield* Fiber.join(reader)).toEqual([notification(1), notification(2)])
    })
  )

  it.effect("is bounded: the oldest notifications go, requests stay", () =>
    Effect.gen(function* () {
      const inbox = Inbox.make()
      inbox.offer(request(0))
      for (let n = 0; n < Inbox.capacity + 5; n++) inbox.offer(notification(n))
      inbox.end()
      const messages = yield* drain(inbox)
      expect(messages).toHaveLength(Inbox.capacity)
      expect(messages[0]).toEqual(request(0))
      expect(messages[1]).toEqual(notification(6))
    })
  )

  it.effect("is bounded also when there are nothing but requests", () =>
    Effect.gen(function* () {
      const inbox = Inbox.make()
      for (let id = 0; id <= Inbox.capacity; id++) inbox.offer(request(id))
      inbox.end()
      const messages = yield* drain(inbox)
      expect(messages).toHaveLength(Inbox.capacity)
      expect(messages[0]).toEqual(request(1))
    })
  )
})
