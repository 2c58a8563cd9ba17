/**
 * What a connected server that does nothing holds in memory, beyond its tools as JSON.
 */
import { setTimeout } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { McpManager, ServerConfig, Trust } from "harness9"
import { TestServer, TestTransportFactory } from "harness9/testing"
import { toolList } from "./protocol.mjs"
import { atMost, publish } from "./report.mjs"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc")
const heap = async () => {
  await setTimeout(50)
  collect()
  return process.memoryUsage().heapUsed
}

const tools = toolList(50)
const server = TestServer.make({
  tools: Object.fromEntries(tools.map(({ name, ...tool }) => [name, { ...tool, handler: () => "" }]))
})

const connect = async (count) => {
  const configs = Array.from({ length: count }, (_, index) => ServerConfig.stdio(`s${index}`, { command: "-" }))
  const factory = TestTransportFactory.layer(Object.fromEntries(configs.map(({ name }) => [name, server])))
  const silent = Logger.replace(Logger.defaultLogger, Logger.none)
  const runtime = ManagedRuntime.make(
    McpManager.layerConfig(configs).pipe(Layer.provide([factory, Trust.trustAll]), Layer.provideMerge(silent))
  )
  await runtime.runPromise(Effect.flatMap(McpManager.McpManager, ({ start }) => start))
  return runtime
}

await (await connect(5)).dispose()
const before = await heap()
const runtime = await connect(100)
const perServer = ((await heap()) - before) / 100
publish([
  atMost(
    "a connected idle server, over its tools as JSON",
    (perServer - JSON.stringify(tools).length) / 1024,
    60,
    "KiB"
  )
])
await runtime.dispose()
