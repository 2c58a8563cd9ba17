/**
 * When a server that was lost, or could not be connected, is tried again: one policy for programs and for addresses.
 *
 * A lost connection is made again after a delay that grows with each attempt. A server that ends quickly again and again
 * is given up: the count goes back to zero when a connection has lasted, not when it was made. What is only a matter of the
 * way there (the network, a gateway) is tried for as long as it takes; what only a person can mend is not tried again.
 *
 * Given up is not for good: a person's reconnect starts anew, and so does a change of the entry; and a use of the server is
 * one more attempt, at most one in a while.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as ScheduleDecision from "effect/ScheduleDecision"
import * as ScheduleIntervals from "effect/ScheduleIntervals"
import * as Limits from "./Limits.ts"
import { type McpError, withHint } from "./McpError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The delays between attempts; its end means giving up. Default: half a second, doubled up to a minute, with jitter. */
  readonly backoff?: Schedule.Schedule<unknown> | undefined
  /** After how many quick ends in a row a server is given up. Default: 5. */
  readonly maxQuickEnds?: number | undefined
  /** How long a connection must last for its end not to be a quick one. Default: one minute. */
  readonly sustained?: Duration.Duration | undefined
  /** How long after the last attempt a use of the server may cause another. Default: 5 seconds. */
  readonly useInterval?: Duration.Duration | undefined
  /** How many attempts there are in a minute at most. Default: 20. */
  readonly attemptsPerMinute?: number | undefined
  /** How often an idle server is asked whether it lives; `off` never. Default: 30 seconds. */
  readonly pingInterval?: Duration.Duration | "off" | undefined
}

/**
 * The options with nothing left open.
 *
 * @since 0.1.0
 * @category models
 */
export type Policy = { readonly [K in keyof Options]-?: NonNullable<Options[K]> }

/**
 * Doubles from half a second up to a minute, each delay between 80 and 120 per cent of that, so that servers that were
 * lost together do not come back together.
 *
 * @since 0.1.0
 * @category schedules
 */
export const defaultBackoff: Schedule.Schedule<unknown> = Schedule.exponential("500 millis").pipe(
  Schedule.union(Schedule.spaced("1 minute")),
  Schedule.jittered
)

/**
 * @since 0.1.0
 * @category constructors
 */
export const policy = ({
  attemptsPerMinute = Limits.defaults.reconnectsPerMinute,
  backoff = defaultBackoff,
  maxQuickEnds = 5,
  pingInterval = Duration.seconds(30),
  sustained = Duration.minutes(1),
  useInterval = Duration.seconds(5)
}: Options = {}): Policy => ({ attemptsPerMinute, backoff, maxQuickEnds, pingInterval, sustained, useInterval })

/**
 * What has become of one server's attempts so far. Times are milliseconds since the epoch.
 *
 * @since 0.1.0
 * @category models
 */
export interface History {
  /** Attempts since the server was last asked for, or was connected for long. */
  readonly attempt: number
  /** Ends in a row of connections that did not last, or were not even made. */
  readonly quickEnds: number
  /** Whether it was connected since it was asked for. */
  readonly wasConnected: boolean
  /** When the present connection was made. */
  readonly connectedAt: number | undefined
  /** When the attempts of the last minute began. */
  readonly attempts: ReadonlyArray<number>
  /** When the last attempt began. */
  readonly startedAt: number
  /** Where the backoff is. */
  readonly backoff: unknown
}

/**
 * The history of a server that somebody asks for now.
 *
 * @since 0.1.0
 * @category transitions
 */
export const asked = ({ backoff }: Policy, now: number): History => ({
  attempt: 0,
  quickEnds: 0,
  wasConnected: false,
  connectedAt: undefined,
  attempts: [now],
  startedAt: now,
  backoff: backoff.initial
})

/**
 * Another attempt begins.
 *
 * @since 0.1.0
 * @category transitions
 */
export const started = (history: History, now: number): History => ({
  ...history,
  attempts: [...history.attempts.filter((at) => now - at < minute), now],
  startedAt: now
})

const minute = 60_000

/** When there may be another attempt: so many in a minute are enough, whatever asks for them. */
const mayStartAt = ({ attemptsPerMinute }: Policy, { attempts }: History): number => {
  const first = attempts.at(-attemptsPerMinute)
  return first === undefined ? 0 : first + minute
}

