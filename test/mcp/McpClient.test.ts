import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import packageJson from "../../package.json" with { type: "json" }
import * as McpClient from "../../src/mcp/McpClient.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

const connect = (server: TestServer.TestServer, options?: McpClient.Options) =>
  Effect.flatMap(MemoryTransport.make({ server: "test", handler: server.handler }), (transport) =>
    McpClient.make(options).pipe(Effect.provideService(McpTransport.McpTransport, transport))
  )

const methods = (server: TestServer.TestServer) =>
  Effect.map(server.messages, (messages) =>
    messages.map((message) => (message._tag === "Response" ? message : message.method))
  )

const tool = (handler: TestServer.Tool["handler"]): TestServer.Tool => ({ handler })
const echo = tool(({ text }) => String(text))
const named = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, tool(() => name)]))
const listOf = (client: McpClient.Service) => Effect.map(client.tools, (tools) => tools.map(({ name }) => name))

describe("the handshake", () => {
  it.scoped("offers the newest revision, says who it is, and tells the server before it asks for anything", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ name: "weather", version: "7", instructions: "ask politely", tools: { echo } })
      const client = yield* connect(server)
      expect(yield* methods(server)).toEqual([
        "server/discover",
        "initialize",
        "notifications/initialized",
        "tools/list"
      ])
      expect((yield* server.messages)[1]).toMatchObject({
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "harness9", version: packageJson.version }
        }
      })
      expect(client.serverInfo).toMatchObject({ name: "weather", version: "7" })
      expect(client.instructions).toBe("ask politely")
      expect(client.protocolVersion).toBe("2025-11-25")
      expect(client.capabilities.tools).toEqual({ listChanged: true })
    })
  )

  for (const protocolVersion of ["2025-06-18", "2025-03-26", "2024-11-05"]) {
    it.scoped(`a server of ${protocolVersion} is served`, () =>
      Effect.gen(function* () {
        const client = yield* connect(TestServer.make({ protocolVersion, tools: { echo } }))
        expect(client.protocolVersion).toBe(protocolVersion)
        expect((yield* client.callTool("echo", { text: "hi" })).text).toBe("hi")
      })
    )
  }

  for (const protocolVersion of ["1999-01-01", "2999-01-01", "2026-07-28"]) {
    it.scoped(`a server that answers ${protocolVersion} is refused, naming both revisions`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(connect(TestServer.make({ protocolVersion })))
        expect(error).toMatchObject({ server: "test", phase: "handshake", kind: "protocol" })
        expect(error.message).toContain(protocolVersion)
        expect(error.message).toContain("2025-11-25")
      })
    )
  }

  for (const [what, answer] of Object.entries({
    empty: {},
    "of another type": { protocolVersion: 20250618 },
    null: { protocolVersion: null }
  })) {
    it.scoped(`an answer whose revision is ${what} fails the handshake`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(connect(TestServer.make({ methods: { initialize: () => answer } })))
        expect(error).toMatchObject({ phase: "handshake", kind: "protocol" })
      })
    )
  }

  it.scoped("a refusal that lists revisions is answered with the newest common one, once", () =>
    Effect.gen(function* () {
      const server = TestServer.make({
        methods: {
          initialize: ({ protocolVersion }) =>
            protocolVersion === "2025-03-26"
              ? Effect.succeed({ protocolVersion, capabilities: {}, serverInfo: { name: "old", version: "1" } })
              : Effect.fail({
                  code: -32602,
                  message: "Unsupported protocol version",
                  data: { supported: ["2024-11-05", "2025-03-26", "1999-01-01"] }
                })
        }
      })
      expect((yield* connect(server)).protocolVersion).toBe("2025-03-26")
    })
  )

  it.scoped("a server that refuses every revision is asked twice at most", () =>
    Effect.gen(function* () {
      const refusal = { code: -32602, message: "no", data: { supported: ["2024-11-05", "2025-03-26"] } }
      const server = TestServer.make({ fail: refusal })
      const error = yield* Effect.flip(connect(server))
      expect(error).toMatchObject({ phase: "handshake", kind: "rpc", code: -32602, message: "no" })
      expect(yield* methods(server)).toEqual(["server/discover", "initialize", "initialize"])
    })
  )

  it.scoped("a pinned revision is offered, and no other accepted", () =>
    Effect.gen(function* () {
      const client = yield* connect(TestServer.make(), { protocolVersion: "2024-11-05" })
      expect(client.protocolVersion).toBe("2024-11-05")
      const error = yield* Effect.flip(
        connect(TestServer.make({ protocolVersion: "2025-11-25" }), { protocolVersion: "2024-11-05" })
      )
      expect(error).toMatchObject({ phase: "handshake", kind: "protocol" })
      expect(error.message).toContain("2024-11-05")
    })
  )

  it.scoped("pings and notifications before the answer are dealt with, and do not lead to an early list", () =>
    Effect.gen(function* () {
      const ponged = yield* Deferred.make<void>()
      const server: MemoryTransport.MemoryServer = (client) =>
        Effect.gen(function* () {
          yield* client.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
          yield* client.send({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "up" } })
          return Effect.fnUntraced(function* (message) {
            if (message._tag === "Response" && message.id === 0) {
              expect(message.reply).toEqual({ _tag: "Result", result: {} })
              yield* Deferred.succeed(ponged, undefined)
            }
            if (message._tag !== "Request") return
            if (message.method === "server/discover") {
              return yield* client.send({ jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "what?" } })
            }
            yield* client.send({ jsonrpc: "2.0", id: 0, method: "ping" })
            yield* Deferred.await(ponged)
            const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "a", version: "1" } }
            yield* client.send({ jsonrpc: "2.0", id: message.id, result })
          })
        })
      const transport = yield* MemoryTransport.make({ server: "early", handler: server })
      const client = yield* McpClient.make().pipe(Effect.provideService(McpTransport.McpTransport, transport))
      expect(yield* client.tools).toEqual([])
    })
  )

  it.scoped("a server that never answers fails at the connect timeout, in words", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ fail: "silent" })
      const fiber = yield* Effect.fork(Effect.flip(connect(server, { connectTimeout: Duration.seconds(30) })))
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({
        phase: "handshake",
        kind: "timeout",
        message: "no answer to initialize within 30s"
      })
      // `initialize` must not be cancelled.
      expect(yield* methods(server)).toEqual(["server/discover", "initialize"])
    })
  )

  it.scoped("what the handshake leaves of the time is the list's", () =>
    Effect.gen(function* () {
      const server = TestServer.make({
        delay: Duration.seconds(20),
        methods: { "tools/list": () => Effect.never }
      })
      const fiber = yield* Effect.fork(Effect.flip(connect(server, { connectTimeout: Duration.seconds(30) })))
      yield* TestClock.adjust("20 seconds")
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({
        phase: "list",
        kind: "timeout",
        message: "no answer to tools/list within 30s"
      })
    })
  )

  it.scoped("a server that only makes noise is named as what it is", () =>
    Effect.gen(function* () {
      const server = TestServer.make({
        methods: { initialize: (_, { client }) => Effect.zipRight(client.send("Starting up"), Effect.never) }
      })
      const fiber = yield* Effect.fork(Effect.flip(connect(server)))
      yield* TestClock.adjust("30 seconds")
      expect((yield* Fiber.join(fiber)).hint).toContain("Starting up")
    })
  )

  it.scoped("a server that dies in the handshake fails it at once", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(connect(TestServer.make({ fail: "dies" })))
      expect(error).toMatchObject({ phase: "handshake", kind: "exit" })
    })
  )

  it.scoped("null at optional places is read as absent", () =>
    Effect.gen(function* () {
      const client = yield* connect(
        TestServer.make({
          methods: {
            initialize: () => ({
              protocolVersion: "2025-11-25",
              capabilities: { tools: { listChanged: null }, prompts: null, resources: null, logging: null },
              serverInfo: { name: "nulls", version: "1", title: null },
              instructions: null,
              _meta: null
            }),
            "tools/list": () => ({
              nextCursor: null,
              tools: [
                { name: "a", title: null, description: null, annotations: { readOnlyHint: null }, inputSchema: null }
              ]
            }),
            "tools/call": () => ({
              content: [{ type: "text", text: "ok", annotations: null }],
              isError: null,
              _meta: null
            })
          }
        })
      )
      expect(client.capabilities.prompts).toBeUndefined()
      expect(client.instructions).toBeUndefined()
      const [tool] = yield* client.tools
      expect(tool).toEqual({
        name: "a",
        description: "",
        inputSchema: { type: "object", properties: {} },
        annotations: {}
      })
      expect(yield* client.callTool("a", {})).toEqual({
        isError: false,
        text: "ok",
        content: [{ type: "text", text: "ok" }],
        raw: [{ type: "text", text: "ok", annotations: null }]
      })
    })
  )
})

