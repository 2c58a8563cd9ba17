import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe as changes } from "../../src/engine/internal/ToolChanges.ts"
import * as Tool from "../../src/tool/Tool.ts"
import type { ToolSet } from "../../src/tool/ToolRegistry.ts"

const tool = (name: string, fields: Partial<Tool.Tool> = {}): Tool.Tool => ({
  name: `mcp__it__${name}`,
  description: "does it",
  inputSchema: { type: "object", properties: { x: { type: "string" } } },
  origin: { _tag: "Mcp", server: "it", tool: name },
  hints: { readOnly: true, destructive: false, idempotent: false },
  run: () => Effect.succeed(Tool.text("")),
  ...fields
})

const set = (...tools: ReadonlyArray<Tool.Tool>): ToolSet => ({
  tools,
  skipped: [],
  byName: new Map(tools.map((each) => [each.name, each]))
})

describe("what is told between two turns", () => {
  it("is nothing when the same tools were only listed again", () => {
    expect(changes(set(tool("a")), set(tool("a")))).toEqual([])
  })

  it("is each tool that is another one under the same name, and in what", () => {
    const inputSchema = { type: "object", properties: { x: { type: "number" } } }
    const hints = { readOnly: false, destructive: true, idempotent: false }
    expect(
      changes(
        set(tool("a"), tool("b"), tool("c")),
        set(tool("a", { description: "does it, and more" }), tool("b", { inputSchema, hints }), tool("c"))
      )
    ).toEqual([
      'MCP server "it" changed what mcp__it__a is: description',
      'MCP server "it" changed what mcp__it__b is: hints.destructive, hints.readOnly, inputSchema.properties.x.type'
    ])
  })

  it("is what joined and what left", () => {
    expect(changes(set(tool("a")), set(tool("b")))).toEqual([
      'MCP server "it" added 1 tool: mcp__it__b',
      'MCP server "it" no longer offers 1 tool: mcp__it__a'
    ])
  })
})
