/**
 * A list of tools within a server's limits: what is too long is cut, what is too large is left out, and both are told.
 */
import type * as Limits from "../../Limits.ts"
import type { McpTool } from "../../McpSchema.ts"
import * as JsonSize from "../JsonSize.ts"
import type { ToolList } from "./ToolList.ts"

type Bounds = Pick<Limits.Limits, "maxDescriptionCharacters" | "maxNameCharacters" | "maxSchemaBytes" | "maxTools">

export const apply = (list: ToolList, bounds: Bounds): ToolList => {
  const { maxDescriptionCharacters, maxTools } = bounds
  const first = list.tools.length > maxTools ? list.tools.slice(0, maxTools) : list.tools
  const excess = new Map(first.flatMap((tool) => entryOf(tool, excessOf(tool, bounds))))
  const left = excess.size === 0 ? first : first.filter((tool) => !excess.has(tool))
  const warnings = [
    ...[...excess].slice(0, maxWarnings).map(([{ name }, reason]) => `tool ${quoted(name)} was left out: ${reason}`),
    ...(first === list.tools
      ? []
      : [`of ${list.tools.length} tools the first ${maxTools} are used: that is limits.maxTools`])
  ]
  if (warnings.length === 0 && !left.some((tool) => hasLongText(tool, maxDescriptionCharacters))) return list
  return {
    ...list,
    tools: left.map((tool) =>
      hasLongText(tool, maxDescriptionCharacters) ? cut(tool, maxDescriptionCharacters) : tool
    ),
    warnings: [...list.warnings, ...warnings]
  }
}

/** Why a tool is left out, if it is. */
const excessOf = ({ inputSchema, name, outputSchema }: McpTool, bounds: Bounds): string | undefined => {
  const { maxNameCharacters, maxSchemaBytes } = bounds
  if (name.length > maxNameCharacters) return `its name is over limits.maxNameCharacters, ${maxNameCharacters}`
  return [inputSchema, outputSchema].some((schema) => JsonSize.upTo(schema, maxSchemaBytes) > maxSchemaBytes)
    ? `its schema is over limits.maxSchemaBytes, ${maxSchemaBytes}`
    : undefined
}

const entryOf = <K, V>(key: K, value: V | undefined): ReadonlyArray<readonly [K, V]> =>
  value === undefined ? [] : [[key, value]]

const maxWarnings = 20

const hasLongText = ({ annotations, description, title }: McpTool, limit: number): boolean =>
  [description, title, annotations?.title].some((text) => text !== undefined && text.length > limit)

/** What is shown to a person or a model, with a mark where it was cut. */
const cut = (tool: McpTool, limit: number): McpTool => {
  const { annotations, description, title } = tool
  return {
    ...tool,
    description: withinLimit(description, limit),
    title: title && withinLimit(title, limit),
    annotations: annotations?.title ? { ...annotations, title: withinLimit(annotations.title, limit) } : annotations
  }
}

const withinLimit = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const head = text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")
  return `${head}… [${text.length - head.length} of ${text.length} characters cut: limits.maxDescriptionCharacters]`
}

const quoted = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
