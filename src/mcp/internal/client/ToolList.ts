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
import * as ParamHeaders from "./ParamHeaders.ts"

export interface ToolList {
  readonly tools: ReadonlyArray<McpTool>
  /** What was left out, and why. */
  readonly warnings: ReadonlyArray<string>
  /** A later page could not be had. */
  readonly partial: boolean
  /** The arguments that go with a call as headers too, by tool (2026-07-28, over HTTP). */
  readonly params: ReadonlyMap<string, ReadonlyArray<ParamHeaders.Param>>
}

/** The list of a server that has none. */
export const empty: ToolList = { tools: [], warnings: [], partial: false, params: new Map() }

/** The list after it was read again: what could not be read, or not to its end, does not replace a whole list. */
export const refreshed = (old: ToolList, outcome: Either.Either<ToolList, McpError>): ToolList => {
  if (Either.isRight(outcome) && (old.partial || !outcome.right.partial)) return outcome.right
  const reason = Either.isLeft(outcome) ? outcome.left.message : outcome.right.warnings.join("; ")
  return { ...old, warnings: [...old.warnings.filter((warning) => !warning.startsWith(stale)), `${stale}: ${reason}`] }
}

const stale = "the tools have changed and could not be listed again"

/** More warnings than this say no more. */
const maxWarnings = 50

/** Reads a list. With `headers`, a tool whose annotations for headers break the rules is left out. */
export const read = (pages: Pages, headers = false): ToolList => {
  const tools: Array<McpTool> = []
  const params = new Map<string, ReadonlyArray<ParamHeaders.Param>>()
  const names = new Set<string>()
  const warnings = [...pages.warnings]
  for (const [index, entry] of pages.entries.entries()) {
    const tool = readTool(entry)
    if (typeof tool === "string") {
      warnings.push(`tool ${index + 1} of the list was left out: ${tool}`)
      continue
    }
    if (names.has(tool.name)) {
      if (index >= pages.afterEmptyCursor) continue
      warnings.push(`tool ${quoted(tool.name)} is listed more than once: the first one is kept`)
      continue
    }
    const annotated = headers ? ParamHeaders.read(tool.inputSchema) : []
    if (typeof annotated === "string") {
      warnings.push(`tool ${quoted(tool.name)} was left out: ${annotated}`)
      continue
    }
    names.add(tool.name)
    tools.push(tool)
    if (annotated.length > 0) params.set(tool.name, annotated)
  }
  return { tools, warnings: bounded(warnings), partial: pages.partial, params }
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
