/**
 * What a server sent on its own and nobody has read yet.
 *
 * A server may speak before anyone listens, so messages are kept; it may also never stop, so they are bounded: over the
 * limit the oldest notification goes first, since a request waits for its answer.
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Inbound } from "../McpTransport.ts"

/** How many unread messages are kept. */
export const capacity = 10_000

export interface Inbox {
  readonly offer: (message: Inbound) => void
  /** Nothing more comes: the stream ends after what was offered before. */
  readonly end: () => void
  readonly stream: Stream.Stream<Inbound>
}

export const make = (): Inbox => {
  let unread: Array<Inbound> = []
  let ended = false
  const filled = Effect.unsafeMakeLatch(false)

  const makeRoom = () => {
    const oldest = unread.findIndex((message) => message._tag === "Notification")
    unread.splice(Math.max(oldest, 0), 1)
  }

  const take: Effect.Effect<Chunk.Chunk<Inbound>, Option.Option<never>> = Effect.suspend(() => {
    if (unread.length > 0) {
      const messages = unread
      unread = []
      if (!ended) filled.unsafeClose()
      return Effect.succeed(Chunk.unsafeFromArray(messages))
    }
    return ended ? Effect.fail(Option.none()) : Effect.zipRight(filled.await, take)
  })

  return {
    offer: (message) => {
      if (ended) return
      if (unread.length >= capacity) makeRoom()
      unread.push(message)
      filled.unsafeOpen()
    },
    end: () => {
      ended = true
      filled.unsafeOpen()
    },
    stream: Stream.repeatEffectChunkOption(take)
  }
}
