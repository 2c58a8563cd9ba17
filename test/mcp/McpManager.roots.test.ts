import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { ClientFeatures } from "../../src/mcp/ClientFeatures.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"
import { entry, started } from "./managed.ts"

/** A server that asks for the roots as soon as it is connected, as many do. */
const asking = TestServer.make({
  tools: { look: { handler: () => "seen" } },
  methods: {
    "tools/list": (_, { client }) =>
      Effect.as(client.send({ jsonrpc: "2.0", id: "roots", method: "roots/list" }), {
        tools: [{ name: "look", inputSchema: { type: "object" } }]
      })
  }
})

it.scoped(
  "a server that asks for the roots of its entry has them before the first call, however long they take to find",
  () =>
    Effect.gen(function* () {
      const roots = [{ uri: "file:///work", name: "work" }]
      const looking = yield* Deferred.make<void>()
      const features = Layer.succeed(ClientFeatures, {
        roots: {
          list: Effect.succeed([]),
          ofEntry: () =>
            Effect.zipRight(Deferred.succeed(looking, undefined), Effect.delay(Effect.succeed(roots), "1 second"))
        }
      })
      const starting = yield* started([entry("it")]).pipe(
        Effect.provide(Layer.merge(features, TestTransportFactory.layer({ it: asking }))),
        Effect.fork
      )
      yield* Deferred.await(looking)
      expect(yield* asking.connections).toBe(0)
      yield* TestClock.adjust("1 second")
      const manager = yield* Fiber.join(starting)
      const client = yield* manager.client("it")
      yield* client.callTool("look", {})
      const heard = (yield* asking.messages).map((message) =>
        message._tag === "Response" ? message.reply : message.method
      )
      const answer = heard.findIndex((message) => typeof message !== "string")
      expect(heard[answer]).toEqual({ _tag: "Result", result: { roots } })
      expect(answer).toBeLessThan(heard.indexOf("tools/call"))
    })
)
