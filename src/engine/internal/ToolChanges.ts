/** What joined, what left and what became another between two turns, in words for the person and the model. */
import * as ToolName from "../../mcp/ToolName.ts"
import type { Tool } from "../../tool/Tool.ts"
import * as ToolDrift from "../../tool/ToolDrift.ts"
import type { ToolSet } from "../../tool/ToolRegistry.ts"

/** What is kept of a set of tools: their names, and the servers that they come from. */
export type Known = ReadonlyMap<string, KnownTool>

export interface KnownTool {
  readonly name: string
  readonly server?: string | undefined
}

/** Whether the sets hold the same names. */
export const isSame = (known: Known | undefined, { byName }: ToolSet): boolean =>
  known?.size === byName.size && [...byName.keys()].every((name) => known.has(name))

export const toKnown = ({ tools }: ToolSet): ReadonlyArray<KnownTool> =>
  tools.map(({ name, origin }) => (origin._tag === "Mcp" ? { name, server: origin.server } : { name }))

/** What joined and what left since there was no more than names to compare with. */
export const describeKnown = (before: Known, { tools, byName }: ToolSet): ReadonlyArray<string> =>
  told({
    joined: tools.filter((tool) => !before.has(tool.name)),
    left: [...before.values()].filter(({ name }) => !byName.has(name)).map(toOrigin)
  })

const toOrigin = ({ name, server }: KnownTool): Named => ({
  name,
  origin: server === undefined ? { _tag: "Builtin" } : { _tag: "Mcp", server, tool: name }
})

type Named = Pick<Tool, "name" | "origin">

export const describe = (before: ToolSet, after: ToolSet): ReadonlyArray<string> => {
  if (before === after) return []
  const joined = after.tools.filter((tool) => !before.byName.has(tool.name))
  const left = before.tools.filter((tool) => !after.byName.has(tool.name))
  const changed = after.tools.flatMap((tool) => {
    const differences = changes(before.byName.get(tool.name), tool)
    return differences.length === 0 ? [] : [{ tool, fields: ToolDrift.fieldsOf(differences) }]
  })
  return [
    ...changed.map(
      ({ fields, tool }) => `${sourceOf(tool)} changed what ${ToolName.forModel(tool.name)} is: ${fields}`
    ),
    ...told({ joined, left })
  ]
}

const told = ({ joined, left }: { readonly joined: ReadonlyArray<Named>; readonly left: ReadonlyArray<Named> }) => [
  ...bySource(joined).map(([source, tools]) => `${source} added ${count(tools)}: ${names(tools)}`),
  ...bySource(left).map(([source, tools]) => `${source} no longer offers ${count(tools)}: ${names(tools)}`)
]

/** What of a tool's definition differs; nothing of a tool that is new. */
const changes = (before: Tool | undefined, after: Tool): ReadonlyArray<ToolDrift.Difference> =>
  before === undefined || before === after ? [] : ToolDrift.differences(definition(before), definition(after))

const definition = ({ description, hints, inputSchema, outputSchema, title }: Tool) => ({
  title,
  description,
  inputSchema,
  outputSchema,
  hints
})

const sourceOf = ({ origin }: Named): string => (origin._tag === "Mcp" ? `MCP server "${origin.server}"` : "harness9")

const bySource = (tools: ReadonlyArray<Named>): ReadonlyArray<readonly [string, ReadonlyArray<Named>]> => {
  const groups = new Map<string, Array<Named>>()
  for (const tool of tools) {
    const source = sourceOf(tool)
    groups.set(source, [...(groups.get(source) ?? []), tool])
  }
  return [...groups]
}

const count = (tools: ReadonlyArray<Named>): string => (tools.length === 1 ? "1 tool" : `${tools.length} tools`)

const shown = 10

const names = (tools: ReadonlyArray<Named>): string => {
  const first = tools.slice(0, shown).map((tool) => ToolName.forModel(tool.name))
  return tools.length > shown ? `${first.join(", ")} and ${tools.length - shown} more` : first.join(", ")
}
