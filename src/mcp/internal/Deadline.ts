/**
 * The time that connecting may take in all, whichever of its steps uses it up.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { McpError, type Phase } from "../McpError.ts"

/** Says what is waited for from now on: `an answer to initialize`, for the error when the time is over. */
export type WaitFor = (phase: Phase, what: string) => void

/** Runs the steps and fails when the time is over: at once, even if a step is slow to stop. */
export const within = <A, R>(
  server: string,
  limit: Duration.Duration,
  steps: (waitFor: WaitFor) => Effect.Effect<A, McpError, R>
): Effect.Effect<A, McpError, R> =>
  Effect.suspend(() => {
    let waiting: { readonly phase: Phase; readonly what: string } = { phase: "connect", what: "connection" }
    const waitFor: WaitFor = (phase, what) => {
      waiting = { phase, what }
    }
    return Effect.timeoutFail(Effect.disconnect(steps(waitFor)), {
      duration: limit,
      onTimeout: () =>
        new McpError({
          server,
          phase: waiting.phase,
          kind: "timeout",
          message: `no ${waiting.what} within ${Duration.format(limit)}`
        })
    })
  })
