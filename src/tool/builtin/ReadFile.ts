/**
 * `read_file`: lines of a text file, numbered.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as OutputBudget from "../OutputBudget.ts"
import { text } from "../Tool.ts"
import * as BuiltinTool from "./BuiltinTool.ts"
import type { TextFile } from "./TextFile.ts"
import type { Workspace } from "./Workspace.ts"

const maxLineLength = 2000

const parameters = Schema.Struct({
  path: BuiltinTool.required(Schema.NonEmptyString, "The file, from the working directory."),
  offset: BuiltinTool.optional(BuiltinTool.Count, "The first line to read. Default: 1."),
  limit: BuiltinTool.optional(BuiltinTool.Count, "How many lines. Default: 2000.")
})

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (workspace: Workspace, files: TextFile) =>
  BuiltinTool.make({
    name: "read_file",
    description:
      "Reads a text file. Each line is shown after its number and a tab, which are not part of the file. Long files are read in parts, with offset and limit.",
    parameters,
    hints: { readOnly: true, destructive: false, idempotent: true },
    run: Effect.fnUntraced(function* ({ limit = 2000, offset = 1, path }) {
      const { maxCharacters } = yield* OutputBudget.OutputBudget
      const absolute = yield* workspace.locateForReading(path)
      const lines = linesOf(yield* files.read(absolute, path))
      if (lines.length === 0) return text("(the file is empty)")
      if (offset > lines.length)
        return yield* BuiltinTool.refuse(`${JSON.stringify(path)} has ${lines.length} lines only.`)
      const shown = within(
        maxCharacters,
        lines.slice(offset - 1, offset - 1 + limit).map((line, index) => numbered(line, offset + index))
      )
      const last = offset - 1 + shown.length
      const rest =
        last < lines.length ? `\n[lines ${offset} to ${last} of ${lines.length}; go on with offset ${last + 1}]` : ""
      return text(shown.join("\n") + rest)
    })
  })

const linesOf = (content: string): ReadonlyArray<string> => {
  const lines = content.replace(/^\ufeff/, "").split(/\r?\n/)
  if (lines.at(-1) === "") lines.pop()
  return lines
}

const numbered = (line: string, number: number): string => {
  const cut =
    line.length > maxLineLength ? `${line.slice(0, maxLineLength)}… [line of ${line.length} characters]` : line
  return `${String(number).padStart(6)}\t${cut}`
}

/** As many lines as fit into the budget, at least one. */
const within = (maxCharacters: number, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  let size = 0
  const end = lines.findIndex((line) => {
    size += line.length + 1
    return size > maxCharacters
  })
  return end === -1 ? lines : lines.slice(0, Math.max(1, end))
}
