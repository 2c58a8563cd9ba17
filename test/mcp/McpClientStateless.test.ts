import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type * as ClientFeatures from "../../src/mcp/ClientFeatures.ts"
import { isObject, type JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { connect, methods, received } from "./client.ts"

const protocolVersion = "io.modelcontextprotocol/protocolVersion"
const clientInfo = "io.modelcontextprotocol/clientInfo"
const clientCapabilities = "io.modelcontextprotocol/clientCapabilities"

const modern = (options: TestServer.Options = {}) =>
  TestServer.make({ era: "modern", tools: { echo: { handler: ({ text }) => String(text) } }, ...options })

const metaOf = (params: JsonObject | undefined) => (isObject(params?._meta) ? params._meta : {})

/** Someone who accepts every form as it is. */
const accepting: ClientFeatures.Service = {
  elicitation: { form: () => Effect.succeed({ action: "accept", content: {} }) }
}

describe("a stateless request", () => {
  it.scoped("says its revision, who asks and what the program can do", () =>
    Effect.gen(function* () {
      const server = modern({ capabilities: { tools: {} } })
      const features: ClientFeatures.Service = {
        ...accepting,
        roots: { list: Effect.succeed([]), changes: Stream.never },
        extensions: { "example.com/x": { level: 1 } }
      }
      const client = yield* connect(server, features, { clientInfo: { name: "a", version: "1" } })
      expect((yield* client.callTool("echo", { text: "hi" })).text).toBe("hi")
      for (const { params } of yield* received(server)) {
        expect(metaOf(params)).toMatchObject({
          [protocolVersion]: "2026-07-28",
          [clientInfo]: { name: "a", version: "1" },
          [clientCapabilities]: { roots: {}, elicitation: { form: {} }, extensions: { "example.com/x": { level: 1 } } }
        })
      }
      expect(yield* methods(server)).toEqual(["server/discover", "tools/list", "tools/call"])
    })
  )

  it.scoped("keeps what the caller puts beside that, and asks for progress", () =>
    Effect.gen(function* () {
      const server = modern({ capabilities: { tools: {} } })
      const client = yield* connect(server)
      yield* client.request("tools/call", { name: "echo", arguments: {}, _meta: { traceparent: "00-1" } })
      expect(metaOf((yield* received(server)).at(-1)?.params)).toMatchObject({
        traceparent: "00-1",
        [protocolVersion]: "2026-07-28"
      })
      yield* client.callTool("echo", {})
      expect(metaOf((yield* received(server)).at(-1)?.params)).toHaveProperty("progressToken")
    })
  )

  it.scoped("names a log level once one is set, and asks for nothing else", () =>
    Effect.gen(function* () {
      const server = modern({ capabilities: { tools: {}, logging: {} } })
      const client = yield* connect(server)
      yield* client.setLogLevel("warning")
      yield* client.callTool("echo", {})
      expect(metaOf((yield* received(server)).at(-1)?.params)).toMatchObject({
        "io.modelcontextprotocol/logLevel": "warning"
      })
      expect(yield* methods(server)).not.toContain("logging/setLevel")
    })
  )

  it.scoped("is sent again when the revision is refused in passing", () =>
    Effect.gen(function* () {
      let calls = 0
      const server = modern({
        capabilities: { tools: {} },
        methods: {
          "tools/call": () => {
            calls += 1
            const data = { supported: ["2026-07-28"], requested: "2026-07-28" }
            return calls === 1
              ? Effect.fail({ code: -32022, message: "unsupported", data })
              : Effect.succeed({ content: "done" })
          }
        }
      })
      const client = yield* connect(server)
      expect((yield* client.callTool("any", {})).text).toBe("done")
    })
  )

  it.scoped("fails on a result of a type that nobody knows", () =>
    Effect.gen(function* () {
      const server = modern({ capabilities: {}, methods: { "tools/call": () => ({ resultType: "dream" }) } })
      const client = yield* connect(server)
      expect(yield* Effect.flip(client.callTool("any", {}))).toMatchObject({ kind: "protocol" })
    })
  )

  it.scoped("a ping is a question that every such server answers", () =>
    Effect.gen(function* () {
      const server = modern({ capabilities: {} })
      const client = yield* connect(server)
      yield* client.ping
      expect(yield* methods(server)).toEqual(["server/discover", "server/discover"])
    })
  )
})

/** A tool that asks a number of times before it answers; what it was called with is in `messages`. */
const asking = (rounds: ReadonlyArray<JsonObject>) => {
  let round = 0
  return modern({
    capabilities: { tools: {} },
    methods: {
      "tools/call": () => rounds[round++] ?? { content: "done" }
    }
  })
}

const question = {
  method: "elicitation/create",
  params: { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } }
}

