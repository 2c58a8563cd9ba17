import type { ServerResponse } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { McpError } from "../../src/mcp/McpError.ts"
import type * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as SseTransport from "../../src/mcp/SseTransport.ts"
import { createSuiteServer } from "../fixtures/suite-server.mjs"
import * as Http from "./httpServer.ts"
import { transportSuite } from "./transportSuite.ts"

/** The suite's server: a session for each stream. */
const suiteServer = Effect.suspend(() => {
  const sessions: Array<(message: unknown) => void> = []
  return Http.serve((got, response) => {
    if (got.method === "GET") {
      Http.events(response)
      response.write(`event: endpoint\ndata: /messages?session=${sessions.length}\n\n`)
      sessions.push(createSuiteServer({ send: (message) => response.write(Http.event(message)), die: () => {} }))
      return
    }
    response.writeHead(202).end("Accepted")
    sessions[Number(/session=(\d+)/.exec(got.path)?.[1])]?.(got.message)
  })
})

transportSuite(
  "HTTP+SSE",
  Effect.flatMap(suiteServer, ({ url }) => SseTransport.make({ server: "suite", url }))
)

const initialize = (transport: McpTransport.Service): Effect.Effect<unknown, McpError> =>
  transport.request("initialize", { protocolVersion: "2024-11-05" }, { phase: "handshake", silent: true })

/** A stream that names `/messages`, given to `onStream`; posts are accepted and handed to `onPost`. */
const old = (onPost: (got: Http.Got, stream: ServerResponse) => void, named: string | undefined = "/messages") => {
  let stream: ServerResponse | undefined
  return Http.serve((got, response) => {
    if (got.method === "GET") {
      Http.events(response)
      stream = response
      if (named !== undefined) response.write(`event: endpoint\ndata: ${named}\n\n`)
      return
    }
    response.writeHead(202).end("Accepted")
    if (stream !== undefined) onPost(got, stream)
  })
}

const reply = (got: Http.Got, stream: ServerResponse) => stream.write(Http.event(Http.result(got, {})))

describe("SseTransport", () => {
  it.scopedLive("messages carry the entry's headers, and go to the address that the server names", () =>
    Effect.gen(function* () {
      const server = yield* old(reply, "messages?session=1")
      const url = `${server.origin}/v1/sse`
      const transport = yield* SseTransport.make({ server: "old", url, headers: { "X-Api-Key": "k-1" } })
      yield* initialize(transport)
      expect(server.got.map(({ headers, method, path }) => [method, path, headers["x-api-key"]])).toEqual([
        ["GET", "/v1/sse", "k-1"],
        ["POST", "/v1/messages?session=1", "k-1"]
      ])
    })
  )

  it.scopedLive("an address at another origin is refused, and nothing is sent there", () =>
    Effect.gen(function* () {
      const thief = yield* Http.serve((_, response) => response.end())
      const server = yield* old(reply, `${thief.origin}/steal`)
      const transport = yield* SseTransport.make({ server: "old", url: server.url })
      const error = yield* Effect.flip(initialize(transport))
      expect(error).toMatchObject({ kind: "protocol", phase: "handshake" })
      expect(error.message).toContain(thief.origin)
      expect((yield* Effect.flip(transport.closed)).kind).toBe("protocol")
      expect(thief.got).toEqual([])
    })
  )

  it.scopedLive("a server that never names an address fails within the time allowed", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve((_, response) => Http.events(response))
      const transport = yield* SseTransport.make({
        server: "old",
        url: server.url,
        endpointTimeout: Duration.millis(50)
      })
      expect(yield* Effect.flip(initialize(transport))).toMatchObject({ kind: "timeout", phase: "handshake" })
    })
  )

  it.scopedLive("the end of the stream fails what is open, and closes the connection with the reason", () =>
    Effect.gen(function* () {
      const server = yield* old((got, stream) =>
        got.message.method === "initialize" ? reply(got, stream) : stream.end()
      )
      const transport = yield* SseTransport.make({ server: "old", url: server.url })
      yield* initialize(transport)
      const call = yield* Effect.fork(Effect.flip(transport.request("tools/call", { name: "x" })))
      expect(yield* Effect.flip(transport.closed)).toMatchObject({
        kind: "network",
        message: "the server ended the event stream"
      })
      expect(yield* Fiber.join(call)).toMatchObject({ kind: "network", phase: "call" })
      expect(yield* Effect.flip(transport.notify("notifications/test"))).toMatchObject({ kind: "network" })
    })
  )

  it.scopedLive("a message that is refused fails its own request alone", () =>
    Effect.gen(function* () {
      let stream: ServerResponse | undefined
      const server = yield* Http.serve((got, response) => {
        if (got.method === "GET") {
          Http.events(response)
          stream = response
          return void response.write("event: endpoint\ndata: /messages\n\n")
        }
        if (got.message.method === "tools/call") return void response.writeHead(413).end()
        response.writeHead(202).end()
        if (stream !== undefined) reply(got, stream)
      })
      const transport = yield* SseTransport.make({ server: "old", url: server.url })
      expect(yield* Effect.flip(transport.request("tools/call", {}))).toMatchObject({ kind: "http", status: 413 })
      expect(yield* initialize(transport)).toEqual({})
    })
  )

  it.scopedLive("a message over the limit is passed over, and the stream goes on", () =>
    Effect.gen(function* () {
      const server = yield* old((got, stream) => {
        stream.write(
          Http.event({ jsonrpc: "2.0", method: "notifications/message", params: { data: "x".repeat(5_000) } })
        )
        reply(got, stream)
      })
      const transport = yield* SseTransport.make({ server: "old", url: server.url, maxBodyBytes: 1_000 })
      expect(yield* initialize(transport)).toEqual({})
      expect((yield* transport.diagnostics).skipped).toEqual([expect.stringContaining("over the limit of 1000 bytes")])
    })
  )

  it.scopedLive("a server that refuses the stream says why", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve((_, response) => response.writeHead(401, { "www-authenticate": "Bearer" }).end())
      const transport = yield* SseTransport.make({ server: "old", url: server.url })
      expect(yield* Effect.flip(initialize(transport))).toMatchObject({
        kind: "needs-auth",
        phase: "handshake",
        status: 401,
        challenge: "Bearer"
      })
    })
  )
})
