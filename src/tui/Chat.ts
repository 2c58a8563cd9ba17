/**
 * The conversation that the UI is in, and how it changes to another one. What happens in each is kept in a session of its own.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import { type Conversation, Engine } from "../engine/Engine.ts"
import { type Session, SessionStore, type Summary, withOutputs } from "../engine/SessionStore.ts"
import * as EarlierItems from "./EarlierItems.ts"
import * as Transcript from "./Transcript.ts"
import * as UiState from "./UiState.ts"
import type { UiStore } from "./UiStore.ts"

/**
 * What the UI begins with: nothing, a session, or a list to choose one from.
 *
 * @since 0.1.0
 * @category models
 */
export type Start =
  | { readonly _tag: "New" }
  | { readonly _tag: "Choose" }
  | { readonly _tag: "Resume"; readonly id: string }

/**
 * @since 0.1.0
 * @category models
 */
export interface Chat {
  readonly conversation: Effect.Effect<Conversation>
  /** What is too long for the model is put beside the session while the effect runs. */
  readonly beside: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Leaves for a conversation in which nothing has been said. */
  readonly begin: Effect.Effect<void>
  /** Leaves for one of before, and shows it; stays, and says why, when that cannot be opened. */
  readonly resume: (id: string) => Effect.Effect<void>
  /** Shows what there is to go on with. */
  readonly choose: Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (store: UiStore, start: Start) {
  const engine = yield* Engine
  const sessions = yield* SessionStore
  const scope = yield* Effect.scope

  const here = process.cwd()

  const enter = Effect.fnUntraced(function* <E>(opening: Effect.Effect<Session, E, Scope.Scope>) {
    const own = yield* Scope.fork(scope, ExecutionStrategy.sequential)
    const session = yield* Scope.extend(opening, own).pipe(
      Effect.onError((cause) => Scope.close(own, Exit.failCause(cause)))
    )
    return { session, conversation: yield* engine.open(session), own }
  })
  const current = yield* Effect.flatMap(enter(sessions.create(here)), Ref.make)

  /** The session that was open is closed once the other one is open. */
  const change = <E>(opening: Effect.Effect<Session, E, Scope.Scope>) =>
    Effect.flatMap(enter(opening), (next) =>
      Ref.getAndSet(current, next).pipe(
        Effect.flatMap((before) => Scope.close(before.own, Exit.void)),
        Effect.as(next.session)
      )
    )

  const resume = (id: string) =>
    Effect.matchEffect(change(sessions.open(id)), {
      onFailure: ({ message }) => store.update(say(Transcript.Item.Notice({ text: message, tone: "error" }))),
      onSuccess: (session) => store.update(say(...EarlierItems.of(session, here)))
    })

  const choose = Effect.flatMap(sessions.list, (all) => store.update(offered(all, here)))

  if (start._tag === "Resume") yield* resume(start.id)
  if (start._tag === "Choose") yield* choose
  const chat: Chat = {
    conversation: Effect.map(Ref.get(current), ({ conversation }) => conversation),
    beside: (effect) => Effect.flatMap(Ref.get(current), ({ session }) => withOutputs(session)(effect)),
    begin: Effect.asVoid(change(sessions.create(here))),
    resume,
    choose
  }
  return chat
})

const say =
  (...items: ReadonlyArray<Transcript.Item>) =>
  (state: UiState.UiState): UiState.UiState => ({ ...state, transcript: Transcript.add(state.transcript, ...items) })

/** Those of this directory come first. */
const offered =
  (all: ReadonlyArray<Summary>, here: string) =>
  (state: UiState.UiState): UiState.UiState => {
    const sessions = all.toSorted((one, other) => Number(other.directory === here) - Number(one.directory === here))
    return UiState.onPanel({ ...state, sessions }, { _tag: "Sessions" })
  }
