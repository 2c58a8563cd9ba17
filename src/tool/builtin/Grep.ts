/**
 * `grep`: lines of files by regular expression.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { text } from "../Tool.ts"
import * as BuiltinTool from "./BuiltinTool.ts"
import * as FileWalk from "./FileWalk.ts"
import * as Glob from "./Glob.ts"
import * as LineSearch from "./LineSearch.ts"
import type { TextFile } from "./TextFile.ts"
import type { Workspace } from "./Workspace.ts"

const maxMatches = 200
const maxLineLength = 300

const parameters = Schema.Struct({
  pattern: BuiltinTool.required(Schema.NonEmptyString, "A regular expression (JavaScript's), tried on each line."),
  path: BuiltinTool.optional(Schema.NonEmptyString, "The file or directory to search. Default: the working directory."),
  glob: BuiltinTool.optional(Schema.NonEmptyString, "Search only files that fit this glob pattern, such as *.ts."),
  ignore_case: BuiltinTool.optional(Schema.Boolean, "Take upper and lower case for the same.")
})

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (workspace: Workspace, files: TextFile) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path

  /** Absolute paths of the files to search. */
  const candidates = Effect.fnUntraced(function* (shown: string, glob: string | undefined) {
    const start = yield* workspace.locateForReading(shown)
    const info = yield* Effect.mapError(fs.stat(start), BuiltinTool.refusalOf(shown))
    if (info.type !== "Directory") return { absolute: [start], truncated: false, isFile: true }
    const fits = yield* Glob.matcher(glob ?? "**")
    const walk = yield* FileWalk.walk(workspace.root, start)
    return {
      absolute: walk.files.filter(fits).map((file) => path.join(start, file)),
      truncated: walk.truncated,
      isFile: false
    }
  })

  return BuiltinTool.make({
    name: "grep",
    description:
      "Finds lines by regular expression, in a file or in all files of a directory, shown as path:line: text. Leaves out binary files, .git, node_modules and what .gitignore leaves out.",
    parameters,
    hints: { readOnly: true, destructive: false, idempotent: true },
    run: Effect.fnUntraced(function* ({ glob, ignore_case = false, path: where = ".", pattern }) {
      const search = yield* LineSearch.make(pattern, ignore_case ? "i" : "")
      const { absolute, isFile, truncated } = yield* candidates(where, glob)
      const found: Array<string> = []
      for (const file of absolute) {
        if (found.length > maxMatches) break
        const shown = workspace.shown(file)
        const content = yield* Effect.either(files.read(file, shown))
        if (Either.isLeft(content)) {
          if (isFile) return yield* content.left
          continue
        }
        const lines = content.right.split(/\r?\n/)
        const indexes = yield* search.find(lines, maxMatches + 1 - found.length)
        for (const index of indexes) found.push(`${shown}:${index + 1}: ${cut(lines[index] ?? "")}`)
      }
      const shown = found.slice(0, maxMatches)
      if (found.length > maxMatches)
        shown.push(`[the first ${maxMatches} lines: narrow the pattern, the path or the glob]`)
      if (truncated) shown.push("[there are too many files: not all were searched]")
      return text(shown.length === 0 ? "(no line fits)" : shown.join("\n"))
    })
  })
})

const cut = (line: string): string => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line)
