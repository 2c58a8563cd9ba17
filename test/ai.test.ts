import * as LanguageModel from "@effect/ai/LanguageModel"
import * as AiTool from "@effect/ai/Tool"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Ai from "../src/ai.ts"
import * as McpManager from "../src/mcp/McpManager.ts"
import * as ServerConfig from "../src/mcp/ServerConfig.ts"
import * as ScriptedModel from "../src/testing/ScriptedModel.ts"
import * as TestServer from "../src/testing/TestServer.ts"
import * as TestTransportFactory from "../src/testing/TestTransportFactory.ts"
import { ToolRegistry } from "../src/tool/ToolRegistry.ts"

const inputSchema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] }

const echo = {
  inputSchema,
  description: "Says it again",
  handler: ({ text }: { readonly text?: unknown }) => `said ${text}`
}

const program = (server: TestServer.TestServer, turns: ReadonlyArray<ScriptedModel.Turn>) => {
  const model = ScriptedModel.make(turns)
  const manager = McpManager.layerConfig([ServerConfig.stdio("files", { command: "unused" })]).pipe(
    Layer.provide(TestTransportFactory.layer({ files: server }))
  )
  return { model, layer: Layer.mergeAll(Layer.provideMerge(Ai.layer, manager), model.layer) }
}

describe("the toolkit of @effect/ai", () => {
  it.effect("gives a model the tools of a server, and the model's calls to the server", () => {
    const server = TestServer.make({ tools: { "echo.it": echo } })
    const call = ScriptedModel.calls({ id: "1", name: "mcp__files__echo_it", arguments: { text: "hi" } })
    const { layer, model } = program(server, [call])
    return Effect.gen(function* () {
      const response = yield* LanguageModel.generateText({ prompt: "say hi", toolkit: Ai.toolkit })
      expect(model.asked[0]?.tools).toEqual(["mcp__files__echo_it"])
      expect(yield* server.calls).toEqual([{ tool: "echo.it", arguments: { text: "hi" } }])
      expect(response.toolResults).toMatchObject([{ id: "1", isFailure: false, result: "said hi" }])
    }).pipe(Effect.provide(layer))
  })

  it.effect("streams, and tells the model of a failure", () => {
    const failing = { inputSchema, handler: () => Effect.fail("the disk is full") }
    const { layer } = program(TestServer.make({ tools: { save: failing } }), [
      ScriptedModel.calls({ id: "1", name: "mcp__files__save", arguments: { text: "x" } })
    ])
    return Effect.gen(function* () {
      const parts = yield* Stream.runCollect(LanguageModel.streamText({ prompt: "save", toolkit: Ai.toolkit }))
      expect([...parts].find(({ type }) => type === "tool-result")).toMatchObject({
        isFailure: true,
        result: expect.stringContaining("the disk is full")
      })
    }).pipe(Effect.provide(layer))
  })

  it.effect("passes the server's schema to the model's API", () => {
    const { layer } = program(TestServer.make({ tools: { echo } }), [])
    return Effect.gen(function* () {
      const { tools } = yield* Ai.toolkit
      const tool = yield* Effect.fromNullable(tools.mcp__files__echo)
      expect(AiTool.getJsonSchema(tool)).toMatchObject({ properties: { text: { type: "string" } }, required: ["text"] })
    }).pipe(Effect.provide(layer))
  })

  it.live("follows the server's list", () => {
    const server = TestServer.make({ tools: { echo }, capabilities: { tools: { listChanged: true } } })
    const { layer } = program(server, [])
    return Effect.gen(function* () {
      const registry = yield* ToolRegistry
      yield* server.setTools({ echo, extra: echo })
      yield* registry.changes.pipe(
        Stream.filter(({ tools }) => tools.length === 2),
        Stream.runHead
      )
      expect(Object.keys((yield* Ai.toolkit).tools)).toEqual(["mcp__files__echo", "mcp__files__extra"])
    }).pipe(Effect.provide(layer))
  })
})
