import { readFileSync } from "node:fs"
import type { OfflineTool } from "../../../src/engine/model/OfflinePlanner.ts"
import type { JsonObject } from "../../../src/mcp/JsonRpc.ts"

interface Listed {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/** What the published server of that name lists. */
const server = (name: string): ReadonlyArray<OfflineTool> => {
  const listed: ReadonlyArray<Listed> = JSON.parse(
    readFileSync(new URL(`../../fixtures/tools/${name}.json`, import.meta.url), "utf8")
  )
  return listed.map((tool) => ({ ...tool, name: `mcp__${name}__${tool.name.replaceAll("-", "_")}` }))
}

const builtin = (
  name: string,
  description: string,
  required: ReadonlyArray<string>,
  optional: ReadonlyArray<string> = []
) => ({
  name,
  description,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries([...required, ...optional].map((key) => [key, { type: "string" }])),
    required
  }
})

/** Built-in tools and three servers: 42 tools, many of them alike. */
export const tools: ReadonlyArray<OfflineTool> = [
  builtin(
    "bash",
    "Runs a shell command in the working directory and returns what it prints. Use it to echo, list and read.",
    ["command"]
  ),
  builtin("edit_file", "Replaces a text in a file.", ["path", "oldText", "newText"]),
  builtin("glob", "Finds files by a pattern such as src/**/*.ts.", ["pattern"], ["path"]),
  builtin("grep", "Searches the contents of files for a regular expression.", ["pattern"], ["path"]),
  builtin("read_file", "Reads a text file of the working directory.", ["path"]),
  builtin("write_file", "Writes a text file, and makes its directories.", ["path", "content"]),
  ...server("everything"),
  ...server("filesystem"),
  ...server("memory")
]
