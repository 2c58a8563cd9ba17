/**
 * The person of the terminal UI, to the engine an `Approver` and to servers a `Person`: questions wait in one queue until they
 * are answered or taken back.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { type Answer, Approver } from "../engine/Permission.ts"
import { Person } from "../engine/Person.ts"
import type { Question, Reply, Subject } from "./Question.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The questions that wait, oldest first, then again after each change. */
  readonly changes: Stream.Stream<ReadonlyArray<Question>>
  /** Answers a question; nothing happens when it waits no more. */
  readonly answer: (id: number, reply: Reply) => Effect.Effect<void>
  /** What the person is told without being asked. */
  readonly told: Stream.Stream<string>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Approvals extends Context.Tag("harness9/tui/Approvals")<Approvals, Service>() {}

interface Waiting {
  readonly question: Question
  readonly answered: Deferred.Deferred<Reply>
}

const make = Effect.gen(function* () {
  const waiting = yield* SubscriptionRef.make<ReadonlyArray<Waiting>>([])
  const told = yield* Queue.sliding<string>(100)
  let lastId = 0

  const withdraw = (id: number) =>
    SubscriptionRef.update(waiting, (all) => all.filter(({ question }) => question.id !== id))

  const ask = (subject: Subject): Effect.Effect<Reply> =>
    Effect.acquireUseRelease(
      Effect.gen(function* () {
        const id = ++lastId
        const answered = yield* Deferred.make<Reply>()
        yield* SubscriptionRef.update(waiting, (all) => [...all, { question: { id, ...subject }, answered }])
        return { id, answered }
      }),
      ({ answered }) => Deferred.await(answered),
      ({ id }) => withdraw(id)
    )

  const person = Person.of({
    sampling: (request, origin) => Effect.map(ask({ _tag: "Sampling", request, origin }), permission),
    form: (request, origin) =>
      Effect.map(ask({ _tag: "Form", request, origin }), (reply) => {
        if (!("action" in reply)) return { action: "cancel" }
        if (reply.action !== "accept") return { action: reply.action }
        return { action: "accept", content: "content" in reply ? reply.content : {} }
      }),
    url: (request, origin) =>
      Effect.map(ask({ _tag: "Page", request, origin }), (reply) => ({
        action: "action" in reply ? reply.action : "cancel"
      })),
    tell: (text) => Queue.offer(told, text)
  })

  const approvals = Approvals.of({
    changes: Stream.map(waiting.changes, (all) => all.map(({ question }) => question)),
    answer: (id, reply) =>
      Effect.flatMap(SubscriptionRef.get(waiting), (all) => {
        const found = all.find(({ question }) => question.id === id)
        return found === undefined ? Effect.void : Deferred.succeed(found.answered, reply)
      }),
    told: Stream.fromQueue(told)
  })

  return Context.make(Approver, { ask: (request) => Effect.map(ask({ _tag: "Tool", request }), permission) }).pipe(
    Context.add(Person, person),
    Context.add(Approvals, approvals)
  )
})

const permission = (reply: Reply): Answer => ("_tag" in reply ? reply : { _tag: "Deny" })

/**
 * Both sides: the engine and the servers ask through `Approver` and `Person`, the UI answers through `Approvals`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Approver | Person | Approvals> = Layer.effectContext(make)
