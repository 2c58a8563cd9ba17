import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as McpClient from "../../src/mcp/McpClient.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

const connect = (server: TestServer.TestServer) =>
  Effect.flatMap(MemoryTransport.make({ server: "test", handler: server.handler }), (transport) =>
    McpClient.make().pipe(Effect.provideService(McpTransport.McpTransport, transport))
  )

/** A server with one tool, which has this schema and gives this result. */
const serving = (outputSchema: JsonObject | undefined, result: JsonObject) =>
  TestServer.make({ tools: { weather: { outputSchema, handler: () => result } } })

const giving = (structuredContent: unknown) => ({ content: [{ type: "text", text: "sunny" }], structuredContent })

const called = (outputSchema: JsonObject | undefined, result: JsonObject) =>
  Effect.flatMap(connect(serving(outputSchema, result)), (client) => client.callTool("weather", {}))

const weather: JsonObject = {
  type: "object",
  properties: { days: { type: "array", items: { type: "object", properties: { degrees: { type: "number" } } } } },
  required: ["days"]
}

describe("a result of a tool with an outputSchema", () => {
  it.scoped("that fits has no warning", () =>
    Effect.gen(function* () {
      const result = yield* called(weather, giving({ days: [{ degrees: 21.5 }] }))
      expect(result.warnings).toBeUndefined()
      expect(result.structuredContent).toEqual({ days: [{ degrees: 21.5 }] })
    })
  )

  it.scoped("that does not fit says where, and stays usable", () =>
    Effect.gen(function* () {
      const result = yield* called(weather, giving({ days: [{ degrees: "warm" }] }))
      expect(result).toMatchObject({
        isError: false,
        text: "sunny",
        structuredContent: { days: [{ degrees: "warm" }] }
      })
      expect(result.warnings).toHaveLength(1)
      expect(result.warnings?.[0]).toContain("#/days/0/degrees")
      expect(result.warnings?.[0]).toContain('Expected "number"')
    })
  )

  it.scoped("that has no structured content says so", () =>
    Effect.gen(function* () {
      const result = yield* called(weather, { content: [{ type: "text", text: "sunny" }] })
      expect(result.warnings).toEqual(["the tool has an outputSchema and gave no structured content"])
    })
  )

  it.scoped("that is the tool's own failure is not checked", () =>
    Effect.gen(function* () {
      const result = yield* called(weather, { isError: true, content: [{ type: "text", text: "no such town" }] })
      expect(result.warnings).toBeUndefined()
    })
  )

  it.scoped("may be any JSON value", () =>
    Effect.gen(function* () {
      expect((yield* called({ type: "array" }, giving([1]))).warnings).toBeUndefined()
      expect((yield* called({ type: "string" }, giving("sunny"))).warnings).toBeUndefined()
    })
  )

  it.scoped("is checked as the schema's own dialect means it", () =>
    Effect.gen(function* () {
      const pair = { type: "object", properties: { at: { items: [{ type: "number" }, { type: "string" }] } } }
      const old = { ...pair, $schema: "http://json-schema.org/draft-07/schema#" }
      expect((yield* called(old, giving({ at: [1, "x"] }))).warnings).toBeUndefined()
      expect((yield* called(old, giving({ at: [1, 2] }))).warnings).toHaveLength(1)
      const now = { type: "object", properties: { at: { prefixItems: [{ type: "number" }], items: false } } }
      expect((yield* called(now, giving({ at: [1] }))).warnings).toBeUndefined()
      expect((yield* called(now, giving({ at: [1, 2] }))).warnings?.[0]).toContain("#/at")
    })
  )

  it.scoped("is held against the schema that the tool has now", () =>
    Effect.gen(function* () {
      const server = serving({ type: "string" }, giving(7))
      const client = yield* connect(server)
      expect((yield* client.callTool("weather", {})).warnings).toHaveLength(1)
      yield* server.setTools({ weather: { outputSchema: { type: "number" }, handler: () => giving(7) } })
      yield* TestClock.adjust("1 second")
      expect((yield* client.callTool("weather", {})).warnings).toBeUndefined()
    })
  )
})

describe("a schema that cannot be used", () => {
  const broken: Readonly<Record<string, readonly [JsonObject, string]>> = {
    "refers to what it does not have": [{ $ref: "#/$defs/none" }, "Unresolved $ref"],
    "refers to itself without end": [{ $ref: "#" }, "goes too deep"],
    "has a pattern that is none": [{ properties: { a: { pattern: "(" } } }, "Invalid regular expression"],
    "has a pattern that takes for ever": [{ properties: { a: { pattern: "^(a+)+$" } } }, "more than 250 ms"]
  }
  const value = { a: `${"a".repeat(50)}b` }
  for (const [what, [schema, why]] of Object.entries(broken)) {
    it.scoped(`${what} is said once, and costs nothing else`, () =>
      Effect.gen(function* () {
        const client = yield* connect(serving(schema, giving(value)))
        const first = yield* client.callTool("weather", {})
        expect(first).toMatchObject({ text: "sunny", isError: false })
        expect(first.warnings?.[0]).toContain(why)
        expect((yield* client.callTool("weather", {})).warnings).toBeUndefined()
        expect(yield* client.warnings).toEqual(first.warnings)
      })
    )
  }

  it.scopedLive("that points to another address is not followed", () =>
    Effect.gen(function* () {
      let visits = 0
      const server = createServer((_, response) => {
        visits += 1
        response.end("{}")
      })
      yield* Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      const { port } = server.address() as AddressInfo
      const result = yield* called({ $ref: `http://127.0.0.1:${port}/schema.json` }, giving(value))
      expect(result.warnings?.[0]).toContain("Unresolved $ref")
      expect(visits).toBe(0)
    })
  )

  it.scoped("a large value that is compared part by part does not keep the program busy", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 30_000 }, (_, index) => ({ index, twice: [index, index] }))
      const before = performance.now()
      const result = yield* called({ type: "array", uniqueItems: true }, giving(many))
      expect(performance.now() - before).toBeLessThan(5000)
      expect(result.warnings?.[0]).toContain("more than 250 ms")
    })
  )
})

describe("a tool without one", () => {
  it.scoped("is called as before", () =>
    Effect.gen(function* () {
      expect((yield* called(undefined, giving({ anything: 1 }))).warnings).toBeUndefined()
    })
  )
})