/**
 * The attempt led to a connection.
 *
 * @since 0.1.0
 * @category transitions
 */
export const connected = (history: History, now: number): History => ({
  ...history,
  wasConnected: true,
  connectedAt: now
})

/**
 * The attempt failed, or the connection was lost: the history after it, and whether there is another attempt.
 *
 * @since 0.1.0
 * @category transitions
 */
export const ended = (
  policy: Policy,
  history: History,
  error: McpError,
  now: number
): { readonly history: History; readonly retries: boolean } => {
  const { connectedAt } = history
  const lasted = connectedAt !== undefined && now - connectedAt >= Duration.toMillis(policy.sustained)
  const before: History = lasted ? { ...history, attempt: 0, quickEnds: 0, backoff: policy.backoff.initial } : history
  const isQuickEnd = !lasted && cause(error) === "death"
  const after: History = {
    ...before,
    attempt: before.attempt + 1,
    quickEnds: before.quickEnds + (isQuickEnd ? 1 : 0),
    connectedAt: undefined
  }
  return { history: after, retries: retries(policy, after, error) }
}

const retries = ({ maxQuickEnds }: Policy, { quickEnds, wasConnected }: History, error: McpError): boolean => {
  switch (cause(error)) {
    case "unreachable":
      return true
    case "death":
      // A program that never worked does not work for a reason that a person must see.
      return wasConnected && quickEnds < maxQuickEnds
    case "person":
      return false
  }
}

/**
 * What a failure is a matter of: the way to the server, the server's life, or something that a person must mend.
 *
 * @since 0.1.0
 * @category getters
 */
export const cause = ({ kind, status = 0 }: McpError): "unreachable" | "death" | "person" => {
  switch (kind) {
    case "network":
      return "unreachable"
    case "http":
      return status >= 500 || status === 408 || status === 429 ? "unreachable" : "person"
    case "exit":
    case "closed":
    case "timeout":
    case "too-large":
    case "session-lost":
      return "death"
    case "config":
    case "spawn":
    case "needs-auth":
    case "protocol":
    case "rpc":
    case "disabled":
    case "needs-approval":
    case "unknown-server":
      return "person"
  }
}

/**
 * When the next attempt begins, and the history with the backoff moved on; nothing when the backoff has come to its end. `isHeld`: it would
 * be sooner, but for the attempts of the last minute.
 *
 * @since 0.1.0
 * @category transitions
 */
export const nextTry = (
  policy: Policy,
  history: History,
  now: number
): Effect.Effect<{ readonly history: History; readonly at: number; readonly isHeld: boolean } | undefined> =>
  Effect.map(policy.backoff.step(now, undefined, history.backoff), ([state, , decision]) => {
    if (ScheduleDecision.isDone(decision)) return undefined
    const wished = ScheduleIntervals.start(decision.intervals)
    const allowed = mayStartAt(policy, history)
    return { history: { ...history, backoff: state }, at: Math.max(wished, allowed), isHeld: allowed > wished }
  })

/**
 * Whether a use of the server may cause an attempt now.
 *
 * @since 0.1.0
 * @category guards
 */
export const mayTryOnUse = (policy: Policy, history: History, now: number): boolean =>
  now - history.startedAt >= Duration.toMillis(policy.useInterval) && now >= mayStartAt(policy, history)

/**
 * The error of a server whose next attempt is held back.
 *
 * @since 0.1.0
 * @category formatting
 */
export const held = ({ attemptsPerMinute }: Policy, error: McpError): McpError =>
  withHint(
    `It has been started ${attemptsPerMinute} times in a minute (limits.reconnectsPerMinute), and the next attempt waits.`
  )(error)

/**
 * The error of a server that is given up, with what leads on from there.
 *
 * @since 0.1.0
 * @category formatting
 */
export const givenUp = ({ quickEnds, wasConnected }: History, error: McpError): McpError =>
  wasConnected && cause(error) === "death"
    ? withHint(
        `It ended quickly ${quickEnds} times in a row and is not started again by itself. Mend it and reconnect it; a use of one of its tools tries once more.`
      )(error)
    : error
