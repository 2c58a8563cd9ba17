/**
 * The programs of `test/fixtures/stdio`, started.
 */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as StdioTransport from "../../src/mcp/StdioTransport.ts"

/** The path of a program. */
export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/stdio/${name}.mjs`, import.meta.url))

/** The transport of a program, which is given `args`. */
export const open = (name: string, args: ReadonlyArray<string> = [], options: Partial<StdioTransport.Options> = {}) =>
  StdioTransport.make({ server: name, command: process.execPath, args: [fixture(name), ...args], ...options })

/** Whether a process runs. One that is dead, and of which its parent has not taken note, does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return process.platform !== "linux" || !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

/** Waits until none of the processes runs; fails after ten seconds. */
export const allGone = (pids: ReadonlyArray<number>) =>
  Effect.sync(() => pids.some(isAlive)).pipe(
    Effect.repeat({ while: (alive) => alive, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("10 seconds")
  )

/** The processes of `stubborn`: the launcher and its child. */
export const pidsOf = (answer: unknown): ReadonlyArray<number> => {
  const { content } = answer as { readonly content: ReadonlyArray<{ readonly text: string }> }
  return Object.values(JSON.parse(content[0]?.text ?? "{}"))
}
