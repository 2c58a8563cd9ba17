import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { McpError } from "../../src/mcp/McpError.ts"
import type * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as RemoteTransport from "../../src/mcp/RemoteTransport.ts"
import * as Http from "./httpServer.ts"

const initialize = (transport: McpTransport.Service): Effect.Effect<unknown, McpError> =>
  transport.request("initialize", { protocolVersion: "2025-11-25" }, { phase: "handshake", silent: true })

const connect = (url: string) => RemoteTransport.make({ server: "remote", url, endpointTimeout: Duration.millis(300) })

/** A server whose POST is refused with `status`, and which has no stream. */
const refusing = (status: number, body?: unknown) =>
  Http.serve((got, response) =>
    got.method === "GET" ? response.writeHead(405).end() : Http.json(response, status, body ?? "no")
  )

describe("RemoteTransport", () => {
  it.scopedLive("a server of Streamable HTTP is spoken to so", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(
        Http.mcp((got, response) => Http.json(response, 200, Http.result(got, { n: 1 })))
      )
      const transport = yield* connect(server.url)
      yield* initialize(transport)
      expect(transport.kind).toBe("http")
      expect(yield* transport.request("tools/list", undefined)).toEqual({ n: 1 })
      expect(server.got.some(({ method }) => method === "GET")).toBe(false)
    })
  )

  it.scopedLive("a server of the old HTTP+SSE is found by its refusal of the first POST", () =>
    Effect.gen(function* () {
      const { origin } = yield* Http.fixture("legacy-sse")
      const transport = yield* connect(`${origin}/sse`)
      expect(yield* initialize(transport)).toMatchObject({ protocolVersion: "2024-11-05" })
      expect(transport.kind).toBe("sse")
      yield* transport.negotiated("2024-11-05")
      yield* transport.notify("notifications/initialized")
      expect(yield* transport.request("tools/call", { name: "old" })).toEqual({
        content: [{ type: "text", text: "old ok" }]
      })
    })
  )

  it.scopedLive("what an old server sends on its own is heard, and its end closes the connection", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve((got, response) => {
        if (got.method === "POST" && got.path === "/mcp") return void response.writeHead(404).end()
        if (got.method === "POST") return void response.writeHead(202).end()
        Http.events(response)
        response.write("event: endpoint\ndata: /messages\n\n")
        response.write(Http.event({ jsonrpc: "2.0", id: 1, result: {} }))
        response.write(Http.event({ jsonrpc: "2.0", id: "s", method: "ping" }))
        setTimeout(() => response.end(), 100)
      })
      const transport = yield* connect(server.url)
      yield* initialize(transport)
      const heard = yield* Stream.runHead(transport.inbound)
      expect(heard).toMatchObject({ value: { _tag: "Request", method: "ping" } })
      expect((yield* Effect.flip(transport.closed)).kind).toBe("network")
    })
  )

  for (const status of [401, 403, 500, 503]) {
    it.scopedLive(`a ${status} is the error itself, and never leads to the old way`, () =>
      Effect.gen(function* () {
        const server = yield* refusing(status)
        const error = yield* Effect.flip(initialize(yield* connect(server.url)))
        expect(error).toMatchObject({ kind: status === 401 ? "needs-auth" : "http", status })
        expect(server.got.map(({ method }) => method)).toEqual(["POST"])
      })
    )
  }

  it.scopedLive("when both ways fail, the refusal of the POST is the error and the other is told with it", () =>
    Effect.gen(function* () {
      const server = yield* refusing(404)
      const error = yield* Effect.flip(initialize(yield* connect(server.url)))
      expect(error).toMatchObject({ kind: "http", phase: "handshake", status: 404 })
      expect(error.message).toMatch(/404 Not Found.*old HTTP\+SSE.*405 Method Not Allowed/)
    })
  )

  it.scopedLive("a stateless server that refuses the revision is not taken for an old one", () =>
    Effect.gen(function* () {
      const data = { supported: ["2026-07-28"], requested: "2025-11-25" }
      const server = yield* refusing(400, { jsonrpc: "2.0", id: 1, error: { code: -32022, message: "no", data } })
      const error = yield* Effect.flip(initialize(yield* connect(server.url)))
      expect(error).toMatchObject({ kind: "rpc", code: -32022, status: 400, data })
      expect(server.got.map(({ method }) => method)).toEqual(["POST"])
    })
  )

  it.scopedLive("an old server that names no address does not keep the handshake waiting", () =>
    Effect.gen(function* () {
      const { origin } = yield* Http.fixture("legacy-sse", "noendpoint")
      const error = yield* Effect.flip(initialize(yield* connect(`${origin}/sse`)))
      expect(error).toMatchObject({ kind: "http", status: 405 })
      expect(error.message).toContain("no address for messages came")
    })
  )

  it.scopedLive("an old server that names another origin is refused", () =>
    Effect.gen(function* () {
      const { origin } = yield* Http.fixture("legacy-sse", "cross")
      const error = yield* Effect.flip(initialize(yield* connect(`${origin}/sse`)))
      expect(error.message).toContain("http://127.0.0.1:9")
    })
  )
})
