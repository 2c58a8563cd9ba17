/** Other ways to search, for comparison. */
import MiniSearch from "minisearch"
import type { Tool } from "../../src/tool/Tool.ts"
import { type Finder, labelOf } from "./quality.ts"

const fields = ["name", "title", "description", "parameters", "server"]

const documentOf = (tool: Tool, id: number) => ({
  id,
  label: labelOf(tool),
  name: tool.name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " "),
  title: tool.title ?? "",
  description: tool.description,
  parameters: Object.keys(tool.inputSchema.properties ?? {}).join(" "),
  server: tool.origin._tag === "Mcp" ? tool.origin.server : ""
})

/** The tools that have the most words of the request somewhere in their text. */
export const substring = (tools: ReadonlyArray<Tool>): Finder => {
  const texts = tools.map((tool, id) => {
    const { description, label, name, parameters, title } = documentOf(tool, id)
    return { label, text: [name, title, description, parameters].join(" ").toLowerCase() }
  })
  return (request) => {
    const terms = request.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    return texts
      .map(({ label, text }) => ({ label, count: terms.filter((term) => text.includes(term)).length }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, 5)
      .map(({ label }) => label)
  }
}

const miniSearch =
  (searchOptions: ConstructorParameters<typeof MiniSearch>[0]["searchOptions"] = {}) =>
  (tools: ReadonlyArray<Tool>): Finder => {
    const index = new MiniSearch({ fields, storeFields: ["label"], searchOptions })
    index.addAll(tools.map(documentOf))
    return (request) =>
      index
        .search(request)
        .slice(0, 5)
        .map((hit) => String(hit.label))
  }

export const miniSearchAsItIs = miniSearch()

export const miniSearchTuned = miniSearch({ boost: { name: 4, title: 2, server: 2 }, prefix: true, fuzzy: 0.2 })
