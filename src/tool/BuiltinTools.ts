/**
 * The tools that harness9 brings along, rooted in a working directory: `bash`, `read_file`, `write_file`, `edit_file`, `glob`,
 * `grep`.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Sandbox } from "../mcp/Sandbox.ts"
import * as Bash from "./builtin/Bash.ts"
import * as EditFile from "./builtin/EditFile.ts"
import * as Glob from "./builtin/Glob.ts"
import * as Grep from "./builtin/Grep.ts"
import * as ReadFile from "./builtin/ReadFile.ts"
import * as TextFile from "./builtin/TextFile.ts"
import * as Workspace from "./builtin/Workspace.ts"
import * as WriteFile from "./builtin/WriteFile.ts"
import type { Tool } from "./Tool.ts"
import * as ToolRegistry from "./ToolRegistry.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The working directory: nothing outside of it is read or written by the file tools. */
  readonly root: string
  /** Confines the commands of `bash`. Where that cannot be done, they are not run. */
  readonly sandbox?: Sandbox | undefined
  /** What is made of each tool: one that is recorded, say. */
  readonly through?: ((tool: Tool) => Tool) | undefined
}

/**
 * The built-in tools, in the order in which a model sees them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Effect.Effect<ReadonlyArray<Tool>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.make(options.root)
    const files = yield* TextFile.make
    // Tool calls of a turn run at once: two changes of one file must not undo each other.
    const oneAtATime = yield* Effect.makeSemaphore(1)
    const tools = [
      Bash.make(workspace, options.sandbox),
      ReadFile.make(workspace, files),
      WriteFile.make(workspace, files, oneAtATime),
      EditFile.make(workspace, files, oneAtATime),
      Glob.make(workspace),
      yield* Grep.make(workspace, files)
    ]
    return options.through === undefined ? tools : tools.map(options.through)
  })

/**
 * Puts the built-in tools into the registry.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<never, never, FileSystem.FileSystem | Path.Path | ToolRegistry.ToolRegistry> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.ToolRegistry
      yield* registry.register({ id: "builtin", rank: -1 }, yield* make(options))
    })
  )
