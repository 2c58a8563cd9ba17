/** What joined and what left between two turns, in words for the person and the model. */
import * as ToolName from "../../mcp/ToolName.ts"
import type { Tool } from "../../tool/Tool.ts"
import type { ToolSet } from "../../tool/ToolRegistry.ts"

export const describe = (before: ToolSet, after: ToolSet): ReadonlyArray<string> => {
  if (before === after) return []
  const joined = after.tools.filter((tool) => !before.byName.has(tool.name))
  const left = before.tools.filter((tool) => !after.byName.has(tool.name))
  return [
    ...bySource(joined).map(([source, tools]) => `${source} added ${count(tools)}: ${names(tools)}`),
    ...bySource(left).map(([source, tools]) => `${source} no longer offers ${count(tools)}: ${names(tools)}`)
  ]
}

const bySource = (tools: ReadonlyArray<Tool>): ReadonlyArray<readonly [string, ReadonlyArray<Tool>]> => {
  const groups = new Map<string, Array<Tool>>()
  for (const tool of tools) {
    const source = tool.origin._tag === "Mcp" ? `MCP server "${tool.origin.server}"` : "harness9"
    groups.set(source, [...(groups.get(source) ?? []), tool])
  }
  return [...groups]
}

const count = (tools: ReadonlyArray<Tool>): string => (tools.length === 1 ? "1 tool" : `${tools.length} tools`)

const shown = 10

const names = (tools: ReadonlyArray<Tool>): string => {
  const first = tools.slice(0, shown).map((tool) => ToolName.forModel(tool.name))
  return tools.length > shown ? `${first.join(", ")} and ${tools.length - shown} more` : first.join(", ")
}