describe("the tools", () => {
  it.scoped("a server without the capability is not asked", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ capabilities: { resources: {} }, tools: { echo } })
      const client = yield* connect(server)
      expect(yield* client.tools).toEqual([])
      expect(yield* methods(server)).toEqual(["server/discover", "initialize", "notifications/initialized"])
    })
  )

  it.scoped("a server that does not know tools/list has none", () =>
    Effect.gen(function* () {
      const unknown = Effect.fail({ code: -32601, message: "Method not found" })
      const client = yield* connect(TestServer.make({ methods: { "tools/list": () => unknown } }))
      expect(yield* client.tools).toEqual([])
    })
  )

  it.scoped("a list that fails otherwise fails the connection, in its phase", () =>
    Effect.gen(function* () {
      const broken = Effect.fail({ code: -32603, message: "offline" })
      const error = yield* Effect.flip(connect(TestServer.make({ methods: { "tools/list": () => broken } })))
      expect(error).toMatchObject({ phase: "list", kind: "rpc", message: "offline" })
    })
  )

  it.scoped("all pages are read, each cursor sent back as it came", () =>
    Effect.gen(function* () {
      const pages: Record<string, object> = {
        start: { tools: [{ name: "a" }, { name: "b" }], nextCursor: "p/2 ü==" },
        "p/2 ü==": { tools: [{ name: "c" }], nextCursor: "3" },
        "3": { tools: [{ name: "d" }] }
      }
      const client = yield* connect(
        TestServer.make({ methods: { "tools/list": ({ cursor = "start" }) => ({ ...pages[String(cursor)] }) } })
      )
      expect(yield* listOf(client)).toEqual(["a", "b", "c", "d"])
      expect(yield* client.warnings).toEqual([])
    })
  )

  it.scoped("a cursor that repeats ends the list with a warning", () =>
    Effect.gen(function* () {
      const server = TestServer.make({
        methods: { "tools/list": () => ({ tools: [{ name: "a" }, { name: "b" }], nextCursor: "same" }) }
      })
      const client = yield* connect(server)
      expect(yield* listOf(client)).toEqual(["a", "b"])
      expect((yield* client.warnings).join()).toContain("cursor repeats")
      expect((yield* methods(server)).filter((method) => method === "tools/list")).toHaveLength(2)
    })
  )

  it.scoped("cursors that never end are cut off with a warning", () =>
    Effect.gen(function* () {
      const client = yield* connect(
        TestServer.make({
          methods: {
            "tools/list": ({ cursor = "0" }) => ({
              tools: [{ name: `t${cursor}` }],
              nextCursor: String(Number(cursor) + 1)
            })
          }
        })
      )
      expect(yield* client.tools).toHaveLength(1000)
      expect((yield* client.warnings).join()).toContain("more than 1000 pages")
    })
  )

  it.scoped("an empty cursor is sent back once, and what comes twice then is no fault", () =>
    Effect.gen(function* () {
      const server = TestServer.make({
        methods: { "tools/list": () => ({ tools: [{ name: "a" }], nextCursor: "" }) }
      })
      const client = yield* connect(server)
      expect(yield* listOf(client)).toEqual(["a"])
      expect(yield* client.warnings).toEqual([])
      expect((yield* methods(server)).filter((method) => method === "tools/list")).toHaveLength(2)
    })
  )

  it.scoped("a later page that fails costs that page", () =>
    Effect.gen(function* () {
      const client = yield* connect(
        TestServer.make({
          methods: {
            "tools/list": ({ cursor }) =>
              cursor === undefined
                ? Effect.succeed({ tools: [{ name: "a" }], nextCursor: "x" })
                : Effect.fail({ code: -32602, message: "Invalid cursor" })
          }
        })
      )
      expect(yield* listOf(client)).toEqual(["a"])
      expect((yield* client.warnings).join()).toContain("not complete")
    })
  )

  it.scoped("a malformed tool costs that tool, a duplicate the second one, and both are reported", () =>
    Effect.gen(function* () {
      const tools = [
        { name: "good", description: "first" },
        null,
        { inputSchema: {} },
        { name: 42 },
        { name: "array", inputSchema: [] },
        { name: "good", description: "second" },
        { name: "last", inputSchema: { type: "object" } }
      ]
      const client = yield* connect(TestServer.make({ methods: { "tools/list": () => ({ tools }) } }))
      expect(yield* client.tools).toMatchObject([{ name: "good", description: "first" }, { name: "last" }])
      const warnings = yield* client.warnings
      expect(warnings).toHaveLength(5)
      expect(warnings.join()).toContain('"array"')
      expect(warnings.join()).toContain('"good" is listed more than once')
    })
  )

  it.scoped("what a tool says of itself is kept", () =>
    Effect.gen(function* () {
      const entry = {
        name: "full",
        title: "Full",
        description: "all fields",
        inputSchema: { type: "object", $defs: { x: { type: "string" } }, properties: { x: { $ref: "#/$defs/x" } } },
        outputSchema: { type: "object" },
        annotations: { title: "F", readOnlyHint: true, openWorldHint: false },
        icons: [{ src: "https://example.test/i.png", mimeType: "image/png", sizes: ["48x48"] }],
        _meta: { ui: { visibility: ["model"] } }
      }
      const client = yield* connect(
        TestServer.make({
          methods: { "tools/list": () => ({ tools: [{ ...entry, execution: { taskSupport: "optional" } }] }) }
        })
      )
      expect(yield* client.tools).toEqual([{ ...entry, taskSupport: "optional" }])
    })
  )

  it.scoped("a change of the list is read again and told", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ tools: named("a") })
      const client = yield* connect(server)
      const seen = yield* Effect.fork(Stream.runCollect(Stream.take(client.toolsChanged, 2)))
      yield* Effect.yieldNow()
      yield* server.setTools(named("a", "b"))
      yield* TestClock.adjust("50 millis")
      const lists = Chunk.toReadonlyArray(yield* Fiber.join(seen)).map((tools) => tools.map(({ name }) => name))
      expect(lists).toEqual([["a"], ["a", "b"]])
      expect(yield* listOf(client)).toEqual(["a", "b"])
    })
  )

  it.scoped("a storm of changes costs one reading at a time, and the last change is not lost", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ tools: named("a") })
      const client = yield* connect(server)
      const before = (yield* methods(server)).length
      for (let i = 0; i < 200; i++) yield* server.setTools(named("a", `b${i}`))
      yield* TestClock.adjust("1 second")
      expect(yield* listOf(client)).toEqual(["a", "b199"])
      expect((yield* methods(server)).length - before).toBeLessThanOrEqual(2)
    })
  )

  it.scoped("a change during a reading leads to another one", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      let lists = 0
      const server = TestServer.make({
        methods: {
          "tools/list": () =>
            Effect.suspend(() => {
              lists++
              const answer = Effect.succeed({ tools: [{ name: `list${lists}` }] })
              return lists === 2 ? Effect.zipRight(Deferred.await(gate), answer) : answer
            })
        }
      })
      const client = yield* connect(server)
      const changed = server.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
      yield* changed
      yield* TestClock.adjust("50 millis")
      expect(lists).toBe(2)
      yield* changed
      yield* changed
      yield* Deferred.succeed(gate, undefined)
      yield* TestClock.adjust("50 millis")
      yield* TestClock.adjust("50 millis")
      expect(lists).toBe(3)
      expect(yield* listOf(client)).toEqual(["list3"])
    })
  )

  it.scoped("a reading that fails leaves the old list, with a warning", () =>
    Effect.gen(function* () {
      let lists = 0
      const server = TestServer.make({
        methods: {
          "tools/list": () =>
            lists++ === 0
              ? Effect.succeed({ tools: [{ name: "old" }] })
              : Effect.fail({ code: -32603, message: "busy" })
        }
      })
      const client = yield* connect(server)
      yield* server.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
      yield* TestClock.adjust("50 millis")
      expect(yield* listOf(client)).toEqual(["old"])
      expect((yield* client.warnings).join()).toContain("busy")
    })
  )

  it.scoped("ten thousand tools are read", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 10_000 }, (_, i) => `tool${i}`)
      const client = yield* connect(TestServer.make({ tools: named(...names), pageSize: 100 }))
      expect(yield* listOf(client)).toEqual(names)
    })
  )
})

