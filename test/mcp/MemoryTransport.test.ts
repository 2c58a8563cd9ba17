import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import type { ClientMessage } from "../../src/mcp/MemoryTransport.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import { createSuiteServer } from "../fixtures/suite-server.mjs"
import { pipeSuite, transportSuite } from "./transportSuite.ts"

const suiteServer: MemoryTransport.MemoryServer = (client) =>
  Effect.gen(function* () {
    const run = Runtime.runSync(yield* Effect.runtime<never>())
    const receive = createSuiteServer({
      send: (message) => run(client.send(message)),
      die: () => run(client.close())
    })
    return (message) => Effect.sync(() => receive(onTheWire(message)))
  })

const onTheWire = (message: ClientMessage): unknown => {
  switch (message._tag) {
    case "Response":
      return message.reply._tag === "Result"
        ? { jsonrpc: "2.0", id: message.id, result: message.reply.result }
        : { jsonrpc: "2.0", id: message.id, error: message.reply.error }
    case "Request":
      return { jsonrpc: "2.0", id: message.id, method: message.method, params: message.params }
    case "Notification":
      return { jsonrpc: "2.0", method: message.method, params: message.params }
  }
}

const make = MemoryTransport.make({ server: "suite", handler: suiteServer })

transportSuite("memory", make)
pipeSuite("memory", make)

/** A server that answers each request with what `answer` gives. */
const answers =
  (answer: (message: ClientMessage) => Effect.Effect<unknown>): MemoryTransport.MemoryServer =>
  (client) =>
    Effect.succeed((message) =>
      message._tag === "Request"
        ? Effect.flatMap(answer(message), (result) => client.send({ jsonrpc: "2.0", id: message.id, result }))
        : Effect.void
    )

it.scoped("neither side holds an object of the other", () =>
  Effect.gen(function* () {
    const params = { list: [1] }
    const result = { list: [1] }
    const seen: Array<unknown> = []
    const transport = yield* MemoryTransport.make({
      server: "plain",
      handler: answers((message) =>
        Effect.sync(() => {
          seen.push(message._tag === "Request" ? message.params : undefined)
          return result
        })
      )
    })
    const received = yield* transport.request("x", params)
    expect(seen[0]).toEqual(params)
    expect(seen[0]).not.toBe(params)
    expect(received).toEqual(result)
    expect(received).not.toBe(result)
  })
)

it.scoped("a handler that throws breaks the connection as a crash would", () =>
  Effect.gen(function* () {
    const transport = yield* MemoryTransport.make({
      server: "plain",
      handler: answers(() => Effect.die(new Error("boom")))
    })
    const error = yield* Effect.flip(transport.request("x", {}))
    expect(error).toMatchObject({ server: "plain", kind: "exit", message: expect.stringContaining("boom") })
  })
)

it.effect("what the server started ends with the connection, its handlers too", () =>
  Effect.gen(function* () {
    const ended: Array<string> = []
    yield* Effect.scoped(
      Effect.gen(function* () {
        const transport = yield* MemoryTransport.make({
          server: "plain",
          handler: () =>
            Effect.gen(function* () {
              yield* Effect.addFinalizer(() => Effect.sync(() => ended.push("server")))
              return () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => ended.push("handler")))
            })
        })
        yield* transport.notify("x")
        yield* Effect.yieldNow()
      })
    )
    expect(ended.toSorted()).toEqual(["handler", "server"])
  })
)

it.effect("the layer is the transport", () =>
  Effect.gen(function* () {
    const transport = yield* McpTransport.McpTransport
    expect(yield* transport.request("x", {})).toBe("y")
    expect(transport.kind).toBe("memory")
  }).pipe(Effect.provide(MemoryTransport.layer({ server: "plain", handler: answers(() => Effect.succeed("y")) })))
)
