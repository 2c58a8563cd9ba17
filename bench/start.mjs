/**
 * Many servers at once, until all are connected: in memory, with and without a delay, and as real programs.
 */
import { Duration, Effect, Layer, Logger } from "effect"
import { McpManager, ServerConfig, TransportFactory, Trust } from "harness9"
import { TestServer, TestTransportFactory } from "harness9/testing"
import { bareStdio, peerProgram, program } from "./peers.mjs"
import { atMost, cost, medians, publish } from "./report.mjs"
import { amount, rounds, timed } from "./rounds.mjs"

const configsOf = (count, entry) => Array.from({ length: count }, (_, index) => ServerConfig.stdio(`s${index}`, entry))

/** How long `start` takes, without what opening the layers and closing them take. */
const start = (configs, factory) =>
  Effect.gen(function* () {
    const manager = yield* McpManager.McpManager
    return yield* Effect.promise(() => timed(() => Effect.runPromise(quiet(manager.start))))
  }).pipe(
    Effect.provide(McpManager.layerConfig(configs).pipe(Layer.provide([factory, Trust.trustAll]))),
    quiet,
    Effect.runPromise
  )
const quiet = Effect.provide(Logger.replace(Logger.defaultLogger, Logger.none))

const mocks = (delayMs) => {
  const tools = { echo: { handler: () => "" } }
  const server = TestServer.make({ tools, ...(delayMs === 0 ? {} : { delay: Duration.millis(delayMs) }) })
  const factory = TestTransportFactory.layer(
    Object.fromEntries(configsOf(100, { command: "-" }).map(({ name }) => [name, server]))
  )
  return () => start(configsOf(100, { command: "-" }), factory)
}

const bareStart = async () => {
  const opened = []
  const time = await timed(() =>
    Promise.all(
      Array.from({ length: 20 }, async () => {
        const server = await bareStdio(peerProgram())
        opened.push(server)
        await server.list()
      })
    )
  )
  await Promise.all(opened.map(({ close }) => close()))
  return time
}

const mock = await rounds({ "at once": mocks(0), "after 300 ms": mocks(300) }, amount(3, 9))
const real = await rounds(
  { "spawning them bare": bareStart, harness9: () => start(configsOf(20, program()), TransportFactory.layer) },
  amount(2, 5)
)

publish([
  atMost("100 servers in memory that answer at once", mock["at once"], 50, "ms"),
  atMost("100 servers in memory that answer after 300 ms, over the delay", mock["after 300 ms"] - 300, 50, "ms"),
  cost("20 programs", real, "spawning them bare", 1.1),
  medians("20 programs", real, "ms")
])
