/**
 * Tools as typed functions. `everything.ts` was written by
 *
 *     harness9 generate everything --config .mcp.json.example --output examples/everything.ts
 *
 * and the same with `--check` tells in CI when the server has changed.
 */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { McpConfig, McpManager, TransportFactory } from "harness9"
import * as everything from "./everything.ts"

const Live = McpManager.layer.pipe(
  Layer.provide([McpConfig.layer({ file: ".mcp.json.example" }), TransportFactory.layer]),
  Layer.provide(NodeContext.layer)
)

Effect.gen(function* () {
  const manager = yield* McpManager.McpManager
  yield* manager.start
  const { conditions, temperature } = yield* everything.getStructuredContent({ location: "Chicago" })
  yield* Console.log(`${conditions}, ${temperature} °C`)
}).pipe(
  Effect.catchTag("ToolFailure", ({ message, tool }) => Console.error(`${tool}: ${message}`)),
  Effect.provide(Live),
  NodeRuntime.runMain
)
