/**
 * The last resort: no process of a server outlives the host, however the host ends.
 *
 * Scopes end servers in order; this is for when no Scope gets to run. While anything is guarded, hooks are installed:
 *
 * - `exit` (the end of the event loop, `process.exit`, an uncaught error): what is left is killed.
 * - SIGINT, SIGTERM, SIGHUP, when nobody else in the program listens: what is left is killed, then the signal takes
 *   its usual course. A program with its own listener decides by itself; Effect's `runMain` has them for SIGINT and SIGTERM
 *   and gives them up at the first signal, so that a second one kills.
 * - SIGHUP, when nobody else listens for it but somebody does for SIGTERM: it is passed on as SIGTERM, for an orderly end.
 *
 * SIGKILL cannot be seen: that is the watchdog's part.
 */

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

const guarded = new Set<() => void>()

/** Runs `kill` when the host ends before `release` is called. `kill` is synchronous and does not throw. */
export const guard = (kill: () => void): { readonly release: () => void } => {
  if (guarded.size === 0) install()
  guarded.add(kill)
  return {
    release: () => {
      if (guarded.delete(kill) && guarded.size === 0) uninstall()
    }
  }
}

// First in line, so as to see the listeners that a signal takes away.
const install = () => {
  process.on("exit", killAll)
  for (const signal of signals) process.prependListener(signal, onSignal)
}

const uninstall = () => {
  process.removeListener("exit", killAll)
  for (const signal of signals) process.removeListener(signal, onSignal)
}

const killAll = () => {
  for (const kill of guarded) kill()
  guarded.clear()
}

const onSignal = (signal: NodeJS.Signals) => {
  if (isHandled(signal)) return
  if (signal === "SIGHUP" && isHandled("SIGTERM")) return void process.kill(process.pid, "SIGTERM")
  killAll()
  uninstall()
  process.kill(process.pid, signal)
}

/** Whether the program listens for a signal to do something about it. */
const isHandled = (signal: NodeJS.Signals): boolean => process.listenerCount(signal) > 1 + watchers()

/**
 * How many listeners each signal has from the package signal-exit (Ink brings it), which only watches: it does nothing
 * when there are other listeners than its own, such as ours.
 */
const watchers = (): number => {
  const emitters: ReadonlyArray<unknown> = [
    Reflect.get(process, "__signal_exit_emitter__"), // version 3
    Reflect.get(globalThis, Symbol.for("signal-exit emitter")) // version 4
  ]
  return emitters.reduce<number>((sum, emitter) => sum + (hasCount(emitter) ? emitter.count : 0), 0)
}

const hasCount = (value: unknown): value is { readonly count: number } =>
  typeof value === "object" && value !== null && "count" in value && typeof value.count === "number"
