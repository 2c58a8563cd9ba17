/**
 * `glob`: files by name.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import picomatch from "picomatch"
import { text } from "../Tool.ts"
import * as BuiltinTool from "./BuiltinTool.ts"
import * as FileWalk from "./FileWalk.ts"
import type { Workspace } from "./Workspace.ts"

const maxPaths = 500

const parameters = Schema.Struct({
  pattern: BuiltinTool.required(Schema.NonEmptyString, "A glob pattern, such as src/**/*.ts."),
  path: BuiltinTool.optional(Schema.NonEmptyString, "The directory to look in. Default: the working directory.")
})

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (workspace: Workspace) =>
  BuiltinTool.make({
    name: "glob",
    description:
      "Lists the files whose path fits a glob pattern, sorted. A pattern without a slash fits names at any depth. Leaves out .git, node_modules and what .gitignore leaves out.",
    parameters,
    hints: { readOnly: true, destructive: false, idempotent: true },
    run: Effect.fnUntraced(function* ({ path = ".", pattern }) {
      const start = yield* workspace.locateDirectory(path)
      const fits = yield* matcher(pattern)
      const { files, truncated } = yield* FileWalk.walk(workspace.root, start)
      const found = files.filter(fits)
      const prefix = start === workspace.root ? "" : `${workspace.shown(start)}/`
      const shown = found.slice(0, maxPaths).map((file) => prefix + file)
      if (found.length > maxPaths) shown.push(`[${maxPaths} of ${found.length} paths: narrow the pattern]`)
      if (truncated) shown.push("[there are too many files: not all were looked at]")
      return text(shown.length === 0 ? "(no file fits)" : shown.join("\n"))
    })
  })

/**
 * A test of paths with `/` against a pattern.
 *
 * @since 0.1.0
 * @category matching
 */
export const matcher = (pattern: string): Effect.Effect<(path: string) => boolean, BuiltinTool.Refusal> => {
  if (pattern.startsWith("/") || pattern.split("/").includes("..")) {
    return BuiltinTool.refuse(`The pattern ${JSON.stringify(pattern)} must be a relative one, without "..".`)
  }
  return Effect.try({
    try: () => {
      const fits = picomatch(pattern.replace(/^\.\//, ""), { dot: true, basename: !pattern.includes("/") })
      return (path: string) => fits(path)
    },
    catch: () =>
      new BuiltinTool.Refusal({ message: `${JSON.stringify(pattern.slice(0, 200))} is no usable glob pattern.` })
  })
}
