/** `search_tools`: how a model finds the tools that it has not been offered. */
import * as Effect from "effect/Effect"
import * as ToolName from "../../mcp/ToolName.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import * as ModelSchema from "../../tool/ModelSchema.ts"
import * as Tool from "../../tool/Tool.ts"
import type { ToolSearch } from "../../tool/ToolSearch.ts"

export const name = "search_tools"

export interface Options {
  readonly searchable: ReadonlyArray<Tool.Tool>
  /** Over the tools of all servers. */
  readonly index: Effect.Effect<ToolSearch>
  readonly provider: ModelSchema.Provider
  /** Told the names of what was found. */
  readonly onFound: (names: ReadonlyArray<string>) => void
}

const usual = 5
const most = 20

export const make = ({ index, onFound, provider, searchable }: Options): Tool.Tool => ({
  name,
  title: "Search tools",
  description: `Finds tools among ${searchable.length} that are not all shown, and makes them callable from your next turn on. Say what the tool should do, and the service if you know it. Services: ${services(searchable)}.`,
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", description: "What the tool should do, in a few words: create a github issue" },
      limit: { type: "integer", minimum: 1, maximum: most, description: `How many tools at most; default ${usual}` }
    },
    required: ["query"]
  },
  origin: { _tag: "Builtin" },
  hints: { readOnly: true, destructive: false, idempotent: true },
  run: ({ limit, query }) => {
    if (typeof query !== "string" || query.trim() === "") {
      return Effect.succeed(Tool.failure('Say what to look for: { "query": "…" }.'))
    }
    return Effect.gen(function* () {
      const search = yield* index
      const hits = search.search(query, { limit: typeof limit === "number" ? Math.min(most, limit) : usual })
      onFound(hits.map(({ tool }) => tool.name))
      return Tool.text(
        hits.length === 0
          ? nothing(searchable)
          : found(
              hits.map(({ tool }) => tool),
              provider
            )
      )
    })
  }
})

const found = (tools: ReadonlyArray<Tool.Tool>, provider: ModelSchema.Provider): string => {
  const definitions = tools.map((tool) => ({
    name: ToolName.forModel(tool.name),
    description: cut(tool.description),
    inputSchema: ModelSchema.forProvider(provider, tool.inputSchema).schema
  }))
  return `You can call these now:\n${definitions.map((definition) => JSON.stringify(definition)).join("\n")}`
}

/** The whole of it comes with the next turn. */
const cut = (description: string): string =>
  description.length <= longest ? description : `${description.slice(0, longest)}…`

const longest = 600

const nothing = (searchable: ReadonlyArray<Tool.Tool>): string =>
  `No tool fits. Try other words or a service by name (${services(searchable)}), or do without one.`

/** The servers with the number of their tools. */
const services = (tools: ReadonlyArray<Tool.Tool>): string => {
  const counts = new Map<string, number>()
  for (const { origin } of tools) {
    if (origin._tag === "Mcp") counts.set(origin.server, (counts.get(origin.server) ?? 0) + 1)
  }
  const all = [...counts].map(([server, count]) => `${oneLine(server)} (${count})`)
  return all.length > mostServices
    ? `${all.slice(0, mostServices).join(", ")} and ${all.length - mostServices} more`
    : all.join(", ")
}

const mostServices = 40
