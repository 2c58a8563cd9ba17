/**
 * A server may ask the program's model for a message (sampling). Here is what answers: a function, which could as well ask a real model,
 * or a person first. Servers are told of it only where it is there.
 */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { ClientFeatures, McpConfig, McpManager, TransportFactory } from "harness9"

const Sampling = Layer.succeed(ClientFeatures.ClientFeatures, {
  sampling: {
    createMessage: ({ maxTokens, messages }, { server }) =>
      maxTokens > 1000
        ? Effect.fail(new ClientFeatures.Refused({ message: "at most 1000 tokens" }))
        : Effect.succeed({
            model: "the-example",
            stopReason: "endTurn",
            content: [{ type: "text", text: `an answer to ${messages.length} message of ${server}` }]
          })
  }
})

const Live = McpManager.layer.pipe(
  Layer.provide([McpConfig.layer({ file: ".mcp.json.example" }), TransportFactory.layer, Sampling]),
  Layer.provide(NodeContext.layer)
)

Effect.gen(function* () {
  const manager = yield* McpManager.McpManager
  yield* manager.start
  const everything = yield* manager.client("everything")
  const { text } = yield* everything.callTool("trigger-sampling-request", { prompt: "Say something", maxTokens: 100 })
  yield* Console.log(text)
}).pipe(Effect.provide(Live), NodeRuntime.runMain)
