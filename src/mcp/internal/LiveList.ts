/**
 * A list that the server may change at any time, kept up to date: a storm of notifications costs one reading at a time,
 * a change during a reading is not lost, the new list takes the old one's place in one step, and a reading that
 * fails leaves the old one.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { McpError } from "../McpError.ts"
import * as Latest from "./Latest.ts"

/** How long changes are gathered before the list is read again. */
const debounce = Duration.millis(50)

export interface LiveList<A> {
  readonly latest: Latest.Latest<A>
  /** Reads the list for the first time, and from then on after each change. */
  readonly load: (read: Effect.Effect<A, McpError>) => Effect.Effect<void, McpError, Scope.Scope>
  /** The server says that the list has changed, or may have. */
  readonly changed: Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* <A>(options: {
  readonly initial: A
  /** What becomes of the list when it was read again, or could not be. */
  readonly refreshed: (old: A, outcome: Either.Either<A, McpError>) => A
}): Effect.fn.Return<LiveList<A>, never, Scope.Scope> {
  const { initial, refreshed } = options
  const latest = yield* Latest.make(initial)
  const wanted = yield* Queue.dropping<void>(1)

  const refresh = (read: Effect.Effect<A, McpError>) =>
    Queue.take(wanted).pipe(
      Effect.zipRight(Effect.sleep(debounce)),
      Effect.zipRight(Queue.takeAll(wanted)),
      Effect.zipRight(Effect.either(read)),
      Effect.flatMap((outcome) => latest.update((old) => refreshed(old, outcome)))
    )

  return {
    latest,
    load: (read) =>
      Queue.takeAll(wanted).pipe(
        Effect.zipRight(read),
        Effect.flatMap((list) => latest.update(() => list)),
        Effect.zipRight(Effect.forkScoped(Effect.forever(refresh(read))))
      ),
    changed: Effect.asVoid(Queue.offer(wanted, undefined))
  }
})