const calls = (server: TestServer.TestServer) =>
  Effect.map(server.messages, (messages) =>
    messages.flatMap((message) => (message._tag === "Request" && message.method === "tools/call" ? [message] : []))
  )

describe("a result that asks for input", () => {
  it.scoped("is answered by the same request with a new id, the answers, and the state as it came", () =>
    Effect.gen(function* () {
      const server = asking([
        {
          resultType: "input_required",
          inputRequests: { a: question, b: { method: "roots/list" } },
          requestState: " S\u0000é"
        },
        { resultType: "input_required", inputRequests: { c: question } },
        { resultType: "input_required", requestState: "" }
      ])
      const roots = [{ uri: "file:///work" }]
      const client = yield* connect(server, { ...accepting, roots: { list: Effect.succeed(roots) } })
      expect((yield* client.callTool("any", { x: 1 })).text).toBe("done")
      const sent = yield* calls(server)
      expect(new Set(sent.map(({ id }) => id)).size).toBe(4)
      expect(sent.map(({ params }) => ({ ...params, _meta: undefined }))).toEqual([
        { name: "any", arguments: { x: 1 } },
        {
          name: "any",
          arguments: { x: 1 },
          inputResponses: { a: { action: "accept", content: {} }, b: { roots } },
          requestState: " S\u0000é"
        },
        { name: "any", arguments: { x: 1 }, inputResponses: { c: { action: "accept", content: {} } } },
        { name: "any", arguments: { x: 1 }, requestState: "" }
      ])
    })
  )

  it.scoped("may take a person longer than the call may take", () =>
    Effect.gen(function* () {
      const server = asking([{ resultType: "input_required", inputRequests: { a: question } }])
      const client = yield* connect(server, {
        elicitation: { form: () => Effect.delay(Effect.succeed({ action: "decline" } as const), "1 hour") }
      })
      const call = yield* Effect.fork(client.callTool("any", {}, { timeout: Duration.seconds(1) }))
      yield* TestClock.adjust("1 hour")
      expect((yield* Fiber.join(call)).isError).toBe(false)
    })
  )

  it.scoped("leaves no trace on other calls that are made meanwhile", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const answered = yield* Deferred.make<void>()
      const server = asking([{ resultType: "input_required", inputRequests: { a: question }, requestState: "s" }])
      const client = yield* connect(server, {
        elicitation: {
          form: () =>
            Deferred.succeed(asked, undefined).pipe(
              Effect.zipRight(Deferred.await(answered)),
              Effect.as({ action: "decline" as const })
            )
        }
      })
      const call = yield* Effect.fork(client.callTool("first", {}))
      yield* Deferred.await(asked)
      yield* client.callTool("second", {})
      yield* Deferred.succeed(answered, undefined)
      yield* Fiber.join(call)
      const second = (yield* calls(server)).filter(({ params }) => params?.name === "second")
      expect(second.map(({ params }) => Object.keys(params ?? {}).toSorted())).toEqual([["_meta", "arguments", "name"]])
    })
  )

  for (const [what, first, error] of [
    [
      "for something that the program does not have",
      { inputRequests: { a: { method: "sampling/createMessage" } } },
      { kind: "rpc", code: -32601 }
    ],
    ["for nothing", {}, { kind: "protocol" }],
    ["in a shape that cannot be read", { inputRequests: { a: 7 } }, { kind: "rpc", code: -32601 }]
  ] as const) {
    it.scoped(`${what} fails the call`, () =>
      Effect.gen(function* () {
        const client = yield* connect(asking([{ resultType: "input_required", ...first }]), accepting)
        expect(yield* Effect.flip(client.callTool("any", {}))).toMatchObject(error)
      })
    )
  }

  it.scoped("again and again fails the call in the end", () =>
    Effect.gen(function* () {
      const server = asking(Array.from({ length: 1000 }, () => ({ resultType: "input_required", requestState: "s" })))
      const client = yield* connect(server)
      expect(yield* Effect.flip(client.callTool("any", {}))).toMatchObject({ kind: "protocol" })
      expect((yield* calls(server)).length).toBeLessThan(50)
    })
  )

  it.scoped("is no answer to a list", () =>
    Effect.gen(function* () {
      const server = modern({
        capabilities: { resources: {} },
        methods: { "resources/list": () => ({ resultType: "input_required", requestState: "s" }) }
      })
      const client = yield* connect(server)
      expect(yield* Effect.flip(client.listResources)).toMatchObject({ kind: "protocol" })
    })
  )
})

