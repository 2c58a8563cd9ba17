import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as McpToolAdapter from "../../src/tool/McpToolAdapter.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as FakeManager from "./FakeManager.ts"

const visibleTo = (name: string, visibility: unknown) => FakeManager.tool(name, { _meta: { ui: { visibility } } })

describe("a tool that its server brings along for its own user interface", () => {
  it.effect("is not offered to the model, and cannot be called by it", () =>
    Effect.gen(function* () {
      const { manager, set } = yield* FakeManager.make([FakeManager.config("shop")])
      yield* set([
        FakeManager.connected("shop", [
          visibleTo("for_app", ["app"]),
          visibleTo("for_both", ["model", "app"]),
          visibleTo("for_model", ["model"]),
          visibleTo("unclear", "app"),
          FakeManager.tool("plain", { _meta: { ui: { resourceUri: "ui://x" } } })
        ])
      ])
      const registry = yield* ToolRegistry.make
      expect(yield* McpToolAdapter.sync(manager, registry)).toBe(4)
      const { skipped, tools } = yield* registry.snapshot
      expect(tools.map(({ name }) => name)).toEqual([
        "mcp__shop__for_both",
        "mcp__shop__for_model",
        "mcp__shop__plain",
        "mcp__shop__unclear"
      ])
      expect(skipped).toEqual([])
      expect(yield* registry.execute("mcp__shop__for_app", {})).toMatchObject({ isError: true })
    })
  )
})
