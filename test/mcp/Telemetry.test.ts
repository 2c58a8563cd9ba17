import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { isObject } from "../../src/mcp/JsonRpc.ts"
import type * as McpClient from "../../src/mcp/McpClient.ts"
import type * as McpManager from "../../src/mcp/McpManager.ts"
import * as Metrics from "../../src/mcp/Metrics.ts"
import * as Telemetry from "../../src/mcp/Telemetry.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"
import { errorType, kept, named, pathOf } from "../spans.ts"
import { entry, started } from "./managed.ts"

const secret = "tok-4711-secret"

const server = (more: TestServer.Options = {}) =>
  TestServer.make({
    tools: {
      look: { handler: () => "seen" },
      fail: { handler: () => ({ content: [{ type: "text", text: "the disk is full" }], isError: true }) },
      wait: { handler: () => Effect.never }
    },
    ...more
  })

/** Uses a connected server of that name. */
const using = <A, E>(
  name: string,
  test: TestServer.TestServer,
  use: (client: McpClient.Service, manager: McpManager.Service) => Effect.Effect<A, E, Scope.Scope>
) =>
  Effect.gen(function* () {
    const manager = yield* started([entry(name, { secrets: [secret] })])
    return yield* use(yield* manager.client(name), manager)
  }).pipe(Effect.scoped, Effect.provide(TestTransportFactory.layer({ [name]: test })))

/** The same under a tracer: the spans. */
const traced = Effect.fnUntraced(function* (
  test: TestServer.TestServer,
  use: (client: McpClient.Service) => Effect.Effect<unknown, unknown, Scope.Scope>
) {
  const { layer, spans } = yield* kept
  yield* using("it", test, use).pipe(Effect.provide(layer), Effect.ignore)
  return spans
})

/** The `_meta` of each request of this method that the server has received. */
const metas = (test: TestServer.TestServer, method: string) =>
  Effect.map(test.messages, (messages) =>
    messages.flatMap((message) => {
      if (message._tag !== "Request" || message.method !== method) return []
      return [isObject(message.params?._meta) ? message.params._meta : {}]
    })
  )

describe("with a tracer", () => {
  it.effect("connecting is a span with the handshake and the requests in it; a call is one of its own", () =>
    Effect.gen(function* () {
      const spans = yield* traced(server(), ({ callTool }) => callTool("look", { secret: "of the caller" }))
      expect(pathOf(named(spans, "initialize"))).toEqual(["connect it", "handshake", "initialize"])
      expect(pathOf(named(spans, "tools/list"))).toEqual(["connect it", "tools/list"])
      const call = named(spans, "tools/call look")
      expect(pathOf(call)).toEqual(["tools/call look"])
      expect(call.kind).toBe("client")
      expect(Object.fromEntries(call.attributes)).toEqual({
        "harness9.server": "it",
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": "look",
        "mcp.protocol.version": "2025-11-25"
      })
      expect(spans.every(({ status }) => status._tag === "Ended")).toBe(true)
      expect(spans.map(errorType).filter((type) => type !== undefined)).toEqual(["-32601"])
    })
  )

  it.effect("a call belongs to the span that it is made in", () =>
    Effect.gen(function* () {
      const spans = yield* traced(server(), ({ callTool }) => Effect.withSpan(callTool("look", {}), "mine"))
      expect(pathOf(named(spans, "tools/call look"))).toEqual(["mine", "tools/call look"])
    })
  )

  it.effect("the server is told of the span of each request, beside what is in _meta already", () =>
    Effect.gen(function* () {
      const test = server()
      const spans = yield* traced(test, ({ callTool }) => callTool("look", {}))
      for (const method of ["initialize", "tools/list"]) {
        const [meta] = yield* metas(test, method)
        expect(meta?.traceparent).toBe(Telemetry.traceparent(named(spans, method)))
      }
      const [meta] = yield* metas(test, "tools/call")
      expect(meta).toEqual({
        traceparent: Telemetry.traceparent(named(spans, "tools/call look")),
        progressToken: expect.anything()
      })
    })
  )

  it.effect("a server of a stateless revision is told too", () =>
    Effect.gen(function* () {
      const test = server({ era: "modern" })
      const spans = yield* traced(test, ({ callTool }) => callTool("look", {}))
      const [meta] = yield* metas(test, "tools/call")
      expect(meta?.traceparent).toBe(Telemetry.traceparent(named(spans, "tools/call look")))
      expect(meta?.["io.modelcontextprotocol/protocolVersion"]).toBe("2026-07-28")
      expect(pathOf(named(spans, "server/discover"))).toEqual(["connect it", "handshake", "server/discover"])
    })
  )

  it.effect("the trace that a caller names itself is left to it", () =>
    Effect.gen(function* () {
      const test = server()
      const traceparent = "00-11111111111111111111111111111111-2222222222222222-01"
      yield* traced(test, ({ request }) => request("tools/call", { name: "look", _meta: { traceparent } }))
      expect(yield* metas(test, "tools/call")).toEqual([{ traceparent }])
    })
  )

  it.effect("a tool's own error marks the span, and is a result all the same", () =>
    Effect.gen(function* () {
      const results: Array<string> = []
      const spans = yield* traced(server(), ({ callTool }) =>
        Effect.map(callTool("fail", {}), ({ isError, text }) => results.push(`${isError} ${text}`))
      )
      expect(results).toEqual(["true the disk is full"])
      expect(errorType(named(spans, "tools/call fail"))).toBe("tool_error")
    })
  )

  it.effect("an error of the protocol is told by its code, without the secrets that the server repeats", () =>
    Effect.gen(function* () {
      const refused = { code: -32602, message: `the token ${secret} is bad`, data: { token: secret } }
      const test = server({ methods: { "tools/call": () => Effect.fail(refused) } })
      const spans = yield* traced(test, ({ callTool }) => callTool("look", {}))
      const { attributes, status } = named(spans, "tools/call look")
      expect(attributes.get("error.type")).toBe("-32602")
      if (status._tag !== "Ended" || status.exit._tag !== "Failure") return expect.fail("the span has not failed")
      expect(Cause.pretty(status.exit.cause)).toContain("the token *** is bad")
      expect(JSON.stringify(Cause.squash(status.exit.cause))).not.toContain(secret)
    })
  )

  it.effect("a handshake that fails marks all that it is in, without secrets", () =>
    Effect.gen(function* () {
      const spans = yield* traced(server({ fail: { code: -32000, message: `no ${secret}` } }), () => Effect.void)
      for (const name of ["connect it", "handshake", "initialize"]) {
        const { status } = named(spans, name)
        if (status._tag !== "Ended" || status.exit._tag !== "Failure") return expect.fail(`${name} has not failed`)
        expect(Cause.pretty(status.exit.cause)).toContain("no ***")
      }
    })
  )

  it.effect("a call that is given up ends its span", () =>
    Effect.gen(function* () {
      const spans = yield* traced(server(), ({ callTool }) =>
        Effect.gen(function* () {
          const asked = yield* Deferred.make<void>()
          const fiber = yield* Effect.fork(Effect.zipRight(Deferred.succeed(asked, undefined), callTool("wait", {})))
          yield* Deferred.await(asked)
          yield* Effect.yieldNow()
          yield* Fiber.interrupt(fiber)
        })
      )
      expect(errorType(named(spans, "tools/call wait"))).toBe("cancelled")
    })
  )
})

