import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as HttpTransport from "../../src/mcp/HttpTransport.ts"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as Http from "./httpServer.ts"

const version = "2026-07-28"

const answers: Http.Handler = (got, response) =>
  Http.json(response, 200, Http.result(got, { ok: true }), { "mcp-session-id": "s1" })

const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.zipRight(Effect.sleep("5 millis"), until(condition))))

const standard = (got: Http.Got | undefined) => ({
  version: got?.headers["mcp-protocol-version"],
  method: got?.headers["mcp-method"],
  name: got?.headers["mcp-name"]
})

describe("HttpTransport, stateless revisions", () => {
  it.scopedLive("each message says revision, method and subject; there is no session, GET or DELETE", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const server = yield* Http.serve(answers)
      const transport = yield* Scope.extend(HttpTransport.make({ server: "web", url: server.url }), scope)
      yield* transport.negotiated(version)
      const messages: ReadonlyArray<readonly [string, JsonObject, string | undefined]> = [
        ["tools/list", {}, undefined],
        ["tools/call", { name: "écho" }, "=?base64?w6ljaG8=?="],
        ["resources/read", { uri: "file:///x" }, "file:///x"],
        ["prompts/get", { name: "p" }, "p"]
      ]
      for (const [method, params, name] of messages) {
        yield* transport.request(method, params)
        expect(standard(server.got.at(-1))).toEqual({ version, method, name })
        expect(server.got.at(-1)?.headers["mcp-session-id"]).toBeUndefined()
      }
      yield* transport.notify("notifications/initialized")
      yield* Scope.close(scope, Exit.void)
      expect(server.got.map(({ method }) => method)).toEqual(Array.from({ length: 5 }, () => "POST"))
    })
  )

  it.scopedLive("fields of one message go with it", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(answers)
      const transport = yield* HttpTransport.make({ server: "web", url: server.url })
      yield* transport.negotiated(version)
      yield* transport.request("tools/call", { name: "x" }, { headers: { "Mcp-Param-Region": "eu" } })
      yield* transport.request("tools/call", { name: "x" })
      expect(server.got.map(({ headers }) => headers["mcp-param-region"])).toEqual(["eu", undefined])
    })
  )

  it.scopedLive("a probe before anything is agreed on is sent so by its own _meta, or its own header", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(answers)
      const transport = yield* HttpTransport.make({ server: "web", url: server.url })
      const _meta = { "io.modelcontextprotocol/protocolVersion": version }
      yield* transport.request("server/discover", { _meta })
      yield* transport.request("server/discover", {}, { headers: { "MCP-Protocol-Version": version } })
      for (const got of server.got) {
        expect(standard(got)).toEqual({ version, method: "server/discover", name: undefined })
      }
      yield* transport.request("initialize", { protocolVersion: "2025-11-25" })
      expect(standard(server.got.at(-1))).toEqual({ version: undefined, method: undefined, name: undefined })
    })
  )

  it.scopedLive("giving up a request ends its stream, and nothing is sent about it", () =>
    Effect.gen(function* () {
      let closed = false
      const server = yield* Http.serve((_, response) => {
        Http.events(response)
        response.on("close", () => {
          closed = true
        })
      })
      const transport = yield* HttpTransport.make({ server: "web", url: server.url })
      yield* transport.negotiated(version)
      const call = yield* Effect.fork(transport.request("tools/call", { name: "slow" }))
      yield* until(() => server.got.length === 1)
      yield* Fiber.interrupt(call)
      yield* until(() => closed)
      expect(server.got).toHaveLength(1)
    })
  )

  it.scopedLive("a stream that breaks fails its request, and is not resumed", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve((_, response) => {
        Http.events(response)
        response.end("id: 1\nretry: 1\ndata:\n\n")
      })
      const transport = yield* HttpTransport.make({ server: "web", url: server.url })
      yield* transport.negotiated(version)
      expect(yield* Effect.flip(transport.request("tools/call", { name: "x" }))).toMatchObject({ kind: "network" })
      expect(server.got).toHaveLength(1)
    })
  )

  it.scopedLive("a long request hands on what comes on its stream", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve((got, response) => {
        Http.events(response)
        response.write(Http.event({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }))
        response.write(Http.event(Http.result(got, { resultType: "complete" })))
      })
      const transport = yield* HttpTransport.make({ server: "web", url: server.url })
      yield* transport.negotiated(version)
      yield* transport.request("subscriptions/listen", {})
      expect(yield* Stream.runHead(transport.inbound)).toMatchObject({
        value: { _tag: "Notification", method: "notifications/tools/list_changed" }
      })
    })
  )

  it.scopedLive("a 404 with a JSON-RPC error is that error, and no lost session", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve((got, response) =>
        Http.json(response, 404, { jsonrpc: "2.0", id: got.message.id, error: { code: -32601, message: "no" } })
      )
      const transport = yield* HttpTransport.make({ server: "web", url: server.url })
      yield* transport.negotiated(version)
      expect(yield* Effect.flip(transport.request("x/unknown", {}))).toMatchObject({
        kind: "rpc",
        code: -32601,
        status: 404
      })
    })
  )
})
