import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as McpClient from "../../src/mcp/McpClient.ts"
import { McpError } from "../../src/mcp/McpError.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

const sessionLost = (server: string) =>
  new McpError({ server, phase: "call", kind: "session-lost", status: 404, message: "the session is unknown" })

/**
 * A transport with sessions, as HTTP has: `forget` makes the server forget the session, and every request but `initialize`
 * is refused until there is a new one.
 */
const withSessions = Effect.fnUntraced(function* (server: TestServer.TestServer) {
  const memory = yield* MemoryTransport.make({ server: "remote", handler: server.handler })
  let known = true
  const transport: McpTransport.Service = {
    ...memory,
    kind: "http",
    request: (method, params, options) =>
      Effect.suspend(() => {
        if (known) return memory.request(method, params, options)
        if (method !== "initialize") return Effect.zipRight(Effect.yieldNow(), Effect.fail(sessionLost("remote")))
        return Effect.tap(memory.request(method, params, options), () => {
          known = true
        })
      })
  }
  const client = yield* McpClient.make().pipe(Effect.provideService(McpTransport.McpTransport, transport))
  const forget = Effect.sync(() => {
    known = false
  })
  return { client, forget }
})

const handshakes = (server: TestServer.TestServer) =>
  Effect.map(
    server.messages,
    (messages) => messages.filter((message) => message._tag === "Request" && message.method === "initialize").length
  )

const tools = { echo: { handler: ({ text }) => String(text) } } satisfies Record<string, TestServer.Tool>

it.scoped("many requests that find the session lost share one new one, and each is run once", () =>
  Effect.gen(function* () {
    const server = TestServer.make({ tools })
    const { client, forget } = yield* withSessions(server)
    yield* forget
    const texts = Array.from({ length: 50 }, (_, i) => `text ${i}`)
    const results = yield* Effect.forEach(texts, (text) => client.callTool("echo", { text }), {
      concurrency: "unbounded"
    })
    expect(results.map((result) => result.text)).toEqual(texts)
    expect(yield* handshakes(server)).toBe(2)
    expect(yield* server.calls).toHaveLength(50)
  })
)

it.scoped("the new session is announced before it is used", () =>
  Effect.gen(function* () {
    const server = TestServer.make({ tools })
    const { client, forget } = yield* withSessions(server)
    yield* forget
    yield* client.callTool("echo", {})
    const methods = (yield* server.messages).map((message) => message._tag !== "Response" && message.method)
    expect(methods.slice(4)).toEqual(["initialize", "notifications/initialized", "tools/call"])
  })
)

it.scoped("each loss of the session is made good anew", () =>
  Effect.gen(function* () {
    const server = TestServer.make({ tools })
    const { client, forget } = yield* withSessions(server)
    for (const text of ["1", "2"]) {
      yield* forget
      expect((yield* client.callTool("echo", { text })).text).toBe(text)
    }
    expect(yield* handshakes(server)).toBe(3)
  })
)

it.scoped("a handshake that fails tells every request why", () =>
  Effect.gen(function* () {
    let refuse = false
    const server = TestServer.make({
      tools,
      methods: {
        initialize: () =>
          refuse
            ? Effect.fail({ code: -32000, message: "go away" })
            : Effect.succeed({
                protocolVersion: "2025-11-25",
                capabilities: {},
                serverInfo: { name: "s", version: "1" }
              })
      }
    })
    const { client, forget } = yield* withSessions(server)
    refuse = true
    yield* forget
    const errors = yield* Effect.forEach([1, 2, 3], () => Effect.flip(client.callTool("echo", {})), {
      concurrency: "unbounded"
    })
    expect(errors.map((error) => [error.phase, error.message])).toEqual([
      ["handshake", "go away"],
      ["handshake", "go away"],
      ["handshake", "go away"]
    ])
    refuse = false
    expect((yield* client.callTool("echo", { text: "again" })).text).toBe("again")
  })
)

it.scoped("a caller that gives up does not stop the handshake that others wait for", () =>
  Effect.gen(function* () {
    const asked = yield* Deferred.make<void>()
    const gate = yield* Deferred.make<void>()
    let slow = false
    const answer = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } }
    const server = TestServer.make({
      tools,
      methods: {
        initialize: () =>
          slow
            ? Deferred.succeed(asked, undefined).pipe(Effect.zipRight(Deferred.await(gate)), Effect.as(answer))
            : Effect.succeed(answer)
      }
    })
    const { client, forget } = yield* withSessions(server)
    slow = true
    yield* forget
    const first = yield* Effect.fork(client.callTool("echo", { text: "first" }))
    const second = yield* Effect.fork(client.callTool("echo", { text: "second" }))
    yield* Deferred.await(asked)
    yield* Fiber.interrupt(first)
    yield* Deferred.succeed(gate, undefined)
    expect((yield* Fiber.join(second)).text).toBe("second")
  })
)
