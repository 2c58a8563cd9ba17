/**
 * A list that the server may change at any time, kept up to date: a storm of notifications costs one reading at a time,
 * a change during a reading is not lost, the new list takes the old one's place in one step, and a reading that
 * fails leaves the old one. A server that never stops changing is read less and less often.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import type { McpError } from "../../McpError.ts"
import * as Latest from "../Latest.ts"

/** How long changes are gathered before the list is read again. */
const debounceMs = 50
/** As long at most while changes follow each other. */
const longestMs = 5000
/** A change within this time of the last reading follows it. */
const followsMs = 1000
/** So many in a row are read without delay. */
const patience = 3

export interface LiveList<A> {
  readonly latest: Latest.Latest<A>
  /** Reads the list for the first time, and from then on after each change. */
  readonly load: (read: Effect.Effect<A, McpError>) => Effect.Effect<void, McpError>
  /** The server says that the list has changed, or may have. */
  readonly changed: Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* <A>(options: {
  readonly initial: A
  /** What becomes of the list when it was read again, or could not be. */
  readonly refreshed: (old: A, outcome: Either.Either<A, McpError>) => A
  /** Runs with each list, the first included. */
  readonly onChange: (list: A) => Effect.Effect<void>
}): Effect.fn.Return<LiveList<A>, never, Scope.Scope> {
  const { initial, onChange, refreshed } = options
  const scope = yield* Effect.scope
  const latest = yield* Latest.make(initial)
  let reread: Effect.Effect<void> = Effect.void
  /** The list is being read, so that a change leads to another reading after this one. */
  let reading = true
  let stale = false
  let readAt = Number.NEGATIVE_INFINITY
  let inRow = 0

  const debounce = Effect.map(Clock.currentTimeMillis, (now) => {
    inRow = now - readAt < followsMs ? inRow + 1 : 0
    return Duration.millis(Math.min(debounceMs * 2 ** Math.max(0, inRow - patience), longestMs))
  })

  const isCurrent = () => {
    reading = stale
    return !stale
  }

  const refresh = (read: Effect.Effect<A, McpError>) =>
    Effect.flatMap(debounce, Effect.sleep).pipe(
      Effect.zipRight(
        Effect.suspend(() => {
          stale = false
          return Effect.either(read)
        })
      ),
      Effect.tap(() => Effect.map(Clock.currentTimeMillis, (now) => (readAt = now))),
      Effect.tap((outcome) => latest.update((old) => refreshed(old, outcome))),
      Effect.zipRight(Effect.flatMap(latest.get, onChange)),
      Effect.repeat({ until: isCurrent }),
      Effect.forkIn(scope)
    )

  return {
    latest,
    load: (read) =>
      Effect.suspend(() => {
        stale = false
        reread = Effect.asVoid(refresh(read))
        return read
      }).pipe(
        Effect.tap((list) => latest.update(() => list)),
        Effect.flatMap(onChange),
        Effect.zipRight(Effect.suspend(() => (isCurrent() ? Effect.void : reread)))
      ),
    changed: Effect.suspend(() => {
      stale = true
      if (reading) return Effect.void
      reading = true
      return reread
    })
  }
})
