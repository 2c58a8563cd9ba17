import type { ServerResponse } from "node:http"
import * as zlib from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpTransport from "../../src/mcp/HttpTransport.ts"
import type { McpError } from "../../src/mcp/McpError.ts"
import type * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as Http from "./httpServer.ts"

const connect = (url: string, options: Partial<HttpTransport.Options> = {}) =>
  HttpTransport.make({ server: "web", url, ...options })

/** A transport on a server that answers every request with what `answer` does. */
const against = (answer: (got: Http.Got, response: ServerResponse) => void, options?: Partial<HttpTransport.Options>) =>
  Effect.flatMap(Http.serve(Http.mcp(answer)), ({ url }) => connect(url, options))

const list = (transport: McpTransport.Service): Effect.Effect<unknown, McpError> =>
  transport.request("tools/list", undefined, { phase: "list" })

const write = (response: ServerResponse, type: string, body: string | Buffer, status = 200) =>
  void response.writeHead(status, type === "" ? {} : { "content-type": type }).end(body)

describe("HttpTransport, replies", () => {
  for (const mode of ["202", "200empty", "204", "null", "text", "sseempty", "obj"]) {
    it.scopedLive(`a notification answered the way "${mode}" is accepted`, () =>
      Effect.gen(function* () {
        const { origin } = yield* Http.fixture("notify-quirks", mode)
        const transport = yield* connect(`${origin}/mcp`)
        yield* transport.request("initialize", { protocolVersion: "2025-11-25" })
        yield* transport.notify("notifications/initialized")
        expect(yield* transport.request("tools/call", { name: "ok" })).toEqual({
          content: [{ type: "text", text: "initialized:true" }]
        })
      })
    )
  }

  it.scopedLive("event streams of every legal framing are understood", () =>
    Effect.gen(function* () {
      const { origin } = yield* Http.fixture("sse-framing")
      const transport = yield* connect(`${origin}/mcp`)
      yield* transport.request("initialize", { protocolVersion: "2025-11-25" })
      for (const name of ["crlf", "cr", "multi", "split"]) {
        expect(yield* transport.request("tools/call", { name })).toEqual({
          content: [{ type: "text", text: `${name} é日😀` }]
        })
      }
    })
  )

  it.scopedLive("requests say plainly what they are and what may come back", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(Http.mcp((got, response) => Http.json(response, 200, Http.result(got, {}))))
      yield* list(yield* connect(server.url, { headers: { "X-Key": "k", Accept: "text/plain" } }))
      expect(server.got[0]?.headers).toMatchObject({
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "user-agent": expect.stringMatching(/^harness9\//),
        "x-key": "k"
      })
    })
  )

  for (const type of [
    'APPLICATION/JSON;charset="utf-8"',
    "application/json ; charset=utf-8",
    "application/problem+json",
    ""
  ]) {
    it.scopedLive(`a reply of type "${type}" is read as JSON`, () =>
      Effect.gen(function* () {
        const transport = yield* against((got, response) =>
          write(response, type, `\ufeff${JSON.stringify(Http.result(got, { text: "é日😀" }))}`)
        )
        expect(yield* list(transport)).toEqual({ text: "é日😀" })
      })
    )
  }

  it.scopedLive("a batch is taken apart", () =>
    Effect.gen(function* () {
      const transport = yield* against((got, response) =>
        Http.json(response, 200, [{ jsonrpc: "2.0", method: "notifications/message" }, Http.result(got, { n: 1 })])
      )
      expect(yield* list(transport)).toEqual({ n: 1 })
    })
  )

  const codings: Readonly<Record<string, (text: string) => Buffer>> = {
    gzip: (text) => zlib.gzipSync(text),
    deflate: (text) => zlib.deflateSync(text),
    "deflate, raw": (text) => zlib.deflateRawSync(text),
    br: (text) => zlib.brotliCompressSync(text)
  }
  for (const [coding, pack] of Object.entries(codings)) {
    for (const type of ["application/json", "text/event-stream"]) {
      it.scopedLive(`a reply of ${type} packed with ${coding} is unpacked`, () =>
        Effect.gen(function* () {
          const server = yield* Http.serve(
            Http.mcp((got, response) => {
              const reply = Http.result(got, { text: "é日😀".repeat(1_000) })
              response.setHeader("content-encoding", coding.replace(", raw", ""))
              write(response, type, pack(type === "application/json" ? JSON.stringify(reply) : Http.event(reply)))
            })
          )
          expect(yield* list(yield* connect(server.url))).toEqual({ text: "é日😀".repeat(1_000) })
          expect(server.got[0]?.headers["accept-encoding"]).toBe("gzip, deflate, br")
        })
      )
    }
  }

  it.scopedLive("an event in a packed stream is not kept waiting for the next one", () =>
    Effect.gen(function* () {
      const transport = yield* against((got, response) => {
        response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" })
        const gzip = zlib.createGzip()
        gzip.pipe(response)
        gzip.write(Http.event(Http.result(got, { n: 1 })))
        gzip.flush()
      })
      expect(yield* list(transport)).toEqual({ n: 1 })
    })
  )

  it.scopedLive("a packing that was not asked for, or is broken, fails the request", () =>
    Effect.gen(function* () {
      const packed = (coding: string) =>
        against((_, response) => {
          response.setHeader("content-encoding", coding)
          write(response, "application/json", "no gzip at all")
        })
      expect(yield* Effect.flip(list(yield* packed("zstd")))).toMatchObject({
        kind: "http",
        message: expect.stringContaining("zstd")
      })
      expect(yield* Effect.flip(list(yield* packed("gzip")))).toMatchObject({ kind: "network", phase: "list" })
    })
  )

  it.scopedLive("a reply over the limit fails its request alone, as JSON, unpacked, and as an event", () =>
    Effect.gen(function* () {
      const transport = yield* against(
        (got, response) => {
          const reply = JSON.stringify(
            Http.result(got, { text: "x".repeat(got.message.method === "small" ? 10 : 20_000) })
          )
          if (got.message.method === "packed") {
            response.setHeader("content-encoding", "gzip")
            return write(response, "application/json", zlib.gzipSync(reply))
          }
          if (got.message.method === "event") return write(response, "text/event-stream", `id: 1\ndata: ${reply}\n\n`)
          write(response, "application/json", reply)
        },
        { maxBodyBytes: 10_000 }
      )
      for (const method of ["plain", "packed", "event"]) {
        expect(yield* Effect.flip(transport.request(method, {}))).toMatchObject({
          kind: "too-large",
          message: `the reply to ${method} is over the limit of 10000 bytes`
        })
      }
      expect(yield* transport.request("small", {})).toEqual({ text: "x".repeat(10) })
    })
  )

  it.scopedLive("an error without the request's id is the error of the request that was posted", () =>
    Effect.gen(function* () {
      const transport = yield* against((_, response) =>
        Http.json(response, 200, { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } })
      )
      expect(yield* Effect.flip(list(transport))).toMatchObject({ kind: "rpc", code: -32700, message: "Parse error" })
    })
  )

  it.scopedLive("an error status with a JSON-RPC error is that error, with the status", () =>
    Effect.gen(function* () {
      const data = { supported: ["2026-07-28"] }
      const transport = yield* against((got, response) =>
        Http.json(response, 400, { jsonrpc: "2.0", id: got.message.id, error: { code: -32022, message: "no", data } })
      )
      expect(yield* Effect.flip(list(transport))).toMatchObject({
        kind: "rpc",
        phase: "list",
        status: 400,
        code: -32022,
        message: "no",
        data
      })
    })
  )

  const noReplies: ReadonlyArray<readonly [string, (response: ServerResponse) => void, object]> = [
    [
      "a web page",
      (response) => write(response, "text/html", "<!doctype html><title>Home</title>"),
      { hint: expect.stringContaining("web page") }
    ],
    [
      "a page for a missing one",
      (response) => write(response, "text/html", "<html><title>Not here</title>", 404),
      {
        status: 404,
        message: expect.stringContaining("404 Not Found: Not here"),
        hint: expect.stringContaining("web page")
      }
    ],
    [
      "nothing",
      (response) => void response.writeHead(202).end(),
      { status: 202, message: expect.stringContaining("no content") }
    ],
    [
      "broken JSON",
      (response) => write(response, "application/json", '{"jsonrpc":'),
      { message: expect.stringContaining("application/json") }
    ],
    [
      "plain text",
      (response) => write(response, "text/plain", "hello"),
      { message: expect.stringContaining("text/plain") }
    ],
    [
      "a failure in JSON",
      (response) => Http.json(response, 500, { error: "boom", message: "the\u001b[31m db" }),
      { status: 500, message: expect.stringMatching(/500 Internal Server Error: boom: the\\x1b\[31m db$/) }
    ],
    [
      "too many requests",
      (response) => void response.writeHead(429, { "retry-after": "7" }).end(),
      { status: 429, hint: expect.stringContaining("7 seconds") }
    ]
  ]
  for (const [name, answer, expected] of noReplies) {
    it.scopedLive(`${name} in place of a reply is told as what it is`, () =>
      Effect.gen(function* () {
        const transport = yield* against((_, response) => answer(response))
        expect(yield* Effect.flip(list(transport))).toMatchObject({ kind: "http", phase: "list", ...expected })
      })
    )
  }

  it.scopedLive("a refusal that repeats a header does not make it public", () =>
    Effect.gen(function* () {
      const transport = yield* against(
        (got, response) => Http.json(response, 403, { message: `bad token ${got.headers.authorization}` }),
        { headers: { Authorization: "Bearer s3cr3t-token" } }
      )
      const error = yield* Effect.flip(list(transport))
      expect(error).toMatchObject({ kind: "http", status: 403 })
      expect(error.message).toContain("bad token ***")
      expect(JSON.stringify(error)).not.toContain("s3cr3t")
    })
  )

  it.scopedLive("a handshake that is interrupted is not cancelled by a message, and leaves no socket open", () =>
    Effect.gen(function* () {
      let closed = false
      const server = yield* Http.serve((_, response) => {
        response.on("close", () => {
          closed = true
        })
      })
      const transport = yield* connect(server.url)
      const call = yield* Effect.fork(transport.request("initialize", {}, { silent: true }))
      while (server.got.length === 0) yield* Effect.sleep("5 millis")
      yield* Fiber.interrupt(call)
      while (!closed) yield* Effect.sleep("5 millis")
      expect(server.got).toHaveLength(1)
    })
  )
})
