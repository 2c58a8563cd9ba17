/**
 * The directory that the built-in tools work in. A path that leads out of it, by `..`, as an absolute one or through a link, is
 * refused.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as OutputBudget from "../OutputBudget.ts"
import { type Refusal, refusalOf, refuse } from "./BuiltinTool.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Workspace {
  /** Absolute, links resolved. */
  readonly root: string
  /** The real path of something in the workspace that may not exist yet. */
  readonly locate: (path: string) => Effect.Effect<string, Refusal>
  /** The same for reading: the whole outputs that were put aside by the output budget may be read too. */
  readonly locateForReading: (path: string) => Effect.Effect<string, Refusal>
  /** The real path of a directory that exists. */
  readonly locateDirectory: (path: string) => Effect.Effect<string, Refusal>
  /** The path from the root, with `/`: how results name a file. */
  readonly shown: (absolute: string) => string
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (root: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const given = path.resolve(root)
  const real = yield* Effect.orElseSucceed(fs.realPath(given), () => given)

  const isWithin = (directory: string, absolute: string): boolean => {
    const relative = path.relative(directory, absolute)
    return relative === "" || (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  }

  /** The real path; of what does not exist, the real path of the nearest parent that does, and the rest. */
  const resolve = (absolute: string, shown: string): Effect.Effect<string, Refusal> =>
    fs.realPath(absolute).pipe(
      Effect.catchIf(
        (error) => error._tag === "SystemError" && error.reason === "NotFound" && path.dirname(absolute) !== absolute,
        () =>
          fs.readLink(absolute).pipe(
            Effect.matchEffect({
              onSuccess: () => refuse(`${JSON.stringify(shown)} is a link that leads nowhere.`),
              onFailure: () =>
                Effect.map(resolve(path.dirname(absolute), shown), (parent) =>
                  path.join(parent, path.basename(absolute))
                )
            })
          )
      ),
      Effect.mapError((error) => (error._tag === "Refusal" ? error : refusalOf(shown)(error)))
    )

  const locateIn = (shown: string, directories: ReadonlyArray<string>): Effect.Effect<string, Refusal> => {
    if (shown.includes("\0")) return refuse("A path cannot hold a NUL character.")
    return Effect.flatMap(resolve(path.resolve(real, shown), shown), (found) =>
      directories.some((directory) => isWithin(directory, found))
        ? Effect.succeed(found)
        : refuse(`${JSON.stringify(shown)} is outside the working directory ${given}: only what is in it can be used.`)
    )
  }

  const aside = Effect.flatMap(OutputBudget.directory, (directory) =>
    directory === undefined
      ? Effect.succeed([])
      : fs.realPath(directory).pipe(
          Effect.map((found) => [found]),
          Effect.orElseSucceed(() => [])
        )
  )

  const workspace: Workspace = {
    root: real,
    locate: (shown) => locateIn(shown, [real]),
    locateForReading: (shown) => Effect.flatMap(aside, (directories) => locateIn(shown, [real, ...directories])),
    locateDirectory: Effect.fnUntraced(function* (shown: string) {
      const absolute = yield* locateIn(shown, [real])
      const info = yield* Effect.mapError(fs.stat(absolute), refusalOf(shown))
      return info.type === "Directory" ? absolute : yield* refuse(`${JSON.stringify(shown)} is not a directory.`)
    }),
    shown: (absolute) =>
      isWithin(real, absolute) ? path.relative(real, absolute).split(path.sep).join("/") || "." : absolute
  }
  return workspace
})