describe("a call", () => {
  it.scoped("text blocks are joined by newline, the others kept in order, unknown ones not lost", () =>
    Effect.gen(function* () {
      const content = [
        { type: "text", text: "one" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
        { type: "hologram", x: 1 },
        { type: "resource_link", uri: "file:///x", name: null },
        { type: "resource", resource: { uri: "mem://t", text: "inside", mimeType: null } },
        null,
        "loose",
        { type: "text", text: 5 },
        { type: "text", text: "two", _meta: { a: 1 } }
      ]
      const client = yield* connect(TestServer.make({ tools: { zoo: tool(() => content as never) } }))
      const result = yield* client.callTool("zoo", {})
      expect(result.text).toBe("one\ntwo")
      expect(result.raw).toEqual(content)
      expect(result.content).toEqual([
        content[0],
        content[1],
        { type: "unknown", block: content[2] },
        { type: "resource_link", uri: "file:///x", name: "file:///x" },
        { type: "resource", resource: { uri: "mem://t", text: "inside" } },
        { type: "unknown", block: null },
        { type: "unknown", block: "loose" },
        { type: "unknown", block: content[7] },
        content[8]
      ])
    })
  )

  for (const [what, answer, expected] of [
    ["no content", {}, { isError: false, text: "", content: [] }],
    ["structured content alone", { structuredContent: { n: 7 } }, { text: "", structuredContent: { n: 7 } }],
    ["a bare string", { content: "just a string" }, { text: "just a string" }],
    ["the oldest form", { toolResult: { n: 3 } }, { structuredContent: { n: 3 } }],
    ["an error without text", { isError: true, content: [] }, { isError: true, text: "" }],
    [
      "an error with structure",
      { isError: true, content: [{ type: "text", text: "denied" }], structuredContent: { code: 1 } },
      { isError: true, text: "denied" }
    ],
    ["isError of another type", { isError: "yes", content: [] }, { isError: false }]
  ] as const) {
    it.scoped(`a result with ${what} is a result`, () =>
      Effect.gen(function* () {
        const client = yield* connect(TestServer.make({ tools: { t: tool(() => answer as never) } }))
        expect(yield* client.callTool("t", {})).toMatchObject(expected)
      })
    )
  }

  it.scoped("the arguments are an object, whatever the caller gave", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ tools: { echo } })
      const client = yield* connect(server)
      yield* client.callTool("echo", {})
      yield* client.callTool("echo", undefined as never)
      expect(yield* server.calls).toEqual([
        { tool: "echo", arguments: {} },
        { tool: "echo", arguments: {} }
      ])
    })
  )

  it.scoped("a failing tool is a result, a refused call an error, and the connection lives on", () =>
    Effect.gen(function* () {
      const client = yield* connect(TestServer.make({ tools: { echo, full: tool(() => Effect.fail("disk full")) } }))
      expect(yield* client.callTool("full", {})).toMatchObject({ isError: true, text: "disk full" })
      expect(yield* Effect.flip(client.callTool("gone", {}))).toMatchObject({
        phase: "call",
        kind: "rpc",
        code: -32602
      })
      expect((yield* client.callTool("echo", { text: "still here" })).text).toBe("still here")
    })
  )

  it.scoped("a server that dies in a call fails every open call at once, and each later one", () =>
    Effect.gen(function* () {
      const client = yield* connect(
        TestServer.make({ tools: { hang: tool(() => Effect.never), die: tool(() => TestServer.dies) } })
      )
      const hanging = yield* Effect.fork(Effect.flip(client.callTool("hang", {})))
      yield* Effect.yieldNow()
      expect(yield* Effect.flip(client.callTool("die", {}))).toMatchObject({ phase: "call", kind: "exit" })
      expect(yield* Fiber.join(hanging)).toMatchObject({ phase: "call", kind: "exit" })
      expect(yield* Effect.flip(client.callTool("hang", {}))).toMatchObject({ phase: "call", kind: "exit" })
      expect(yield* Effect.flip(client.closed)).toMatchObject({ kind: "exit" })
    })
  )

  it.scoped("a call ends at its timeout, the server is told, and the connection stays usable", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ tools: { echo, hang: tool(() => Effect.never) } })
      const client = yield* connect(server, { callTimeout: Duration.seconds(60) })
      const fiber = yield* Effect.fork(Effect.flip(client.callTool("hang", {})))
      yield* TestClock.adjust("61 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ phase: "call", kind: "timeout" })
      expect(yield* methods(server)).toContain("notifications/cancelled")
      expect((yield* client.callTool("echo", { text: "on" })).text).toBe("on")
    })
  )

  it.scoped("progress keeps a call alive though nobody watches it, up to its outer limit", () =>
    Effect.gen(function* () {
      const busy = (seconds: number) =>
        tool((_, { progress }) =>
          progress({ progress: 1 }).pipe(
            Effect.delay("40 seconds"),
            Effect.repeatN(seconds / 40 - 1),
            Effect.as("done")
          )
        )
      const client = yield* connect(TestServer.make({ tools: { long: busy(200), endless: busy(4000) } }))
      const long = yield* Effect.fork(client.callTool("long", {}))
      const endless = yield* Effect.fork(Effect.flip(client.callTool("endless", {})))
      for (let i = 0; i < 16; i++) yield* TestClock.adjust("40 seconds")
      expect((yield* Fiber.join(long)).text).toBe("done")
      expect(yield* Fiber.join(endless)).toMatchObject({ kind: "timeout" })
    })
  )

  it.scoped("interrupting a call stops it on the server", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const slow = tool(() =>
        Effect.zipRight(Deferred.succeed(started, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
        )
      )
      const client = yield* connect(TestServer.make({ tools: { slow } }))
      const fiber = yield* Effect.fork(client.callTool("slow", {}))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(stopped)
    })
  )

  it.scoped("every request of the server is answered at once: ping with nothing, others as unknown", () =>
    Effect.gen(function* () {
      const server = TestServer.make({
        tools: {
          ask: tool((_, { client }) =>
            Effect.forEach(["ping", "roots/list", "sampling/createMessage", "toString"], (method, id) =>
              client.send({ jsonrpc: "2.0", id, method })
            ).pipe(Effect.zipRight(client.send({ jsonrpc: "2.0", method: "constructor" })), Effect.as("asked"))
          ),
          echo
        }
      })
      const client = yield* connect(server)
      expect((yield* client.callTool("ask", {})).text).toBe("asked")
      const replies = yield* server.messages.pipe(
        Effect.map((messages) => messages.filter((message) => message._tag === "Response")),
        Effect.repeat({ until: (replies) => replies.length >= 4 })
      )
      expect(replies).toMatchObject([
        { id: 0, reply: { result: {} } },
        { id: 1, reply: { error: { code: -32601 } } },
        { id: 2, reply: { error: { code: -32601 } } },
        { id: 3, reply: { error: { code: -32601 } } }
      ])
    })
  )

  it.scoped("a server that does not know ping has answered it", () =>
    Effect.gen(function* () {
      const unknown = Effect.fail({ code: -32601, message: "Method not found" })
      const client = yield* connect(TestServer.make({ methods: { ping: () => unknown } }))
      yield* client.ping
    })
  )

  it.scoped("a secret that the server repeats is masked in errors", () =>
    Effect.gen(function* () {
      const refusal = Effect.fail({ code: -32000, message: "bad key s3cr3t/key", data: { sent: ["s3cr3t/key"] } })
      const server = TestServer.make({ methods: { "tools/call": () => refusal } })
      const client = yield* connect(server, { secrets: ["s3cr3t/key"] })
      expect(yield* Effect.flip(client.callTool("t", {}))).toMatchObject({
        message: "bad key ***",
        data: { sent: ["***"] }
      })
    })
  )
})
