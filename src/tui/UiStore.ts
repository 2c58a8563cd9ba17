/**
 * The one place where the UI's state is kept: the streams of engine, servers and registry change it, keys change it, and the
 * components read it.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Intent } from "./Intent.ts"
import type { Key } from "./Keys.ts"
import type { Step } from "./Step.ts"
import * as UiKeys from "./UiKeys.ts"
import type { UiState } from "./UiState.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface UiStore {
  readonly get: () => UiState
  /** Calls the listener after changes, once for those of one moment; returns how to stop that. */
  readonly subscribe: (listener: () => void) => () => void
  readonly update: (change: (state: UiState) => UiState) => Effect.Effect<void>
  /** A change that asks something of the world. */
  readonly step: (change: (state: UiState) => Step) => Effect.Effect<void>
  /** Takes a key: for the callback in which the terminal's bytes arrive. */
  readonly press: (key: Key) => void
  /** Asks for something without a key: for callbacks, as of a signal. */
  readonly ask: (intent: Intent) => void
  /** What keys have asked for. */
  readonly intents: Queue.Dequeue<Intent>
  /** The person leaves, or the terminal is gone. */
  readonly leave: () => void
  /** Succeeds once that is so: it waits for nothing else that keys have asked for. */
  readonly left: Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (initial: UiState) {
  const clock = yield* Effect.clock
  const intents = yield* Queue.unbounded<Intent>()
  const left = yield* Deferred.make<void>()
  const listeners = new Set<() => void>()
  let state = initial
  let notifying = false

  const notify = () => {
    notifying = false
    for (const listener of listeners) listener()
  }

  const set = (next: UiState): void => {
    if (next === state) return
    state = next
    if (notifying) return
    notifying = true
    queueMicrotask(notify)
  }

  const leave = (): void => Deferred.unsafeDone(left, Effect.void)

  const take = (step: Step): void => {
    set(step.state)
    for (const intent of step.intents) {
      if (intent._tag === "Quit") leave()
      else intents.unsafeOffer(intent)
    }
  }

  const store: UiStore = {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    update: (change) => Effect.sync(() => set(change(state))),
    step: (change) => Effect.sync(() => take(change(state))),
    press: (key) => take(UiKeys.onKey(state, key, clock.unsafeCurrentTimeMillis())),
    ask: (intent) => intents.unsafeOffer(intent),
    intents,
    leave,
    left: Deferred.await(left)
  }
  return store
})
