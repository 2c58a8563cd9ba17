import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as ClientFeatures from "../../src/mcp/ClientFeatures.ts"
import * as RequestRate from "../../src/mcp/internal/client/RequestRate.ts"
import * as Limits from "../../src/mcp/Limits.ts"
import * as McpConfig from "../../src/mcp/McpConfig.ts"
import * as McpManager from "../../src/mcp/McpManager.ts"
import type * as Sampling from "../../src/mcp/Sampling.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"
import * as McpToolAdapter from "../../src/tool/McpToolAdapter.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { open } from "./stdioServer.ts"

/** The client of a test server whose entry sets these limits. */
const connect = Effect.fnUntraced(function* (limits: Limits.Settings, options: TestServer.Options) {
  const manager = yield* McpManager.make([ServerConfig.stdio("it", { command: "-", limits })]).pipe(
    Effect.provide(TestTransportFactory.layer({ it: TestServer.make(options) }))
  )
  yield* manager.start
  return { manager, client: yield* manager.client("it") }
})

const named = (names: ReadonlyArray<string>, tool: Partial<TestServer.Tool> = {}) =>
  Object.fromEntries(names.map((name) => [name, { handler: () => name, ...tool }]))

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `tool${index}`)

describe("the entry", () => {
  const read = (limits: unknown) =>
    Either.getOrThrow(
      McpConfig.parse(JSON.stringify({ mcpServers: { it: { command: "x", limits } } }), {
        path: "/p",
        cwd: "/",
        env: {}
      })
    )

  it("sets limits; what it does not set has its default", () => {
    const [server] = read({ maxTools: 5 }).servers
    expect(Limits.make(server?.limits)).toEqual({ ...Limits.defaults, maxTools: 5 })
    expect(Limits.make()).toEqual(Limits.defaults)
  })

  it.each([{ maxTools: 0 }, { maxTools: "5" }, { maxPages: 1.5 }, { maxTool: 5 }, 5])(
    "%j is told, with its place",
    (limits) => {
      const { problems, servers } = read(limits)
      expect(servers).toEqual([])
      expect(problems[0]?.message).toMatch(/limits.*line 1/)
    }
  )
})

describe("a list of tools", () => {
  it.scoped("is used up to its limit, in the server's order, and the rest is told", () =>
    Effect.gen(function* () {
      const { client } = yield* connect({ maxTools: 3 }, { tools: named(numbered(10)) })
      expect((yield* client.tools).map(({ name }) => name)).toEqual(["tool0", "tool1", "tool2"])
      expect(yield* client.warnings).toEqual([expect.stringContaining("of 10 tools the first 3 are used")])
    })
  )

  it.scoped("is read up to so many pages", () =>
    Effect.gen(function* () {
      const { client } = yield* connect({ maxPages: 2 }, { tools: named(numbered(10)), pageSize: 3 })
      expect((yield* client.tools).length).toBe(6)
      expect(yield* client.warnings).toEqual([expect.stringContaining("more than 2 pages (limits.maxPages)")])
    })
  )

  it.scoped("is read up to so many bytes", () =>
    Effect.gen(function* () {
      const tools = named(numbered(10), { description: "x".repeat(1000) })
      const { client } = yield* connect({ maxListBytes: 5000 }, { tools, pageSize: 2 })
      expect((yield* client.tools).length).toBe(6)
      expect(yield* client.warnings).toEqual([expect.stringContaining("limits.maxListBytes")])
    })
  )

  it.scoped("loses a tool whose name is too long, and has long titles cut", () =>
    Effect.gen(function* () {
      const tools = { ...named(["x".repeat(1001)]), ...named(["a"], { title: "t".repeat(30_000) }) }
      const { client } = yield* connect({}, { tools })
      const [tool, ...others] = yield* client.tools
      expect({ name: tool?.name, others }).toEqual({ name: "a", others: [] })
      expect(tool?.title?.length).toBeLessThan(20_100)
      expect(yield* client.warnings).toEqual([expect.stringMatching(/^tool "x{100}…" .*limits\.maxNameCharacters/)])
    })
  )

  it.scoped("has long descriptions cut, with a mark and no half character", () =>
    Effect.gen(function* () {
      const description = `${"x".repeat(9)}\u{1f600}${"y".repeat(90)}`
      const { client } = yield* connect({ maxDescriptionCharacters: 10 }, { tools: named(["a"], { description }) })
      expect((yield* client.tools)[0]?.description).toBe(
        `${"x".repeat(9)}… [92 of 101 characters cut: limits.maxDescriptionCharacters]`
      )
      expect(yield* client.warnings).toEqual([])
    })
  )

  it.scoped("loses a tool whose schema is too large, and no other", () =>
    Effect.gen(function* () {
      const inputSchema = {
        type: "object",
        properties: { x: { enum: Array.from({ length: 5000 }, (_, i) => `value${i}`) } }
      }
      const tools = { ...named(["large"], { inputSchema }), ...named(["small"]) }
      const { client } = yield* connect({ maxSchemaBytes: 10_000 }, { tools })
      expect((yield* client.tools).map(({ name }) => name)).toEqual(["small"])
      expect(yield* client.warnings).toEqual([expect.stringMatching(/"large".*maxSchemaBytes/)])
      const { client: patient } = yield* connect({}, { tools })
      expect((yield* patient.tools).length).toBe(2)
    })
  )
})

