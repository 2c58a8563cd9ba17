/**
 * The person of the terminal UI, to the engine an `Approver`: questions wait in a queue until they are answered or taken back.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { type Answer, Approver, type PermissionRequest } from "../engine/Permission.ts"

/**
 * A question that waits.
 *
 * @since 0.1.0
 * @category models
 */
export interface Question {
  readonly id: number
  readonly request: PermissionRequest
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The questions that wait, oldest first, then again after each change. */
  readonly changes: Stream.Stream<ReadonlyArray<Question>>
  /** Answers a question; nothing happens when it waits no more. */
  readonly answer: (id: number, answer: Answer) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Approvals extends Context.Tag("harness9/tui/Approvals")<Approvals, Service>() {}

interface Waiting extends Question {
  readonly answered: Deferred.Deferred<Answer>
}

const make = Effect.gen(function* () {
  const waiting = yield* SubscriptionRef.make<ReadonlyArray<Waiting>>([])
  let lastId = 0

  const withdraw = (id: number) => SubscriptionRef.update(waiting, (all) => all.filter((other) => other.id !== id))

  const approver = Approver.of({
    ask: (request) =>
      Effect.acquireUseRelease(
        Effect.gen(function* () {
          const id = ++lastId
          const answered = yield* Deferred.make<Answer>()
          yield* SubscriptionRef.update(waiting, (all) => [...all, { id, request, answered }])
          return { id, answered }
        }),
        ({ answered }) => Deferred.await(answered),
        ({ id }) => withdraw(id)
      )
  })

  const approvals = Approvals.of({
    changes: waiting.changes,
    answer: (id, answer) =>
      Effect.flatMap(SubscriptionRef.get(waiting), (all) => {
        const question = all.find((other) => other.id === id)
        return question === undefined ? Effect.void : Deferred.succeed(question.answered, answer)
      })
  })

  return Context.make(Approver, approver).pipe(Context.add(Approvals, approvals))
})

/**
 * Both sides: the engine asks through `Approver`, the UI answers through `Approvals`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Approver | Approvals> = Layer.effectContext(make)
