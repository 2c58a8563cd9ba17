/**
 * The tools of a `tools/list` answer, read by hand in one pass: one malformed tool costs that tool, and is reported.
 */
import * as Either from "effect/Either"
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import type { McpError } from "../../McpError.ts"
import type { McpTool, ToolAnnotations } from "../../McpSchema.ts"
import * as Field from "../Field.ts"
import * as Icons from "./Icons.ts"
import type { Pages } from "./Pages.ts"

export interface ToolList {
  readonly tools: ReadonlyArray<McpTool>
  /** What was left out, and why. */
  readonly warnings: ReadonlyArray<string>
  /** A later page could not be had. */
  readonly partial: boolean
}

/** The list of a server that has none. */
export const empty: ToolList = { tools: [], warnings: [], partial: false }

/** The list after it was read again: what could not be read, or not to its end, does not replace a whole list. */
export const refreshed = (old: ToolList, outcome: Either.Either<ToolList, McpError>): ToolList => {
  if (Either.isRight(outcome) && (old.partial || !outcome.right.partial)) return outcome.right
  const reason = Either.isLeft(outcome) ? outcome.left.message : outcome.right.warnings.join("; ")
  return { ...old, warnings: [...old.warnings.filter((warning) => !warning.startsWith(stale)), `${stale}: ${reason}`] }
}

const stale = "the tools have changed and could not be listed again"

/** More warnings than this say no more. */
const maxWarnings = 50

export const read = (pages: Pages): ToolList => {
  const tools: Array<McpTool> = []
  const names = new Set<string>()
  const warnings = [...pages.warnings]
  pages.entries.forEach((entry, index) => {
    const tool = readTool(entry)
    if (typeof tool === "string") warnings.push(`tool ${index + 1} of the list was left out: ${tool}`)
    else if (!names.has(tool.name)) {
      names.add(tool.name)
      tools.push(tool)
    } else if (index < pages.afterEmptyCursor) {
      warnings.push(`tool ${quoted(tool.name)} is listed more than once: the first one is kept`)
    }
  })
  return { tools, warnings: bounded(warnings), partial: pages.partial }
}

const bounded = (warnings: ReadonlyArray<string>): ReadonlyArray<string> =>
  warnings.length <= maxWarnings
    ? warnings
    : [...warnings.slice(0, maxWarnings), `${warnings.length - maxWarnings} more warnings of this kind`]

/** Reads one entry; a string says why it cannot be used. */
const readTool = (entry: unknown): McpTool | string => {
  if (!isObject(entry)) return "it is no object"
  const { inputSchema, name } = entry
  if (typeof name !== "string" || name === "") return "it has no name"
  if (inputSchema !== undefined && inputSchema !== null && !isObject(inputSchema)) {
    return `the inputSchema of ${quoted(name)} is no object`
  }
  return {
    name,
    title: Field.string(entry.title),
    description: Field.string(entry.description) ?? "",
    inputSchema: inputSchema ?? noArguments,
    outputSchema: Field.object(entry.outputSchema),
    annotations: isObject(entry.annotations) ? readAnnotations(entry.annotations) : undefined,
    icons: Icons.read(entry.icons),
    taskSupport: isObject(entry.execution) ? readTaskSupport(entry.execution.taskSupport) : undefined,
    _meta: Field.object(entry._meta)
  }
}

const noArguments: JsonObject = { type: "object", properties: {} }

const readAnnotations = (annotations: JsonObject): ToolAnnotations => ({
  title: Field.string(annotations.title),
  readOnlyHint: Field.boolean(annotations.readOnlyHint),
  destructiveHint: Field.boolean(annotations.destructiveHint),
  idempotentHint: Field.boolean(annotations.idempotentHint),
  openWorldHint: Field.boolean(annotations.openWorldHint)
})

const readTaskSupport = (value: unknown): McpTool["taskSupport"] =>
  value === "forbidden" || value === "optional" || value === "required" ? value : undefined

/** A foreign name inside a sentence: bounded, and with control characters written out. */
const quoted = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
