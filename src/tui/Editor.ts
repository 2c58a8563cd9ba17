/**
 * The editor of a person, run on a file with the terminal as its own.
 *
 * @since 0.1.0
 */
import { spawn } from "node:child_process"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/**
 * The editor could not be run, or ended with an error.
 *
 * @since 0.1.0
 * @category errors
 */
export class EditorError extends Data.TaggedError("EditorError")<{ readonly message: string }> {}

/**
 * What is run: a command line of the shell, or a program that opens a window and returns at once.
 *
 * @since 0.1.0
 * @category models
 */
export interface Editor {
  readonly name: string
  readonly command: string
  readonly args: ReadonlyArray<string>
}

/**
 * `$VISUAL`, else `$EDITOR`, with the arguments that stand in them; else what the platform opens files with.
 *
 * @since 0.1.0
 * @category constructors
 */
export const find = (
  file: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform
): Editor => {
  const named = [env.VISUAL, env.EDITOR].find((value) => value !== undefined && value.trim() !== "")
  if (named !== undefined) return { name: named, command: "/bin/sh", args: ["-c", `${named} "$@"`, named, file] }
  const opener = platform === "darwin" ? "open" : "xdg-open"
  return { name: opener, command: opener, args: [file] }
}

/**
 * Runs it to its end.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = ({ args, command, name }: Editor): Effect.Effect<void, EditorError> =>
  Effect.async((resume) => {
    const child = spawn(command, args, { stdio: "inherit" })
    child.once("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "ENOENT" ? "not found; set EDITOR" : error.message
      resume(new EditorError({ message: `${name}: ${reason}` }))
    })
    child.once("exit", (code, signal) => {
      if (code === 0) return resume(Effect.void)
      if (code === 127) return resume(new EditorError({ message: `${name}: not found; set EDITOR` }))
      resume(new EditorError({ message: `${name} ended with ${signal ?? `code ${code}`}` }))
    })
    return Effect.sync(() => child.kill("SIGTERM"))
  })
