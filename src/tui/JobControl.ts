/**
 * The shell's job control: a program that is stopped with Ctrl+Z goes on when the shell says so.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"

/**
 * Stops the whole job, as the terminal does for a program that leaves the key to it; done when the job is continued.
 *
 * The call returns only then: the process is stopped within it. Where there is no shell that could continue the job, the
 * system ignores the signal, and nothing stops.
 *
 * @since 0.1.0
 * @category execution
 */
export const stop: Effect.Effect<void> = Effect.sync(() => {
  const listeners = process.listeners("SIGTSTP")
  process.removeAllListeners("SIGTSTP")
  process.kill(0, "SIGTSTP")
  for (const listener of listeners) process.on("SIGTSTP", listener)
})

/**
 * Listens while the Scope is open for a stop that comes from elsewhere.
 *
 * @since 0.1.0
 * @category constructors
 */
export const onStop = (listener: () => void) =>
  Effect.acquireRelease(
    Effect.sync(() => process.on("SIGTSTP", listener)),
    () => Effect.sync(() => process.off("SIGTSTP", listener))
  )
