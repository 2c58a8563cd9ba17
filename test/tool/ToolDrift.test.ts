import { describe, expect, it } from "@effect/vitest"
import type { McpTool } from "../../src/mcp/McpSchema.ts"
import * as ToolDrift from "../../src/tool/ToolDrift.ts"

const tool: McpTool = {
  name: "send",
  description: "Sends a message",
  inputSchema: { type: "object", properties: { to: { type: "string" }, text: { type: "string" } }, required: ["to"] },
  annotations: { readOnlyHint: false, destructiveHint: undefined }
}

const locked = new Map([["send", ToolDrift.lock(tool)]])

const fields = (changed: McpTool) =>
  ToolDrift.between(locked, [changed]).flatMap(({ differences }) => differences.map(({ field }) => field))

describe("a locked tool", () => {
  it("is the same whatever the order of its keys, and what does not define it", () => {
    const { properties, required, type } = tool.inputSchema
    const same = {
      ...tool,
      inputSchema: { required, properties, type },
      annotations: { readOnlyHint: false },
      icons: [{ src: "https://x" }],
      _meta: { a: 1 }
    }
    expect(ToolDrift.between(locked, [same])).toEqual([])
  })

  it.each<[string, Partial<McpTool>, string]>([
    ["its description", { description: "Sends a message and a copy" }, "description"],
    ["its title", { title: "Send" }, "title"],
    ["a hint", { annotations: { readOnlyHint: true } }, "annotations.readOnlyHint"],
    ["its result", { outputSchema: { type: "object" } }, "outputSchema"],
    [
      "a part of its schema",
      { inputSchema: { ...tool.inputSchema, properties: { to: { type: "string" }, text: { type: "number" } } } },
      "inputSchema.properties.text.type"
    ],
    ["a list in its schema", { inputSchema: { ...tool.inputSchema, required: ["to", "text"] } }, "inputSchema.required"]
  ])("is another one with %s changed", (_, change, field) => {
    expect(fields({ ...tool, ...change })).toEqual([field])
  })

  it("says what a field was and is", () => {
    const [drift] = ToolDrift.between(locked, [{ ...tool, description: "Other" }])
    expect(drift).toEqual({
      tool: "send",
      kind: "changed",
      differences: [{ field: "description", before: "Sends a message", after: "Other" }]
    })
  })

  it("is missed when it is gone; a tool that was not there is told, also one with a name that looks the same", () => {
    const lookalike = { ...tool, name: "s\u0435nd" }
    expect(ToolDrift.between(locked, [lookalike])).toEqual([
      { tool: "send", kind: "removed", differences: [] },
      { tool: "s\u0435nd", kind: "added", differences: [] }
    ])
  })

  it("names of fields are bounded where they are told", () => {
    const many = Array.from({ length: 100 }, (_, index) => ({
      field: `${index}${"x".repeat(1000)}`,
      before: 1,
      after: 2
    }))
    const told = ToolDrift.fieldsOf(many)
    expect(told.length).toBeLessThan(500)
    expect(told).toMatch(/ and 95 more$/)
  })
})
