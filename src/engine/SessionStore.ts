/**
 * Where conversations are kept as they happen. The engine knows a session as what has happened in it and a way to add to that;
 * whether that is a file, a table or memory is a Layer's affair.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as OutputBudget from "../tool/OutputBudget.ts"
import type { SessionEvent } from "./SessionEvent.ts"

/**
 * - `not-found`: there is no session of that name
 * - `in-use`: another program has it open
 * - `unreadable`: what is kept cannot be read, or was written by a newer harness9
 * - `unwritable`: something could not be kept
 *
 * @since 0.1.0
 * @category errors
 */
export class SessionError extends Data.TaggedError("SessionError")<{
  readonly kind: "not-found" | "in-use" | "unreadable" | "unwritable"
  readonly message: string
  readonly hint?: string | undefined
}> {}

/**
 * A session that nobody else can add to as long as it is open.
 *
 * @since 0.1.0
 * @category models
 */
export interface Session {
  readonly id: string
  /** The working directory that it was begun in. */
  readonly directory: string
  /** What has happened in it before it was opened. */
  readonly events: ReadonlyArray<SessionEvent>
  /** Keeps what happens. Done when the event outlives the program and the machine. */
  readonly append: (event: SessionEvent) => Effect.Effect<void, SessionError>
  /** Where its tools put whole outputs that are too long for the model; default: where the program puts all of them. */
  readonly outputs?: string | undefined
}

/**
 * A session in a list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Summary {
  readonly id: string
  readonly directory: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly updatedAt: number
  /** The first prompt. */
  readonly prompt: string
  /** How often the person has said something. */
  readonly turns: number
  readonly bytes: number
  readonly inUse: boolean
}

/**
 * A session as it is kept.
 *
 * @since 0.1.0
 * @category models
 */
export interface Kept {
  readonly summary: Summary
  readonly events: ReadonlyArray<SessionEvent>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** A session of its own, of which nothing is kept before its first event. */
  readonly create: (directory: string) => Effect.Effect<Session, never, Scope.Scope>
  /** Goes on with a session. */
  readonly open: (id: string) => Effect.Effect<Session, SessionError, Scope.Scope>
  /** Looks into a session, whoever has it open. */
  readonly read: (id: string) => Effect.Effect<Kept, SessionError>
  /** All of them, the last used first. What cannot be read is left out, and logged. */
  readonly list: Effect.Effect<ReadonlyArray<Summary>>
  /** Forgets a session, the outputs of its tools included. */
  readonly remove: (id: string) => Effect.Effect<void, SessionError>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class SessionStore extends Context.Tag("harness9/SessionStore")<SessionStore, Service>() {}

/**
 * No such session.
 *
 * @since 0.1.0
 * @category errors
 */
export const notFound = (id: string): SessionError =>
  new SessionError({ kind: "not-found", message: `there is no session "${id}"`, hint: "harness9 sessions lists them" })

/**
 * Somebody else has it open.
 *
 * @since 0.1.0
 * @category errors
 */
export const inUse = (id: string, by: string): SessionError =>
  new SessionError({
    kind: "in-use",
    message: `the session ${id} is open in ${by}`,
    hint: "close it there, or begin another one"
  })

/**
 * What a list says of a session with these events.
 *
 * @since 0.1.0
 * @category combinators
 */
export const summarize = (events: ReadonlyArray<SessionEvent>): Pick<Summary, "prompt" | "turns"> => {
  const prompts = events.filter((event) => event.type === "prompted")
  return { prompt: prompts[0]?.prompt ?? "", turns: prompts.length }
}

/**
 * Tools that run in the effect put whole outputs beside the session, where they can be read for as long as it is there.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withOutputs =
  (session: Session | undefined) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    session?.outputs === undefined ? effect : OutputBudget.within(session.outputs)(effect)

interface Remembered {
  readonly directory: string
  readonly startedAt: number
  updatedAt: number
  readonly events: Array<SessionEvent>
  open: boolean
}

/**
 * Sessions that end with the program: for tests, and where nothing is to be kept.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory: Layer.Layer<SessionStore> = Layer.sync(SessionStore, () => {
  const all = new Map<string, Remembered>()
  let count = 0

  const find = (id: string) =>
    Effect.suspend(() => Effect.mapError(Effect.fromNullable(all.get(id)), () => notFound(id)))

  const summary = (id: string, { directory, events, open, startedAt, updatedAt }: Remembered): Summary => ({
    id,
    directory,
    startedAt,
    updatedAt,
    ...summarize(events),
    bytes: JSON.stringify(events).length,
    inUse: open
  })

  const take = (id: string, session: Remembered) =>
    Effect.acquireRelease(
      Effect.sync((): Session => {
        session.open = true
        return {
          id,
          directory: session.directory,
          events: [...session.events],
          append: (event) =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              all.set(id, session)
              session.updatedAt = now
              session.events.push(event)
            })
        }
      }),
      () =>
        Effect.sync(() => {
          session.open = false
        })
    )

  return {
    create: (directory) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        take(`memory-${++count}`, { directory, startedAt: now, updatedAt: now, events: [], open: false })
      ),
    open: (id) => Effect.flatMap(find(id), (session) => (session.open ? inUse(id, "this program") : take(id, session))),
    read: (id) => Effect.map(find(id), (session) => ({ summary: summary(id, session), events: [...session.events] })),
    list: Effect.sync(() =>
      [...all]
        .map(([id, session]) => summary(id, session))
        .toSorted((left, right) => right.updatedAt - left.updatedAt || right.id.localeCompare(left.id))
    ),
    remove: (id) =>
      Effect.flatMap(find(id), (session) =>
        session.open ? inUse(id, "this program") : Effect.sync(() => void all.delete(id))
      )
  }
})
