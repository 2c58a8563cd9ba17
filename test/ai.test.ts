import * as LanguageModel from "@effect/ai/LanguageModel"
import * as AiTool from "@effect/ai/Tool"
import * as Toolkit from "@effect/ai/Toolkit"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as Ai from "../src/ai.ts"
import * as McpManager from "../src/mcp/McpManager.ts"
import * as ServerConfig from "../src/mcp/ServerConfig.ts"
import * as ScriptedModel from "../src/testing/ScriptedModel.ts"
import * as TestServer from "../src/testing/TestServer.ts"
import * as TestTransportFactory from "../src/testing/TestTransportFactory.ts"
import { ToolRegistry, layer as ToolRegistryLayer } from "../src/tool/ToolRegistry.ts"

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

describe("a toolkit of a program", () => {
  class Stock extends Context.Tag("test/Stock")<Stock, { readonly count: number }>() {}

  const CountStock = AiTool.make("count_stock", {
    description: "How many there are",
    parameters: { product: Schema.String },
    success: Schema.Struct({ count: Schema.Number }),
    failure: Schema.String,
    dependencies: [Stock]
  }).annotate(AiTool.Readonly, true)
  const Order = AiTool.make("order", { parameters: { amount: Schema.Number }, success: Schema.String })
  const Shop = Toolkit.make(CountStock, Order)
  const handlers = Shop.toLayer({
    count_stock: ({ product }) =>
      product === "tea"
        ? Effect.map(Stock, ({ count }) => ({ count }))
        : Effect.fail(`no product is called ${product}`),
    order: ({ amount }) => (amount > 99 ? Effect.never : Effect.succeed(`ordered ${amount}`))
  })
  const shop = Layer.provide(Ai.layerToolkit(Shop), [handlers, Layer.succeed(Stock, { count: 7 })])

  it.effect("is offered and run beside the tools of servers", () => {
    const { layer } = program(TestServer.make({ tools: { echo } }), [])
    return Effect.gen(function* () {
      const registry = yield* ToolRegistry
      const { tools } = yield* registry.snapshot
      expect(tools.map(({ name }) => name)).toEqual(["count_stock", "order", "mcp__files__echo"])
      expect(tools.map(({ hints }) => hints.readOnly)).toEqual([true, false, false])
      expect(tools[0]).toMatchObject({
        description: "How many there are",
        inputSchema: { type: "object", properties: { product: { type: "string" } }, required: ["product"] }
      })
      expect(yield* registry.execute("count_stock", { product: "tea" })).toMatchObject({
        isError: false,
        text: '{"count":7}',
        structuredContent: { count: 7 }
      })
      expect(yield* registry.execute("order", { amount: 2 })).toMatchObject({ isError: false, text: "ordered 2" })
    }).pipe(Effect.provide(Layer.provideMerge(shop, layer)))
  })

  it.effect("tells the model what went wrong: a failure, unusable arguments, a call without an end", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry
      const failed = yield* registry.execute("count_stock", { product: "rum" })
      expect(failed).toMatchObject({ isError: true, text: "no product is called rum" })
      const unfit = yield* registry.execute("order", { amount: "many" })
      expect(unfit).toMatchObject({ isError: true, text: expect.stringContaining("Expected number") })
      const endless = yield* Effect.fork(registry.execute("order", { amount: 100 }))
      yield* TestClock.adjust("60 seconds")
      expect(yield* Fiber.join(endless)).toMatchObject({ isError: true, text: expect.stringContaining("1m") })
    }).pipe(Effect.provide(Layer.provideMerge(shop, ToolRegistryLayer)))
  )

  it.effect("leaves the registry with its scope", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(shop)
          expect((yield* registry.snapshot).tools).toHaveLength(2)
        })
      )
      expect((yield* registry.snapshot).tools).toEqual([])
    }).pipe(Effect.provide(ToolRegistryLayer))
  )
})
