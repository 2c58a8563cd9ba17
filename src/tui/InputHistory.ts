/**
 * The prompts of earlier sessions, in a file of one JSON string a line.
 *
 * The file is a convenience: that it cannot be read or written is logged and harms nothing.
 *
 * @since 0.1.0
 */
import { dirname } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"

/**
 * How many prompts are kept.
 *
 * @since 0.1.0
 * @category constants
 */
export const limit = 1_000

/**
 * What the file holds, oldest first; nothing when there is none. Lines that are no prompt are passed over. A file that has
 * grown far beyond the limit is cut to it.
 *
 * @since 0.1.0
 * @category operations
 */
export const load = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const lines = yield* fs.readFileString(file).pipe(
    Effect.map((text) => text.split("\n").filter((line) => line !== "")),
    Effect.catchIf(isNotFound, () => Effect.succeed([])),
    Effect.catchAll((error) => Effect.as(logged(error), []))
  )
  const kept = lines.slice(-limit)
  if (lines.length > 2 * limit) yield* write(fs, file, kept, "w")
  return kept.flatMap(parse)
})

/**
 * Adds a prompt.
 *
 * @since 0.1.0
 * @category operations
 */
export const append = Effect.fnUntraced(function* (file: string, prompt: string) {
  const fs = yield* FileSystem.FileSystem
  yield* write(fs, file, [JSON.stringify(prompt)], "a")
})

/** A prompt may hold anything: the file is its owner's alone. */
const write = (fs: FileSystem.FileSystem, file: string, lines: ReadonlyArray<string>, flag: "a" | "w") =>
  fs
    .makeDirectory(dirname(file), { recursive: true, mode: 0o700 })
    .pipe(
      Effect.zipRight(fs.writeFileString(file, `${lines.join("\n")}\n`, { flag, mode: 0o600 })),
      Effect.catchAll(logged)
    )

const logged = (error: PlatformError) => Effect.logWarning(`the history of prompts: ${error.message}`)

const isNotFound = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "NotFound"

const parse = (line: string): ReadonlyArray<string> => {
  try {
    const prompt: unknown = JSON.parse(line)
    return typeof prompt === "string" ? [prompt] : []
  } catch {
    return []
  }
}
