/**
 * The files whose path begins with what was typed after an `@`.
 *
 * @since 0.1.0
 */
import { homedir } from "node:os"
import { resolve } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type { Candidate } from "./Completion.ts"

/** More than a person looks through. */
const limit = 200

/**
 * Looks one directory through. Directories come first and end in a slash; what begins with a dot is there when it is asked
 * for; nothing, when there is no such directory.
 *
 * @since 0.1.0
 * @category operations
 */
export const find = Effect.fnUntraced(function* (directory: string, prefix: string) {
  const fs = yield* FileSystem.FileSystem
  const slash = prefix.lastIndexOf("/") + 1
  const typed = prefix.slice(0, slash)
  const start = prefix.slice(slash)
  const folder = resolve(directory, typed.replace(/^~\//, `${homedir()}/`))
  const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), () => [])
  const begun = names
    .filter((name) => name.startsWith(start) && (start.startsWith(".") || !name.startsWith(".")) && !/\s/.test(name))
    .sort()
    .slice(0, limit)
  const candidates = yield* Effect.forEach(begun, (name) => describe(fs, resolve(folder, name), typed + name), {
    concurrency: 16
  })
  return candidates.toSorted((left, right) => Number(right.text.endsWith("/")) - Number(left.text.endsWith("/")))
})

const describe = (fs: FileSystem.FileSystem, path: string, text: string): Effect.Effect<Candidate> =>
  fs.stat(path).pipe(
    Effect.map(({ type }) => (type === "Directory" ? { text: `${text}/`, help: "" } : { text, help: "" })),
    Effect.orElseSucceed(() => ({ text, help: "" }))
  )
