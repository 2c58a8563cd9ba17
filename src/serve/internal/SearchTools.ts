/**
 * Two tools in the place of all: one that finds tools by what they do, and one that calls what was found.
 */
import * as Effect from "effect/Effect"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import * as ToolSearch from "../../tool/ToolSearch.ts"
import type { OfferedTool } from "../Catalogue.ts"

export const search = "search_tools"
export const call = "call_tool"

const usual = 5
const most = 20

/** What clients are offered. */
export const tools = (count: number): ReadonlyArray<JsonObject> => [
  {
    name: search,
    title: "Search tools",
    description: `Finds tools among ${count}. Say what the tool should do, and the service if you know it. What is found is called with ${call}.`,
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: "What the tool should do, in a few words: create a github issue" },
        limit: { type: "integer", minimum: 1, maximum: most, description: `How many tools at most; default ${usual}` }
      },
      required: ["query"]
    },
    annotations: { readOnlyHint: true, openWorldHint: false }
  },
  {
    name: call,
    title: "Call a tool",
    description: `Calls a tool that ${search} has found.`,
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "The tool's name, as it was found" },
        arguments: { type: "object", description: "Its arguments, as its inputSchema wants them" }
      },
      required: ["name"]
    }
  }
]

/** The result of a search. */
export const find = (args: JsonObject, offered: ReadonlyMap<string, OfferedTool>): Effect.Effect<JsonObject> =>
  Effect.gen(function* () {
    const { limit, query } = args
    if (typeof query !== "string" || query.trim() === "") {
      return { ...text('Say what to look for: { "query": "…" }.'), isError: true }
    }
    const byTool = new Map([...offered.values()].map((entry) => [entry.tool, entry]))
    const { search } = yield* ToolSearch.make([...byTool.keys()])
    const hits = search(query, { limit: typeof limit === "number" ? Math.min(most, limit) : usual })
    const lines = hits.map(({ tool }) =>
      JSON.stringify({
        name: byTool.get(tool)?.name,
        description: tool.description,
        inputSchema: tool.inputSchema
      })
    )
    return text(lines.length === 0 ? "No tool fits. Try other words, or a service by name." : lines.join("\n"))
  })

/** The params of the call that a call of `call_tool` stands for; any other's are its own. */
export const unwrapped = (params: JsonObject): JsonObject => {
  if (params.name !== call) return params
  const args = isObject(params.arguments) ? params.arguments : {}
  return { ...params, name: args.name, arguments: args.arguments ?? {} }
}

const text = (value: string): JsonObject => ({ content: [{ type: "text", text: value }] })
