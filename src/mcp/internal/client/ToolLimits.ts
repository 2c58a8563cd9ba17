/**
 * A list of tools within a server's limits: what is too long is cut, what is too large is left out, and both are told.
 */
import { isObject } from "../../JsonRpc.ts"
import type * as Limits from "../../Limits.ts"
import type { McpTool } from "../../McpSchema.ts"
import type { ToolList } from "./ToolList.ts"

type Bounds = Pick<Limits.Limits, "maxDescriptionCharacters" | "maxSchemaBytes" | "maxTools">

export const apply = (list: ToolList, bounds: Bounds): ToolList => {
  const { maxDescriptionCharacters, maxSchemaBytes, maxTools } = bounds
  const isTooLarge = ({ inputSchema, outputSchema }: McpTool) =>
    isOver(inputSchema, maxSchemaBytes) || isOver(outputSchema, maxSchemaBytes)
  const first = list.tools.length > maxTools ? list.tools.slice(0, maxTools) : list.tools
  const tooLarge = first.filter(isTooLarge)
  const left = tooLarge.length === 0 ? first : first.filter((tool) => !tooLarge.includes(tool))
  const warnings = [
    ...tooLarge
      .slice(0, maxWarnings)
      .map(
        ({ name }) => `tool ${quoted(name)} was left out: its schema is over limits.maxSchemaBytes, ${maxSchemaBytes}`
      ),
    ...(first === list.tools
      ? []
      : [`of ${list.tools.length} tools the first ${maxTools} are used: that is limits.maxTools`])
  ]
  if (warnings.length === 0 && !left.some(({ description }) => description.length > maxDescriptionCharacters))
    return list
  return {
    ...list,
    tools: left.map((tool) => withDescription(tool, maxDescriptionCharacters)),
    warnings: [...list.warnings, ...warnings]
  }
}

const maxWarnings = 20

const withDescription = (tool: McpTool, limit: number): McpTool => {
  const { description } = tool
  if (description.length <= limit) return tool
  const head = description.slice(0, limit).replace(/[\ud800-\udbff]$/, "")
  return {
    ...tool,
    description: `${head}… [${description.length - head.length} of ${description.length} characters cut]`
  }
}

/** Whether the JSON text of a value is longer, without making that text. */
const isOver = (value: unknown, limit: number): boolean => {
  let left = limit
  const rest: Array<unknown> = [value]
  while (rest.length > 0 && left >= 0) {
    const next = rest.pop()
    if (typeof next === "string") left -= next.length + 2
    else if (Array.isArray(next)) {
      left -= 2 + next.length
      for (const item of next) rest.push(item)
    } else if (isObject(next)) {
      left -= 2
      for (const [key, item] of Object.entries(next)) {
        left -= key.length + 4
        rest.push(item)
      }
    } else left -= 4
  }
  return left < 0
}

const quoted = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
