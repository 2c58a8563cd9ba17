/**
 * The files of a directory, at any depth: without `.git` and `node_modules`, without what `.gitignore` files leave out, and
 * without following links.
 *
 * @since 0.1.0
 */
import type { Dirent } from "node:fs"
import * as fs from "node:fs/promises"
import * as nodePath from "node:path"
import * as Effect from "effect/Effect"
import ignore, { type Ignore } from "ignore"

/** More files than this are not looked at. */
const maxFiles = 100_000

const skippedNames = new Set([".git", "node_modules"])

/**
 * @since 0.1.0
 * @category models
 */
export interface Walk {
  /** From the start of the walk, with `/`, by code unit. */
  readonly files: ReadonlyArray<string>
  /** There are more files than could be looked at. */
  readonly truncated: boolean
}

/** The `.gitignore` of a directory. */
interface Rules {
  readonly directory: string
  readonly matcher: Ignore
}

/**
 * Walks `start`, a directory in `root`; the rules of the directories between them hold too, unless they leave out `start`
 * itself. What cannot be read is passed over.
 *
 * @since 0.1.0
 * @category operations
 */
export const walk = Effect.fnUntraced(function* (root: string, start: string): Effect.fn.Return<Walk> {
  const files: Array<string> = []
  const above = yield* Effect.map(Effect.forEach(parents(root, start), rulesOf), (rules) => rules.flat())
  const waiting = [{ directory: start, rules: isIgnored(above, start, true) ? [] : above }]
  for (let next = waiting.pop(); next !== undefined && files.length < maxFiles; next = waiting.pop()) {
    const { directory } = next
    const rules = [...next.rules, ...(yield* rulesOf(directory))]
    for (const entry of yield* list(directory)) {
      const absolute = nodePath.join(directory, entry.name)
      if (skippedNames.has(entry.name) || isIgnored(rules, absolute, entry.isDirectory())) continue
      if (entry.isDirectory()) waiting.push({ directory: absolute, rules })
      else if (entry.isFile()) files.push(slashed(nodePath.relative(start, absolute)))
    }
  }
  const truncated = waiting.length > 0 || files.length > maxFiles
  return { files: files.slice(0, maxFiles).sort((a, b) => (a < b ? -1 : 1)), truncated }
})

const list = (directory: string): Effect.Effect<ReadonlyArray<Dirent>> =>
  Effect.tryPromise(() => fs.readdir(directory, { withFileTypes: true })).pipe(Effect.orElseSucceed(() => []))

const rulesOf = (directory: string): Effect.Effect<ReadonlyArray<Rules>> =>
  Effect.tryPromise(() => fs.readFile(nodePath.join(directory, ".gitignore"), "utf8")).pipe(
    Effect.map((text) => [{ directory, matcher: ignore().add(text) }]),
    Effect.orElseSucceed(() => [])
  )

/** The directories from `root` down to the parent of `start`. */
const parents = (root: string, start: string): ReadonlyArray<string> => {
  const segments = nodePath
    .relative(root, start)
    .split(nodePath.sep)
    .filter((segment) => segment !== "")
  return segments.map((_, depth) => nodePath.join(root, ...segments.slice(0, depth)))
}

/** The innermost rule that says something decides. */
const isIgnored = (rules: ReadonlyArray<Rules>, absolute: string, isDirectory: boolean): boolean => {
  for (const { directory, matcher } of rules.toReversed()) {
    const relative = slashed(nodePath.relative(directory, absolute))
    const { ignored, unignored } = matcher.test(isDirectory ? `${relative}/` : relative)
    if (ignored || unignored) return ignored
  }
  return false
}

const slashed = (path: string): string => path.split(nodePath.sep).join("/")
