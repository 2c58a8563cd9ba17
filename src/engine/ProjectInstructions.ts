/**
 * What a project tells agents that work in it: the `AGENTS.md` of the working directory and of its parents, up to the root of the
 * repository, for the system prompt.
 *
 * @since 0.1.0
 */
import { dirname, join, relative, resolve } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * How many characters all of them together may have. Those nearest to the working directory come first.
 *
 * @since 0.1.0
 * @category constants
 */
export const limit = 32_000

const name = "AGENTS.md"

/**
 * The instructions for a directory, each with its origin; those of the repository's root come first, those of the directory itself,
 * which are the more exact ones, last. Empty when there are none. Outside of a repository only the directory's own counts.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load = Effect.fnUntraced(function* (directory: string) {
  const folders = yield* upToRoot(resolve(directory))
  const root = folders.at(-1) ?? directory
  const texts = yield* Effect.forEach(folders, (folder) => read(join(folder, name), root))
  let left = limit
  const parts: Array<string> = []
  for (const [index, text] of texts.entries()) {
    const folder = folders[index]
    if (folder === undefined || Option.isNone(text) || left <= 0) continue
    parts.unshift(`Instructions of this project, from ${join(folder, name)}:\n${bounded(text.value.trim(), left)}`)
    left -= text.value.length
  }
  return parts.join("\n\n")
})

/** The directory and its parents up to the one that holds `.git`; without such a one, the directory alone. */
const upToRoot = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const folders = [directory]
  for (let folder = directory; ; folder = dirname(folder)) {
    if (folder !== directory) folders.push(folder)
    if (yield* Effect.orElseSucceed(fs.exists(join(folder, ".git")), () => false)) return folders
    if (dirname(folder) === folder) return [directory]
  }
})

/** A link that leads out of the repository is not followed: a checkout has no say in what else is read. */
const read = Effect.fnUntraced(function* (path: string, root: string) {
  const fs = yield* FileSystem.FileSystem
  const real = yield* fs.realPath(path)
  if (relative(yield* fs.realPath(root), real).startsWith("..")) return yield* Effect.fail("outside")
  if ((yield* fs.stat(real)).type !== "File") return yield* Effect.fail("no file")
  const text = yield* fs.readFileString(real)
  return text.trim() === "" ? yield* Effect.fail("empty") : text
}, Effect.option)

const bounded = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n[cut: ${text.length} characters in all]`
