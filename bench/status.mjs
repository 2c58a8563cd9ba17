/**
 * A thousand servers that change their state, and ten subscribers, one of which never reads on.
 */
import { Effect, Layer, Logger, Stream } from "effect"
import { McpManager, ServerConfig, Trust } from "harness9"
import { TestServer, TestTransportFactory } from "harness9/testing"
import { cost, holds, medians, publish } from "./report.mjs"
import { amount, rounds, timed } from "./rounds.mjs"

const configs = Array.from({ length: amount(200, 1000) }, (_, index) =>
  ServerConfig.stdio(`s${index}`, { command: "-" })
)
const server = TestServer.make({ tools: { echo: { handler: () => "" } } })
const factory = TestTransportFactory.layer(Object.fromEntries(configs.map(({ name }) => [name, server])))
const services = McpManager.layerConfig(configs).pipe(
  Layer.provide([factory, Trust.trustAll]),
  Layer.provideMerge(Logger.replace(Logger.defaultLogger, Logger.none))
)

const isSettled = (statuses) => statuses.every(({ _tag }) => _tag === "Connected")
let delivered = true

const connecting = (readers) => () =>
  Effect.gen(function* () {
    const manager = yield* McpManager.McpManager
    if (readers > 0) yield* Effect.forkScoped(Stream.runForEach(manager.changes, () => Effect.never))
    const last = yield* Effect.forEach(Array.from({ length: Math.max(0, readers - 1) }), () =>
      Effect.forkScoped(Stream.runHead(Stream.filter(manager.changes, isSettled)))
    )
    const runtime = yield* Effect.runtime()
    const time = yield* Effect.promise(() => timed(() => Effect.runPromise(Effect.provide(manager.start, runtime))))
    const seen = yield* Effect.timeoutOption(
      Effect.forEach(last, (fiber) => fiber.await),
      "5 seconds"
    )
    delivered &&= seen._tag === "Some"
    return time
  }).pipe(Effect.scoped, Effect.provide(services), Effect.runPromise)

const found = await rounds({ "no subscriber": connecting(0), harness9: connecting(10) }, amount(2, 5))
publish([
  cost(`${configs.length} servers with ten subscribers`, found, "no subscriber", 1.25),
  holds("the last state reaches every subscriber that reads", delivered),
  medians(`${configs.length} servers`, found, "ms")
])
