import { expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe } from "vitest"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import type * as McpTransport from "../../src/mcp/McpTransport.ts"
import { open } from "./stdioServer.ts"

const initialize = (transport: McpTransport.Service) =>
  transport.request("initialize", { protocolVersion: "2025-06-18", capabilities: {} })

const call = (transport: McpTransport.Service, name: string, args: JsonObject = {}) =>
  transport.request("tools/call", { name, arguments: args })

const text = (text: string) => ({ content: [{ type: "text", text }] })

const raw = (transport: McpTransport.Service, chunks: ReadonlyArray<string>, timeout = Duration.seconds(10)) =>
  transport.request("raw", { chunks }, { timeout })

describe("lines of a server", () => {
  it.scopedLive("what is no message is skipped, and shown in samples that a terminal can bear", () =>
    Effect.gen(function* () {
      const transport = yield* open("stdout-noise")
      yield* initialize(transport)
      expect(yield* call(transport, "echo", { text: "hi" })).toEqual(text("hi"))
      const { skipped } = yield* transport.diagnostics
      expect(skipped[0]).toBe("Starting demo server v1.0 ...")
      expect(skipped.find((sample) => sample.includes("Success"))).toMatch(/^not a JSON-RPC message.*\{"status":200/)
      expect(skipped.join("")).not.toMatch(/\p{Cc}/u)
    })
  )

  it.scopedLive("samples are few and short, however much noise there is", () =>
    Effect.gen(function* () {
      const transport = yield* open("raw")
      const noise = Array.from({ length: 100 }, (_, i) => `${i} ${"x".repeat(10_000)}\n`)
      yield* raw(transport, [noise.join(""), '{"jsonrpc":"2.0","id":$ID,"result":1}\n'])
      const { skipped } = yield* transport.diagnostics
      expect(skipped.length).toBeLessThanOrEqual(20)
      expect(Math.max(...skipped.map((sample) => sample.length))).toBeLessThan(250)
    })
  )

  it.scopedLive("a byte order mark and carriage returns are dropped, Unicode line separators are text", () =>
    Effect.gen(function* () {
      const transport = yield* open("line-separators")
      yield* initialize(transport)
      expect(yield* call(transport, "sep")).toEqual(text("a\u2028b\u2029c\u0085d\u000be"))
      expect((yield* transport.diagnostics).skipped).toEqual([])
    })
  )

  it.scopedLive("a message may come in as many pieces as it has bytes, and many in one piece", () =>
    Effect.gen(function* () {
      const transport = yield* open("raw")
      const pieces = Array.from('{"jsonrpc":"2.0","id":$ID,"result":"日本語 😀"}\n'.replace("$ID", "1"))
      expect(yield* raw(transport, pieces)).toBe("日本語 😀")
      const notification = (n: number) => `{"jsonrpc":"2.0","method":"n","params":{"n":${n}}}\n`
      expect(
        yield* raw(transport, [`${notification(1)}${notification(2)}{"jsonrpc":"2.0","id":$ID,"resu`, 'lt":"end"}\n'])
      ).toBe("end")
      const messages = yield* transport.inbound.pipe(Stream.take(2), Stream.runCollect)
      expect(Chunk.toReadonlyArray(messages).map((message) => message.params?.n)).toEqual([1, 2])
    })
  )

  it.scopedLive("a batch is taken apart; an empty or nested one costs nothing", () =>
    Effect.gen(function* () {
      const transport = yield* open("raw")
      const answer = yield* raw(transport, [
        "[]\n[[1],null]\n",
        '[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":$ID,"result":"batched"}]\n'
      ])
      expect(answer).toBe("batched")
      expect(yield* Stream.runHead(transport.inbound)).toMatchObject({ value: { method: "n" } })
    })
  )

  it.scopedLive("JSON over several lines is lost, and the timeout says so", () =>
    Effect.gen(function* () {
      const transport = yield* open("raw")
      yield* transport.request("stderr", { text: "it runs" })
      const pretty = '{\n  "jsonrpc": "2.0",\n  "id": $ID,\n  "result": {}\n}\n'
      const error = yield* Effect.flip(raw(transport, [pretty], Duration.millis(200)))
      expect(error).toMatchObject({ kind: "timeout", hint: expect.stringContaining("several lines") })
      expect(yield* raw(transport, ['{"jsonrpc":"2.0","id":$ID,"result":"next"}\n'])).toBe("next")
    })
  )

  it.scopedLive("an error without an id is kept with its text and the one request that it may be about", () =>
    Effect.gen(function* () {
      const transport = yield* open("raw")
      yield* raw(transport, [
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}\n',
        '{"jsonrpc":"2.0","id":$ID,"result":1}\n'
      ])
      expect((yield* transport.diagnostics).skipped[0]).toMatch(/-32700 Parse error \(open request: raw\)/)
    })
  )

  it.scopedLive("nesting too deep to be anything costs that line alone", () =>
    Effect.gen(function* () {
      const transport = yield* open("raw")
      const deep = "[".repeat(200_000) + "]".repeat(200_000)
      const answer = yield* raw(transport, [`${deep}\n`, '{"jsonrpc":"2.0","id":$ID,"result":"alive"}\n'])
      expect(answer).toBe("alive")
    })
  )

  it.scopedLive("a line of megabytes is a message like any other", () =>
    Effect.gen(function* () {
      const transport = yield* open("huge-line")
      yield* initialize(transport)
      expect(yield* call(transport, "big")).toEqual(text("x".repeat(5 * 1024 * 1024)))
      expect(yield* call(transport, "small")).toEqual(text("ok"))
    })
  )

  it.scopedLive("a line that never ends breaks the connection at the limit, after what came before it", () =>
    Effect.gen(function* () {
      const transport = yield* open("huge-line", [], { maxLineBytes: 1024 * 1024 })
      yield* initialize(transport)
      const [small, endless] = yield* Effect.all([call(transport, "small"), Effect.flip(call(transport, "endless"))], {
        concurrency: "unbounded"
      })
      expect(small).toEqual(text("ok"))
      expect(endless).toMatchObject({ kind: "too-large", message: expect.stringContaining("1048576") })
      expect((yield* Effect.flip(transport.closed)).kind).toBe("too-large")
    })
  )

  it.scopedLive("what a server says before anyone listens is kept, and can be answered", () =>
    Effect.gen(function* () {
      const transport = yield* open("early-traffic")
      yield* Effect.forkScoped(
        Stream.runForEach(
          Stream.filter(transport.inbound, ({ _tag }) => _tag === "Request"),
          (message) =>
            message._tag === "Request"
              ? Effect.orDie(transport.respond(message.id, { _tag: "Result", result: {} }))
              : Effect.void
        )
      )
      yield* initialize(transport)
      expect(yield* call(transport, "pong_seen")).toEqual(text("pong:true initialized:false listsBeforeInit:0"))
    })
  )
})