describe("what a stateless server tells", () => {
  const listens = (server: TestServer.TestServer) =>
    Effect.map(received(server), (all) => all.filter(({ method }) => method === "subscriptions/listen"))

  it.scoped("a changed list takes the old one's place", () =>
    Effect.gen(function* () {
      const server = modern()
      const client = yield* connect(server)
      yield* server.setTools({ other: { handler: () => "x" } })
      yield* TestClock.adjust("1 second")
      expect((yield* client.tools).map(({ name }) => name)).toEqual(["other"])
      expect((yield* listens(server))[0]?.params?.notifications).toEqual({ toolsListChanged: true })
    })
  )

  it.scoped("is not asked for when the server declares nothing of the kind", () =>
    Effect.gen(function* () {
      const server = modern({ capabilities: { tools: {} } })
      yield* connect(server)
      yield* TestClock.adjust("1 minute")
      expect(yield* listens(server)).toEqual([])
    })
  )

  it.scoped("a resource is added to the stream and taken off it, the old stream ending when the new one is there", () =>
    Effect.gen(function* () {
      const server = modern({ capabilities: { resources: { subscribe: true, listChanged: true } } })
      const client = yield* connect(server)
      const updates = yield* Effect.fork(Stream.runCollect(Stream.take(client.resourceUpdates, 1)))
      yield* client.subscribeResource("file:///a")
      yield* server.send({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "file:///a" } })
      expect([...(yield* Fiber.join(updates))]).toEqual(["file:///a"])
      yield* client.unsubscribeResource("file:///a")
      yield* TestClock.adjust("1 second")
      expect((yield* listens(server)).map(({ params }) => params?.notifications)).toEqual([
        { resourcesListChanged: true },
        { resourcesListChanged: true, resourceSubscriptions: ["file:///a"] },
        { resourcesListChanged: true }
      ])
      expect((yield* methods(server)).filter((method) => method === "notifications/cancelled")).toHaveLength(2)
    })
  )

  it.scoped("a resource that the server does not agree to tell of fails the subscription", () =>
    Effect.gen(function* () {
      const server = modern({
        capabilities: { resources: { subscribe: true } },
        methods: {
          "subscriptions/listen": (_, { client }) =>
            Effect.zipRight(
              client.send({
                jsonrpc: "2.0",
                method: "notifications/subscriptions/acknowledged",
                params: { notifications: {} }
              }),
              Effect.never
            )
        }
      })
      const client = yield* connect(server)
      expect(yield* Effect.flip(client.subscribeResource("file:///a"))).toMatchObject({ kind: "rpc" })
    })
  )

  it.scoped("a stream that ends is opened again, and what was missed is read", () =>
    Effect.gen(function* () {
      let streams = 0
      const server = modern({
        methods: {
          "subscriptions/listen": ({ notifications }, { client }) => {
            streams += 1
            const acknowledged = client.send({
              jsonrpc: "2.0",
              method: "notifications/subscriptions/acknowledged",
              params: { notifications }
            })
            return Effect.zipRight(acknowledged, streams === 1 ? Effect.succeed({}) : Effect.never)
          }
        }
      })
      const client = yield* connect(server)
      expect(client.negotiation.era).toBe("modern")
      yield* TestClock.adjust("10 seconds")
      expect(streams).toBe(2)
      expect((yield* methods(server)).filter((method) => method === "tools/list")).toHaveLength(2)
    })
  )

  it.scoped("a server without such a stream is asked once", () =>
    Effect.gen(function* () {
      const server = modern({
        methods: { "subscriptions/listen": () => Effect.fail({ code: -32601, message: "no" }) }
      })
      yield* connect(server)
      yield* TestClock.adjust("1 hour")
      expect(yield* listens(server)).toHaveLength(1)
    })
  )
})

describe("cancellation", () => {
  it.scoped("a call that is given up is told to the server", () =>
    Effect.gen(function* () {
      const server = modern({ capabilities: { tools: {} }, tools: { hang: { handler: () => Effect.never } } })
      const client = yield* connect(server)
      const call = yield* Effect.fork(client.callTool("hang", {}))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(call)
      const [request] = yield* calls(server)
      const cancelled = (yield* received(server)).find(({ method }) => method === "notifications/cancelled")
      expect(cancelled?.params).toMatchObject({ requestId: request?.id })
    })
  )
})
