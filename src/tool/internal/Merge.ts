/**
 * Many sources of tools made into one ordered set. The outcome depends on what the sources hold, never on who came first.
 */
import * as ModelSchema from "../ModelSchema.ts"
import type { Tool } from "../Tool.ts"
import type { Skipped, Source, ToolSet } from "../ToolRegistry.ts"

/** A source with its tools in their order of display. */
export interface Entry {
  readonly source: Source
  readonly tools: ReadonlyArray<Tool>
}

/** Built-ins keep their own order; a server's tools go by the server's name for them. Equal ones stay as the server listed them. */
export const entry = (source: Source, tools: ReadonlyArray<Tool>): Entry => ({
  source,
  tools: [...tools].sort((a, b) => byCodeUnit(wireName(a), wireName(b)))
})

/** The set that the entries make. */
export const merge = (entries: Iterable<Entry>): ToolSet => {
  const shown = [...entries].sort(({ source: a }, { source: b }) =>
    isBuiltin(a) || isBuiltin(b) ? a.rank - b.rank || byCodeUnit(a.id, b.id) : byCodeUnit(a.id, b.id)
  )
  const byRank = [...shown].sort(({ source: a }, { source: b }) => a.rank - b.rank || byCodeUnit(a.id, b.id))
  const reasons = new Map<Entry, ReadonlyArray<string | undefined>>()
  const byName = new Map<string, Tool>()
  for (const entry of byRank) {
    const judge = (tool: Tool): string | undefined => {
      if (tool.withheld !== undefined) return tool.withheld.reason
      const winner = byName.get(tool.name)
      if (winner !== undefined) return lostTo(tool, winner)
      const reason = ModelSchema.unusable(tool.inputSchema)
      if (reason === undefined) byName.set(tool.name, tool)
      return reason
    }
    reasons.set(entry, entry.tools.map(judge))
  }
  const tools: Array<Tool> = []
  const skipped: Array<Skipped> = []
  for (const entry of shown) {
    entry.tools.forEach((tool, index) => {
      const reason = reasons.get(entry)?.[index]
      if (reason === undefined) tools.push(tool)
      else skipped.push({ tool, reason })
    })
  }
  return { tools, skipped, byName }
}

const isBuiltin = (source: Source): boolean => source.rank < 0

const wireName = ({ origin }: Tool): string => (origin._tag === "Mcp" ? origin.tool : "")

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const lostTo = (tool: Tool, winner: Tool): string => {
  const { origin } = winner
  if (origin._tag === "Builtin") return `the built-in tool ${winner.name} has the same name`
  if (tool.origin._tag === "Builtin" || tool.origin.server !== origin.server) {
    return `tool "${origin.tool}" of server "${origin.server}" has the same name, and its server comes first in the configuration`
  }
  return tool.origin.tool === origin.tool
    ? "the server lists the tool twice: the first one is used"
    : `the server's tool "${origin.tool}" has the same name`
}
