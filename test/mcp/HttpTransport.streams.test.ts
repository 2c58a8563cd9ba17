import type { ServerResponse } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as HttpTransport from "../../src/mcp/HttpTransport.ts"
import type * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as Http from "./httpServer.ts"

const connect = (url: string) =>
  Effect.tap(HttpTransport.make({ server: "web", url }), (transport) =>
    Effect.gen(function* () {
      yield* transport.request("initialize", { protocolVersion: "2025-11-25" })
      yield* transport.negotiated("2025-11-25")
      yield* transport.notify("notifications/initialized")
    })
  )

const note = (data: string) => ({ jsonrpc: "2.0", method: "notifications/message", params: { data } })

const heard = (transport: McpTransport.Service, count: number) =>
  Effect.map(Stream.runCollect(Stream.take(transport.inbound, count)), (messages) =>
    Chunk.toReadonlyArray(messages).map((message) => message.params?.data)
  )

const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.zipRight(Effect.sleep("5 millis"), until(condition))))

describe("HttpTransport, the server's own stream", () => {
  it.scopedLive("what comes on it is delivered, and after a break it goes on from the last event", () =>
    Effect.gen(function* () {
      const streams: Array<ServerResponse> = []
      const server = yield* Http.serve((got, response) => {
        if (got.method !== "GET") return Http.mcp(() => {})(got, response)
        Http.events(response)
        streams.push(response)
        const n = streams.length
        response.write(`retry: 20\n${Http.event(note(`stream ${n}`), `e${n}`)}`, () => {
          if (n === 1) response.end()
          if (n === 2) response.destroy()
        })
      })
      const transport = yield* connect(server.url)
      expect(yield* heard(transport, 3)).toEqual(["stream 1", "stream 2", "stream 3"])
      const opened = server.got.filter(({ method }) => method === "GET")
      expect(opened.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "e1", "e2"])
      expect(opened[0]?.headers).toMatchObject({ accept: "text/event-stream", "mcp-protocol-version": "2025-11-25" })
    })
  )

  const refusals: ReadonlyArray<readonly [string, (response: ServerResponse) => void]> = [
    ["405", (response) => response.writeHead(405).end()],
    ["404", (response) => response.writeHead(404).end()],
    ["400", (response) => response.writeHead(400).end("what?")],
    ["406", (response) => response.writeHead(406).end()],
    ["500", (response) => response.writeHead(500).end()],
    ["JSON", (response) => Http.json(response, 200, { ok: true })],
    ["a page", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>")],
    ["a redirect", (response) => response.writeHead(302, { location: "/login" }).end()]
  ]
  for (const [name, refuse] of refusals) {
    it.scopedLive(`a server that answers the GET with ${name} has none, and all else works`, () =>
      Effect.gen(function* () {
        const server = yield* Http.serve((got, response) =>
          got.method === "GET"
            ? refuse(response)
            : Http.mcp((request, reply) => Http.json(reply, 200, Http.result(request, { ok: true })))(got, response)
        )
        const transport = yield* connect(server.url)
        yield* until(() => server.got.some(({ method }) => method === "GET"))
        expect(yield* transport.request("tools/list", undefined)).toEqual({ ok: true })
      })
    )
  }
})

