/** A program on `@effect/ai` that gives its model the tools of real servers. */
import * as LanguageModel from "@effect/ai/LanguageModel"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { McpConfig, McpManager, Offline, TransportFactory } from "harness9"
import * as Ai from "harness9/ai"

const Tools = Ai.layer.pipe(
  Layer.provide(McpManager.layer),
  Layer.provide([McpConfig.layer({ file: ".mcp.json.example" }), TransportFactory.layer]),
  Layer.provide(NodeContext.layer)
)

LanguageModel.generateText({ prompt: "echo the text 'hello'", toolkit: Ai.toolkit }).pipe(
  Effect.flatMap(({ toolResults }) => Console.log(toolResults[0]?.result)),
  Effect.provide([Tools, Offline.layer]),
  NodeRuntime.runMain
)
