/**
 * `write_file`: a whole file, in one step.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { text } from "../Tool.ts"
import * as BuiltinTool from "./BuiltinTool.ts"
import type { TextFile } from "./TextFile.ts"
import type { Workspace } from "./Workspace.ts"

const parameters = Schema.Struct({
  path: BuiltinTool.required(Schema.NonEmptyString, "The file, from the working directory."),
  content: BuiltinTool.required(Schema.String, "All of the file's new text.")
})

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (workspace: Workspace, files: TextFile, oneAtATime: Effect.Semaphore) =>
  BuiltinTool.make({
    name: "write_file",
    description:
      "Writes a text file, directories included. A file that is there is replaced: to change a part of it, use edit_file.",
    parameters,
    hints: { readOnly: false, destructive: true, idempotent: true },
    run: Effect.fnUntraced(function* ({ content, path }) {
      const absolute = yield* workspace.locate(path)
      const replaced = yield* oneAtATime.withPermits(1)(files.write(absolute, path, content))
      const size = `${Buffer.byteLength(content)} bytes`
      return text(`${replaced ? "Replaced" : "Created"} ${workspace.shown(absolute)} (${size}).`)
    })
  })