describe("without a tracer", () => {
  it.effect("nothing is sent along, and nothing is counted", () =>
    Effect.gen(function* () {
      const test = server()
      yield* using("unwatched", test, ({ callTool }) => callTool("look", {}))
      expect((yield* metas(test, "tools/call")).map((meta) => Object.keys(meta))).toEqual([["progressToken"]])
      expect(yield* metas(test, "initialize")).toEqual([{}])
      expect(
        (yield* count(Metrics.toolCalls, { "harness9.server": "unwatched", "gen_ai.tool.name": "look" })).count
      ).toBe(0)
    })
  )
})

const count = <Type, State>(metric: Metric.Metric<Type, number, State>, labels: Readonly<Record<string, string>>) =>
  Metric.value(Object.entries(labels).reduce((tagged, [key, value]) => Metric.tagged(tagged, key, value), metric))

describe("figures", () => {
  it.effect("calls, failures and times are counted by server and tool", () =>
    Effect.gen(function* () {
      yield* using("counted", server(), ({ callTool }) =>
        Effect.zipRight(callTool("look", {}), Effect.zipRight(callTool("fail", {}), callTool("fail", {})))
      ).pipe(Effect.provide(Telemetry.layerMetrics))
      const look = { "harness9.server": "counted", "gen_ai.tool.name": "look" }
      const fail = { "harness9.server": "counted", "gen_ai.tool.name": "fail" }
      expect((yield* count(Metrics.toolCalls, look)).count).toBe(1)
      expect((yield* count(Metrics.toolCalls, fail)).count).toBe(2)
      expect((yield* count(Metrics.toolFailures, { ...fail, "error.type": "tool_error" })).count).toBe(2)
      const method = { "mcp.method.name": "tools/call", "gen_ai.tool.name": "look" }
      const times = yield* count(Metrics.operationDuration, { "harness9.server": "counted", ...method })
      expect(times.count).toBe(1)
    })
  )

  it.effect("a server that is connected again is counted", () =>
    Effect.gen(function* () {
      yield* using("again", server(), (_, manager) => manager.reconnect("again")).pipe(
        Effect.provide(Telemetry.layerMetrics)
      )
      expect((yield* count(Metrics.reconnects, { "harness9.server": "again" })).count).toBe(1)
    })
  )
})

describe("traceparent", () => {
  const of = (traceId: string, spanId: string, sampled = true) =>
    Telemetry.traceparent(Tracer.externalSpan({ traceId, spanId, sampled }))

  it("is the span's ids, and whether it is kept", () => {
    expect(of("a".repeat(32), "b".repeat(16))).toBe(`00-${"a".repeat(32)}-${"b".repeat(16)}-01`)
    expect(of("a".repeat(32), "b".repeat(16), false)).toBe(`00-${"a".repeat(32)}-${"b".repeat(16)}-00`)
  })

  it("is not there where a tracer's ids are of another form", () => {
    expect(of("noop", "noop")).toBeUndefined()
    expect(of("A".repeat(32), "b".repeat(16))).toBeUndefined()
  })
})
