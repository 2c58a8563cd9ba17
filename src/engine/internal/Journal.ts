/** A conversation's history, and the session that keeps it: whatever changes the one is kept in the other first. */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { SessionEvent } from "../SessionEvent.ts"
import type { Session } from "../SessionStore.ts"
import * as History from "./History.ts"

export interface Journal {
  readonly session: Session | undefined
  readonly history: Effect.Effect<History.History>
  readonly record: (event: SessionEvent) => Effect.Effect<void>
  /** What is to be told of the session: that it is not kept any more, once. */
  readonly trouble: Effect.Effect<ReadonlyArray<string>>
}

/**
 * A session that cannot be kept costs its rest, not the conversation: nothing is added after what is missing, so that what there is
 * stays true.
 */
export const make = Effect.fnUntraced(function* (session: Session | undefined) {
  const history = yield* Ref.make(History.fromEvents(session?.events ?? []))
  const trouble = yield* Ref.make<ReadonlyArray<string>>([])
  const inOrder = yield* Effect.makeSemaphore(1)
  let isKept = session !== undefined

  const keep = (event: SessionEvent) =>
    session === undefined || !isKept
      ? Effect.void
      : Effect.catchAll(session.append(event), ({ message }) => {
          isKept = false
          return Ref.update(trouble, (before) => [...before, `From here on this conversation is not kept: ${message}`])
        })

  const journal: Journal = {
    session,
    history: Ref.get(history),
    record: (event) =>
      keep(event).pipe(
        Effect.zipRight(Ref.update(history, (now) => History.apply(now, event))),
        inOrder.withPermits(1),
        Effect.uninterruptible
      ),
    trouble: Ref.getAndSet(trouble, [])
  }
  return journal
})