describe("HttpTransport, replies that break off", () => {
  /** Answers a call with what `begin` writes, and each GET that resumes it with what `resume` writes. */
  const breaking = (
    begin: (got: Http.Got, response: ServerResponse) => void,
    resume: (got: Http.Got, response: ServerResponse) => void
  ) =>
    Http.serve((got, response) => {
      if (got.method === "GET" && got.headers["last-event-id"] !== undefined) return resume(got, response)
      Http.mcp((call, reply) => {
        Http.events(reply)
        begin(call, reply)
      }, "s1")(got, response)
    })

  const priming = (id: string, retry: number) => `id: ${id}\nretry: ${retry}\ndata:\n\n`

  it.scopedLive(
    "a reply with an event id is resumed by GET after the time the server asks for, and not posted again",
    () =>
      Effect.gen(function* () {
        let call: Http.Got | undefined
        let closedAt = 0
        let resumedAt = 0
        const server = yield* breaking(
          (got, response) => {
            call = got
            response.end(priming("c1", 300))
            closedAt = performance.now()
          },
          (got, response) => {
            resumedAt = performance.now()
            expect(got.headers).toMatchObject({
              "last-event-id": "c1",
              "mcp-session-id": "s1",
              "mcp-protocol-version": "2025-11-25"
            })
            Http.events(response)
            if (call !== undefined)
              response.write(Http.event(note("on the way"), "c2") + Http.event(Http.result(call, { n: 1 })))
          }
        )
        const transport = yield* connect(server.url)
        expect(yield* transport.request("tools/call", { name: "slow" })).toEqual({ n: 1 })
        expect(resumedAt - closedAt).toBeGreaterThan(295)
        expect(resumedAt - closedAt).toBeLessThan(500)
        expect(server.got.filter(({ message }) => message.method === "tools/call")).toHaveLength(1)
        expect(yield* heard(transport, 1)).toEqual(["on the way"])
      })
  )

  it.scopedLive("a socket that breaks in the middle of the stream is no different", () =>
    Effect.gen(function* () {
      let call: Http.Got | undefined
      const server = yield* breaking(
        (got, response) => {
          call = got
          response.write(priming("c1", 10), () => response.destroy())
        },
        (_, response) => {
          Http.events(response)
          response.end(call === undefined ? "" : Http.event(Http.result(call, { n: 1 })))
        }
      )
      const transport = yield* connect(server.url)
      expect(yield* transport.request("tools/call", { name: "slow" })).toEqual({ n: 1 })
    })
  )

  it.scopedLive("a reply without an event id fails at once", () =>
    Effect.gen(function* () {
      const server = yield* breaking(
        (_, response) => response.end(": nothing\n\n"),
        () => {}
      )
      const transport = yield* connect(server.url)
      expect(yield* Effect.flip(transport.request("tools/call", {}))).toMatchObject({
        kind: "network",
        message: expect.stringContaining("without the reply to tools/call")
      })
      expect(server.got.filter(({ message }) => message.method === "tools/call")).toHaveLength(1)
    })
  )

  it.scopedLive("a server that cannot resume fails the request", () =>
    Effect.gen(function* () {
      const server = yield* breaking(
        (_, response) => response.end(priming("c1", 1)),
        (_, response) => response.writeHead(405).end()
      )
      const transport = yield* connect(server.url)
      expect(yield* Effect.flip(transport.request("tools/call", {}))).toMatchObject({ kind: "http", status: 405 })
    })
  )

  it.scopedLive("interrupting a request that is being resumed stops that, and tells the server", () =>
    Effect.gen(function* () {
      let resumed = 0
      const server = yield* breaking(
        (_, response) => response.end(priming("c1", 1)),
        (_, response) => {
          resumed += 1
          Http.events(response)
        }
      )
      const transport = yield* connect(server.url)
      const call = yield* Effect.fork(transport.request("tools/call", {}))
      yield* until(() => resumed === 1)
      yield* Fiber.interrupt(call)
      yield* until(() => server.got.some(({ message }) => message.method === "notifications/cancelled"))
      expect(resumed).toBe(1)
    })
  )

  it.scopedLive("a server that dies or drops the socket in the middle of a call fails that call at once", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(
        Http.mcp((got, response) => {
          if (got.message.method === "tools/call") return void response.destroy()
          Http.events(response)
          response.write(": working\n\n", () => response.destroy())
        })
      )
      const transport = yield* connect(server.url)
      for (const method of ["tools/call", "tools/list"]) {
        const [took, error] = yield* Effect.timed(Effect.flip(transport.request(method, {})))
        expect(error).toMatchObject({ kind: "network", message: expect.stringContaining("was lost") })
        expect(Duration.toMillis(took)).toBeLessThan(1_000)
      }
    })
  )

  it.scopedLive("a server that is gone fails each request, and is used again when it is back", () =>
    Effect.gen(function* () {
      const answer = Http.mcp((got, response) => Http.json(response, 200, Http.result(got, {})))
      const first = yield* Http.serve(answer)
      const transport = yield* connect(first.url)
      yield* first.stop
      expect(yield* Effect.flip(transport.request("tools/list", {}))).toMatchObject({
        kind: "network",
        message: `connect refused 127.0.0.1:${first.port}`
      })
      yield* Http.serve(answer, first.port)
      expect(yield* transport.request("tools/list", {})).toEqual({})
    })
  )

  it.scopedLive("a server that keeps a stream open after the reply does not keep the socket for ever", () =>
    Effect.gen(function* () {
      let closed = false
      const server = yield* Http.serve(
        Http.mcp((got, response) => {
          Http.events(response)
          response.write(Http.event(Http.result(got, { n: 1 })))
          response.on("close", () => {
            closed = true
          })
        })
      )
      const transport = yield* connect(server.url)
      expect(yield* transport.request("tools/call", {})).toEqual({ n: 1 })
      yield* until(() => closed)
    })
  )
})