describe("stderr of a server", () => {
  it.scopedLive("is always drained, and the last of it kept", () =>
    Effect.gen(function* () {
      const transport = yield* open("stderr-flood")
      yield* initialize(transport)
      expect(yield* call(transport, "noisy")).toEqual(text("done"))
      const { stderr } = yield* transport.diagnostics
      expect(stderr.length).toBeLessThanOrEqual(64 * 1024)
      expect(stderr).toContain("WARN something happened")
    })
  )
})

describe("writing to a server", () => {
  it.scopedLive("a server that is slow to read gets every message, in order and whole", () =>
    Effect.gen(function* () {
      const transport = yield* open("slow-reader")
      const filler = "é".repeat(10_000)
      for (let n = 0; n < 500; n++) yield* transport.notify("n", { n, filler })
      expect(yield* transport.request("count", {})).toEqual({ seen: 500, ordered: true })
    })
  )

  it.scopedLive("a request made while the server does not read can be given up", () =>
    Effect.gen(function* () {
      const transport = yield* open("slow-reader")
      const big = transport.request("count", { filler: "x".repeat(1024 * 1024) }, { timeout: Duration.millis(20) })
      expect((yield* Effect.flip(big)).kind).toBe("timeout")
      expect(yield* transport.request("count", {})).toMatchObject({ seen: 1 })
    })
  )
})
