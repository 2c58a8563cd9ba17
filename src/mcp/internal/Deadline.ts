/**
 * The time that connecting may take in all, shared by its steps: what one leaves over, the next may use.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { McpError } from "../McpError.ts"

export interface Deadline {
  /** What is left of the time. */
  readonly left: Effect.Effect<Duration.Duration>
  /** Ends the step when the time is over. It ends at once: a step that is slow to stop does so by itself. */
  readonly bound: (
    onTimeout: (allowed: string) => McpError
  ) => <A, R>(step: Effect.Effect<A, McpError, R>) => Effect.Effect<A, McpError, R>
}

/** The time starts now. */
export const make = Effect.fnUntraced(function* (limit: Duration.Duration): Effect.fn.Return<Deadline> {
  const startedAt = yield* Clock.currentTimeMillis
  const left = Effect.map(Clock.currentTimeMillis, (now) => Duration.subtract(limit, Duration.millis(now - startedAt)))
  return {
    left,
    bound: (onTimeout) => (step) =>
      Effect.flatMap(left, (duration) =>
        Effect.timeoutFail(Effect.disconnect(step), {
          duration,
          onTimeout: () => onTimeout(rounded(duration))
        })
      )
  }
})

/** Three digits: nobody waits for "29s 998ms". */
const rounded = (duration: Duration.Duration): string => {
  const millis = Duration.toMillis(duration)
  return Number.isFinite(millis) ? Duration.format(Duration.millis(Number(millis.toPrecision(3)))) : "any time"
}