describe("calls", () => {
  it.scoped("over the limit wait for one that ends", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<string>()
      let running = 0
      const handler = () => {
        running++
        return Deferred.await(gate)
      }
      const { client } = yield* connect({ maxConcurrentCalls: 2 }, { tools: { slow: { handler } } })
      const calls = yield* Effect.fork(
        Effect.forEach([1, 2, 3, 4], () => client.callTool("slow", {}), { concurrency: "unbounded" })
      )
      yield* Effect.repeatN(Effect.yieldNow(), 200)
      expect(running).toBe(2)
      yield* Deferred.succeed(gate, "done")
      expect((yield* Fiber.join(calls)).map(({ text }) => text)).toEqual(["done", "done", "done", "done"])
      expect(running).toBe(4)
    })
  )

  it.scoped("give the model as much of a result as its server may say", () =>
    Effect.gen(function* () {
      const tools = { long: { handler: () => "x".repeat(5000) } }
      const { manager } = yield* connect({ maxResultCharacters: 1000 }, { tools })
      const registry = yield* ToolRegistry.make
      yield* McpToolAdapter.sync(manager, registry)
      const { text } = yield* registry.execute("mcp__it__long", {})
      expect(text).toMatch(/of 5000 characters left out/)
      expect(text.length).toBeLessThan(1000)
    })
  )
})

describe("a program", () => {
  it.scopedLive("that writes a longer line is told by the limit's name", () =>
    Effect.gen(function* () {
      const transport = yield* open("raw", [], { maxLineBytes: 1000 })
      const error = yield* Effect.flip(transport.request("raw", { chunks: ["x".repeat(2000)] }))
      expect(error).toMatchObject({ kind: "too-large", hint: expect.stringContaining("limits.maxLineBytes") })
    })
  )

  it.scopedLive("has so much of its stderr kept", () =>
    Effect.gen(function* () {
      const transport = yield* open("raw", [], { maxStderrBytes: 100 })
      yield* transport.request("stderr", { text: `${"x".repeat(1000)}end` })
      const { stderr } = yield* Effect.repeat(transport.diagnostics, { until: ({ stderr }) => stderr.endsWith("end") })
      expect(stderr).toBe(`${"x".repeat(97)}end`)
    })
  )
})

describe("what a server asks for", () => {
  const origin = { server: "it" }

  it.effect("is put before the person so many times a minute, and declined beyond", () =>
    Effect.gen(function* () {
      let asked = 0
      const form = () =>
        Effect.sync(() => {
          asked++
          return { action: "accept", content: {} } as const
        })
      const bound = RequestRate.bound({ elicitation: { form } }, { ...Limits.defaults, elicitationsPerMinute: 3 })
      const ask = bound.elicitation?.form?.({ message: "?", fields: [] }, origin) ?? Effect.die("no form")
      const answers = yield* Effect.replicateEffect(ask, 5)
      expect(answers.map(({ action }) => action)).toEqual(["accept", "accept", "accept", "decline", "decline"])
      yield* TestClock.adjust(Duration.minutes(1))
      expect((yield* ask).action).toBe("accept")
      expect(asked).toBe(4)
    })
  )

  it.effect("costs the model so many requests a minute, and is refused beyond", () =>
    Effect.gen(function* () {
      const answer: Sampling.Result = { content: [{ type: "text", text: "hi" }], model: "m" }
      const bound = RequestRate.bound(
        { sampling: { createMessage: () => Effect.succeed(answer) } },
        { ...Limits.defaults, samplingsPerMinute: 1 }
      )
      const request: Sampling.Request = { messages: [], maxTokens: 1 }
      const ask = bound.sampling?.createMessage(request, origin) ?? Effect.die("no model")
      expect(yield* ask).toBe(answer)
      expect(yield* Effect.flip(ask)).toBeInstanceOf(ClientFeatures.Refused)
    })
  )

  it("is nothing where the program offers nothing", () => {
    expect(RequestRate.bound(ClientFeatures.none, Limits.defaults)).toEqual({})
  })
})
