/**
 * Questions to clients that cannot be asked in the middle of a call: those of the stateless revision. The call's result is then the
 * question, the work goes on waiting, and the client makes the call again with its answer.
 */
import { randomUUID } from "node:crypto"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { ErrorCode, type ErrorObject, isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import * as Answer from "../Answer.ts"

/** How long the answer to a question may take. */
const patience = "10 minutes"
/** How many calls may wait for an answer. */
const maxWaiting = 1000

interface Question {
  readonly key: string
  readonly request: JsonObject
  readonly answer: Deferred.Deferred<unknown, ErrorObject>
}

interface Round {
  readonly work: Fiber.RuntimeFiber<Answer.Answer, ErrorObject>
  readonly questions: Queue.Dequeue<Question>
  notify: Notify
}

/** Tells the client something about the request that is open at the time. */
export type Notify = (method: string, params: JsonObject) => void

export interface Asking {
  readonly ask: (method: string, params: JsonObject | undefined) => Effect.Effect<unknown, ErrorObject>
  readonly notify: Notify
}

export interface Rounds {
  /** Runs the work until it has a result, or asks. */
  readonly run: (
    notify: Notify,
    work: (asking: Asking) => Effect.Effect<Answer.Answer, ErrorObject>
  ) => Effect.Effect<Answer.Answer, ErrorObject>
  /** Goes on with the work whose question had this state; nothing when the state is none of ours. */
  readonly resume: (
    state: unknown,
    responses: JsonObject,
    notify: Notify
  ) => Effect.Effect<Answer.Answer, ErrorObject> | undefined
}

const prefix = "harness9-"

/** What waits for an answer ends with the Scope. */
export const make: Effect.Effect<Rounds, never, Scope.Scope> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const waiting = new Map<string, { readonly round: Round; readonly question: Question }>()

  const next = (round: Round) =>
    Effect.raceFirst(
      Effect.map(Fiber.await(round.work), (exit) => ({ _tag: "Done" as const, exit })),
      Effect.map(Queue.take(round.questions), (question) => ({ _tag: "Asked" as const, question }))
    ).pipe(
      Effect.onInterrupt(() => Fiber.interruptFork(round.work)),
      Effect.flatMap((event): Effect.Effect<Answer.Answer, ErrorObject> => {
        if (event._tag === "Done") return finished(event.exit)
        if (waiting.size >= maxWaiting) {
          return Effect.zipRight(Fiber.interruptFork(round.work), failure("too many calls wait for an answer"))
        }
        const state = `${prefix}${randomUUID()}`
        const { key, request } = event.question
        waiting.set(state, { round, question: event.question })
        return Effect.as(
          Effect.forkIn(expire(state), scope),
          Answer.own({ resultType: "input_required", inputRequests: { [key]: request }, requestState: state })
        )
      })
    )

  const expire = (state: string) =>
    Effect.delay(
      Effect.suspend(() => {
        const late = waiting.get(state)
        return waiting.delete(state) && late !== undefined ? Fiber.interruptFork(late.round.work) : Effect.void
      }),
      patience
    )

  return {
    run: (notify, work) =>
      Effect.gen(function* () {
        const questions = yield* Queue.unbounded<Question>()
        let asked = 0
        const round: { current?: Round } = {}
        const ask: Asking["ask"] = (method, params) =>
          Effect.gen(function* () {
            const answer = yield* Deferred.make<unknown, ErrorObject>()
            asked += 1
            const request = { method, ...(params === undefined ? undefined : { params }) }
            yield* Queue.offer(questions, { key: `question-${asked}`, request, answer })
            return yield* Deferred.await(answer)
          })
        const fiber = yield* Effect.forkIn(
          work({ ask, notify: (method, params) => (round.current?.notify ?? notify)(method, params) }),
          scope
        )
        round.current = { work: fiber, questions, notify }
        return yield* next(round.current)
      }),
    resume: (state, responses, notify) => {
      if (typeof state !== "string" || !state.startsWith(prefix)) return undefined
      const found = waiting.get(state)
      if (found === undefined) return failure("Invalid or expired requestState", ErrorCode.InvalidParams)
      const { question, round } = found
      const answer = responses[question.key]
      if (!isObject(answer)) return failure(`no response to "${question.key}"`, ErrorCode.InvalidParams)
      waiting.delete(state)
      round.notify = notify
      return Effect.zipRight(Deferred.succeed(question.answer, answer), next(round))
    }
  }
})

const finished = (exit: Exit.Exit<Answer.Answer, ErrorObject>): Effect.Effect<Answer.Answer, ErrorObject> =>
  Exit.isInterrupted(exit) ? failure("the call was given up") : exit

const failure = (message: string, code: number = ErrorCode.InternalError): Effect.Effect<never, ErrorObject> =>
  Effect.fail({ code, message })
