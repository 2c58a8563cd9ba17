/**
 * What a server tells without being asked, for any number of readers. A slow reader loses the oldest; nobody waits for it.
 */
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as McpClient from "../../McpClient.ts"
import type { LogMessage } from "../../McpSchema.ts"
import * as LogMessages from "./LogMessages.ts"

/** How far a reader may be behind. */
const capacity = 64
/** How many log messages a new reader is told of. */
const remembered = 20

export interface Announcements {
  readonly tell: (notification: McpClient.Notification) => Effect.Effect<void>
  readonly all: Stream.Stream<McpClient.Notification>
  readonly logMessages: Stream.Stream<LogMessage>
  /** The notifications of one method. */
  readonly of: (method: string) => Stream.Stream<McpClient.Notification>
}

/** The streams end with the Scope. */
export const make: Effect.Effect<Announcements, never, Scope.Scope> = Effect.gen(function* () {
  const all = yield* Effect.acquireRelease(PubSub.sliding<McpClient.Notification>(capacity), PubSub.shutdown)
  const logs = yield* Effect.acquireRelease(
    PubSub.sliding<LogMessage>({ capacity, replay: remembered }),
    PubSub.shutdown
  )
  const stream = Stream.fromPubSub(all)
  return {
    tell: (notification) => {
      const log = notification.method === "notifications/message" ? LogMessages.read(notification.params) : undefined
      const told = PubSub.publish(all, notification)
      return Effect.asVoid(log === undefined ? told : Effect.zipRight(told, PubSub.publish(logs, log)))
    },
    all: stream,
    logMessages: Stream.fromPubSub(logs),
    of: (method) => Stream.filter(stream, (notification) => notification.method === method)
  }
})
