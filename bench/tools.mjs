/**
 * A list of 10,000 tools, from the question until it could be offered to a model, against what only reads it.
 */
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { McpManager, McpToolAdapter, ServerConfig, ToolRegistry, TransportFactory, Trust } from "harness9"
import { bareStdio, peerProgram, program, sdk1Stdio } from "./peers.mjs"
import { cost, medians, publish } from "./report.mjs"
import { amount, rounds, timed } from "./rounds.mjs"

const count = 10_000
const bare = await bareStdio(peerProgram(count))
const sdk = await sdk1Stdio(peerProgram(count))

const services = Layer.mergeAll(
  McpManager.layerConfig([ServerConfig.stdio("raw", program(count))]),
  ToolRegistry.layer
).pipe(
  Layer.provide([TransportFactory.layer, Trust.trustAll]),
  Layer.provideMerge(Logger.replace(Logger.defaultLogger, Logger.none))
)
const runtime = ManagedRuntime.make(services)
const manager = await runtime.runPromise(McpManager.McpManager)
const registry = await runtime.runPromise(ToolRegistry.ToolRegistry)
await runtime.runPromise(manager.start)
const client = await runtime.runPromise(manager.client("raw"))

/** The list as the client asks for it, and what becomes of it on the way to the model. */
const ready = () =>
  timed(() =>
    runtime.runPromise(
      Effect.gen(function* () {
        yield* client.request("tools/list")
        yield* registry.unregister("mcp:raw")
        yield* McpToolAdapter.sync(manager, registry)
        return (yield* registry.snapshot).tools.length
      })
    )
  )

const found = await rounds({ "the bare loop": bare.list, "SDK 1.32": sdk.list, harness9: ready }, amount(5, 15))
publish([
  cost("10,000 tools, listed and in the registry", found, "SDK 1.32", 0.7),
  cost("10,000 tools, listed and in the registry", found, "the bare loop", 2),
  medians("10,000 tools, listed and in the registry", found, "ms")
])
await Promise.all([runtime.dispose(), bare.close(), sdk.close()])
