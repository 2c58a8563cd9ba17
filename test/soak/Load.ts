/**
 * Calls at random, and what became of each.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { McpError } from "../../src/mcp/McpError.ts"
import type * as McpManager from "../../src/mcp/McpManager.ts"
import type { Server } from "./Fleet.ts"

/** How long a call may take at most: the time to connect anew, and its own. */
const longest = "150 seconds"

/** A server that is stalled is not waited for; one that is left in peace may be slow where the whole machine is. */
const callTimeout = ({ isCalm }: Server) => Duration.seconds(isCalm ? 60 : 10)

export interface Tally {
  calls: number
  answered: number
  /** Failures with a reason, by its kind. */
  readonly failed: Map<string, number>
  /** Calls that had no outcome. */
  lost: number
  /** Answers that belong to another call. */
  wrong: number
  /** Failures of servers that nothing was done to. */
  calmFailures: number
  /** Times of answered calls on servers that nothing was done to, in milliseconds. */
  calmTimes: Array<number>
}

export const tally = (): Tally => ({
  calls: 0,
  answered: 0,
  failed: new Map(),
  lost: 0,
  wrong: 0,
  calmFailures: 0,
  calmTimes: []
})

/** Calls, one after the other, for as long as there is a tally to count them in. */
export const caller = (
  manager: McpManager.Service,
  servers: ReadonlyArray<Server>,
  present: () => Tally | undefined
): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* Effect.sleep(yield* Random.nextIntBetween(0, 40))
    const server = servers[yield* Random.nextIntBetween(0, servers.length)]
    const counted = present()
    if (server !== undefined && counted !== undefined) yield* call(manager, server, counted)
  }).pipe(Effect.repeat({ while: () => present() !== undefined }))

const call = Effect.fnUntraced(function* (manager: McpManager.Service, server: Server, counted: Tally) {
  const text = `${++counted.calls} ${"x".repeat((yield* Random.nextIntBetween(0, 20)) === 0 ? 50_000 : 20)}`
  const isSlow = (yield* Random.nextIntBetween(0, 5)) === 0
  const began = yield* Clock.currentTimeNanos
  const outcome = yield* manager.client(server.name).pipe(
    Effect.flatMap(({ callTool }) =>
      callTool(isSlow ? "slow" : "echo", { text, ms: 20 }, { timeout: callTimeout(server) })
    ),
    Effect.exit,
    Effect.timeoutOption(longest)
  )
  const exit = Option.getOrUndefined(outcome)
  if (exit !== undefined && Exit.isFailure(exit)) {
    const error = Cause.failureOption(exit.cause)
    if (Option.isSome(error)) return failure(counted, server, error.value)
  }
  // Nothing came, or an end without a reason: a call that was interrupted by nobody, a defect.
  if (exit === undefined || Exit.isFailure(exit)) {
    counted.lost++
    return
  }
  if (exit.value.text !== text) counted.wrong++
  counted.answered++
  if (server.isCalm && !isSlow) counted.calmTimes.push(Number((yield* Clock.currentTimeNanos) - began) / 1e6)
})

const failure = (counted: Tally, server: Server, { kind }: McpError) => {
  counted.failed.set(kind, (counted.failed.get(kind) ?? 0) + 1)
  if (server.isCalm) counted.calmFailures++
}

/** The time that a share of the calls did not exceed. */
export const percentile = (times: ReadonlyArray<number>, share: number): number => {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
