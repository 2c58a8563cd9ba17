import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SearchTool from "../../src/engine/internal/SearchTool.ts"
import * as BuiltinName from "../../src/tool/BuiltinName.ts"
import * as BuiltinTools from "../../src/tool/BuiltinTools.ts"

describe("BuiltinName", () => {
  it.effect("names the tools that there are, in their order", () =>
    Effect.gen(function* () {
      const tools = yield* BuiltinTools.make({ root: "/" })
      expect([...tools.map(({ name }) => name), "read_skill", SearchTool.name]).toEqual(BuiltinName.all)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
