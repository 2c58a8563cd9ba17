/**
 * A run on real servers is recorded, and then played again without any: the file is all that it needs. In a test suite the recording
 * lies beside the tests, and a program that does something else fails with the first difference.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { McpConfig, McpManager, TransportFactory } from "harness9"
import { CassettePlayer, CassetteRecorder, CassetteTransport } from "harness9/testing"

const file = join(tmpdir(), `harness9-example-${process.pid}.ndjson`)

const Recorded = CassetteTransport.layerRecord.pipe(
  Layer.provide(TransportFactory.layer),
  Layer.provide(CassetteRecorder.layer({ file, force: true }))
)

const Replayed = CassetteTransport.layerReplay().pipe(Layer.provide(CassettePlayer.layer(file)))

const program = Effect.gen(function* () {
  const manager = yield* McpManager.McpManager
  yield* manager.start
  const everything = yield* manager.client("everything")
  const { text } = yield* everything.callTool("get-sum", { a: 2, b: 3 })
  yield* Console.log(text)
})

const onServers = <E>(transports: Layer.Layer<TransportFactory.TransportFactory, E, never>) =>
  Effect.provide(
    program,
    McpManager.layer.pipe(
      Layer.provide([McpConfig.layer({ file: ".mcp.json.example" }), transports]),
      Layer.provide(NodeContext.layer)
    )
  )

onServers(Layer.provide(Recorded, NodeContext.layer)).pipe(
  Effect.zipRight(onServers(Layer.provide(Replayed, NodeContext.layer))),
  NodeRuntime.runMain
)
