/**
 * `edit_file`: one text in a file replaced by another.
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
  old_string: BuiltinTool.required(
    Schema.NonEmptyString,
    "The text to replace, exactly as in the file, white space included and without line numbers."
  ),
  new_string: BuiltinTool.required(Schema.String, "The text to put in its place."),
  replace_all: BuiltinTool.optional(
    Schema.Boolean,
    "Replace every occurrence. Default: false, and the text must occur once."
  )
})

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (workspace: Workspace, files: TextFile, oneAtATime: Effect.Semaphore) =>
  BuiltinTool.make({
    name: "edit_file",
    description: "Replaces a text in a file by another. The text must occur exactly once, unless replace_all is set.",
    parameters,
    hints: { readOnly: false, destructive: true, idempotent: false },
    run: ({ new_string, old_string, path, replace_all = false }) =>
      Effect.gen(function* () {
        if (old_string === new_string) return yield* BuiltinTool.refuse("old_string and new_string are the same.")
        const absolute = yield* workspace.locate(path)
        const before = yield* files.read(absolute, path)
        const { replacement, wanted } = inLineEndsOf(before, old_string, new_string)
        const pieces = before.split(wanted)
        const lines = lineNumbers(pieces, wanted)
        if (lines.length === 0) return yield* BuiltinTool.refuse(notFound(path, before, old_string))
        if (lines.length > 1 && !replace_all) return yield* BuiltinTool.refuse(ambiguous(path, lines))
        yield* files.write(absolute, path, pieces.join(replacement))
        return text(
          `Replaced ${lines.length === 1 ? "1 occurrence" : `${lines.length} occurrences`} in ${workspace.shown(absolute)}, ${at(lines)}.`
        )
      }).pipe(oneAtATime.withPermits(1))
  })

/** Models write line feeds: where a file has CRLF, so must the text that is looked for and the one that replaces it. */
const inLineEndsOf = (before: string, wanted: string, replacement: string) => {
  const isThere = wanted.includes("\n") && before.includes(wanted)
  if (isThere || !before.includes("\r\n")) return { wanted, replacement }
  const crlf = (value: string) => value.replace(/\r?\n/g, "\r\n")
  return { wanted: crlf(wanted), replacement: crlf(replacement) }
}

/** The line on which each occurrence begins, counted from 1. */
const lineNumbers = (pieces: ReadonlyArray<string>, wanted: string): ReadonlyArray<number> => {
  let line = 1
  return pieces.slice(0, -1).map((piece) => {
    const start = line + newlines(piece)
    line = start + newlines(wanted)
    return start
  })
}

const newlines = (value: string): number => value.split("\n").length - 1

const at = (lines: ReadonlyArray<number>): string => {
  const shown = lines.slice(0, 10).join(", ")
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${lines.length > 10 ? ` and ${lines.length - 10} more` : ""}`
}

const ambiguous = (path: string, lines: ReadonlyArray<number>): string =>
  `old_string occurs ${lines.length} times in ${JSON.stringify(path)}, ${at(lines)}: give more of the text around it, or set replace_all.`

const notFound = (path: string, before: string, wanted: string): string => {
  const near = nearby(before, wanted)
  const hint =
    near === undefined ? "Read the file and copy the text from there." : `Line ${near} is the same but for white space.`
  return `old_string does not occur in ${JSON.stringify(path)}. ${hint}`
}

/** The line where the text would begin if white space did not count. */
const nearby = (before: string, wanted: string): number | undefined => {
  const squeeze = (line: string) => line.replace(/\s+/g, "")
  const goal = wanted.trim().split("\n").map(squeeze)
  const lines = before.split("\n").map(squeeze)
  const found = lines.findIndex((_, start) => goal.every((line, offset) => lines[start + offset] === line))
  return found === -1 || goal.join("") === "" ? undefined : found + 1
}
