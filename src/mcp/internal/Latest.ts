/**
 * A value that changes, told to any number of readers: each gets the present value, then every new one. A slow reader loses
 * values between, never the last, and never keeps the writer waiting.
 */
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** How many values a reader may be behind before it loses some. */
const capacity = 8

export interface Latest<A> {
  readonly get: Effect.Effect<A>
  readonly update: (change: (value: A) => A) => Effect.Effect<void>
  readonly changes: Stream.Stream<A>
}

/** The streams end with the Scope. */
export const make = Effect.fnUntraced(function* <A>(initial: A): Effect.fn.Return<Latest<A>, never, Scope.Scope> {
  const pubsub = yield* Effect.acquireRelease(PubSub.sliding<A>(capacity), PubSub.shutdown)
  const inStep = yield* Effect.makeSemaphore(1)
  let current = initial

  return {
    get: Effect.sync(() => current),
    update: (change) =>
      Effect.suspend(() => {
        current = change(current)
        return PubSub.publish(pubsub, current)
      }).pipe(inStep.withPermits(1), Effect.uninterruptible, Effect.asVoid),
    // Subscribing and reading in one step: no value is lost between the two, and none told twice.
    changes: PubSub.subscribe(pubsub).pipe(
      Effect.map((values) => Stream.concat(Stream.succeed(current), Stream.fromQueue(values, { maxChunkSize: 1 }))),
      inStep.withPermits(1),
      Stream.unwrapScoped
    )
  }
})
