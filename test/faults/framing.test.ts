/**
 * B. Framing and JSON-RPC over stdio: what is a message, and whose.
 */
import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import * as JsonRpc from "../../src/mcp/JsonRpc.ts"
import type * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { open } from "../mcp/stdioServer.ts"
import { fault } from "./fault.ts"
import { client, connect, living, statusOf, stdio, textOf } from "./living.ts"

const wire = ["test/mcp/StdioTransport.wire.test.ts", "test/mcp/internal/LineFraming.test.ts"]

/** Has the fixture `raw` write these texts; `$ID` in them is the request's id. */
const say = (
  transport: McpTransport.Service,
  chunks: ReadonlyArray<string>,
  { size, timeout = Duration.seconds(10) }: { readonly size?: number; readonly timeout?: Duration.Duration } = {}
) => transport.request("raw", { chunks, size }, { timeout })

const answer = (result: unknown) => `{"jsonrpc":"2.0","id":$ID,"result":${JSON.stringify(result)}}\n`

/** Lines that are no message, as programs write them where they should not. */
const noise = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    '[INFO] {"a":1',
    '{"status":200}',
    "42",
    "null",
    "true",
    '"x"',
    "[]",
    "}",
    '{"id":1}',
    "\x1b[31m"
  ),
  fc.string().map((text) => text.replaceAll("\n", "")),
  fc.json()
)

fault(
  11,
  "A line that is no JSON-RPC object is skipped; the first few are kept as short, harmless samples",
  () => {
    it.scopedLive("whatever stands between the messages, every request of the session gets its answer", () =>
      Effect.gen(function* () {
        const transport = yield* open("raw")
        const runs = fc.sample(fc.array(noise, { maxLength: 20 }), { numRuns: 100, seed: 9 })
        yield* Effect.forEach(runs, (lines, run) =>
          Effect.map(say(transport, [`${lines.join("\n")}\n`, answer(run)]), (result) => expect(result).toBe(run))
        )
        const { skipped } = yield* transport.diagnostics
        expect(skipped.length).toBeGreaterThan(0)
        expect(skipped.join("")).not.toMatch(/\p{Cc}/u)
      })
    )

    it.scopedLive("a server that prints a banner and half a message has its tools, and its calls answered", () =>
      Effect.gen(function* () {
        const { callTool } = yield* client("stdout-noise")
        for (const text of ["hi", "again"]) expect((yield* callTool("echo", { text })).text).toBe(text)
      })
    )
  },
  { see: wire }
)

fault(
  12,
  "Bytes are gathered and cut at line feeds, then decoded: messages may come in pieces of any size, or many at once",
  () => {
    it.scopedLive("a message in pieces of any size is the same message", () =>
      Effect.gen(function* () {
        const transport = yield* open("raw")
        const text = "日本語 😀 é \\n \u{10ffff}"
        for (const size of [1, 2, 3, 5, 7, 64]) {
          expect(yield* say(transport, [answer(text)], { size })).toBe(text)
        }
      })
    )

    it.scopedLive("the answers to many requests may come in one write, in any order", () =>
      Effect.gen(function* () {
        const transport = yield* open("raw")
        const one = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":${id * 10}}\n`
        const asked = [[], [], [], [`${one(3)}${one(1)}${one(4)}${one(2)}`]].map((chunks) => say(transport, chunks))
        expect(yield* Effect.all(asked, { concurrency: "unbounded" })).toEqual([10, 20, 30, 40])
      })
    )
  },
  { see: wire }
)

fault(
  13,
  "Only a line feed ends a line: other separators inside texts arrive unchanged, and are escaped in what harness9 writes",
  () => {
    const separators = ["\u2028", "\u2029", "\u0085", "\u000b", "\u000c", "\u001c", "\r", "\ufeff"]

    it.scopedLive("texts with every kind of separator arrive as they were sent", () =>
      Effect.gen(function* () {
        const transport = yield* open("raw")
        for (const separator of separators) {
          const text = `a${separator}b${separator}`
          expect(yield* say(transport, [answer(text)])).toBe(text)
        }
        const { callTool } = yield* client("line-separators")
        expect((yield* callTool("sep", {})).text).toBe("a\u2028b\u2029c\u0085d\u000be")
      })
    )

    it("no message that harness9 writes holds a character that some reader takes for a line end", () => {
      const text = fc.string({ unit: fc.constantFrom(...separators, "\n", "a", "😀") })
      fc.assert(
        fc.property(text, text, (key, value) => {
          const line = JsonRpc.encodeRequest(1, "tools/call", { [`k${key}`]: value })
          expect(line).not.toMatch(/[\n\r\u2028\u2029]/)
          expect(JSON.parse(line).params[`k${key}`]).toBe(value)
        })
      )
    })
  },
  { see: wire }
)

fault(
  14,
  "Lines of megabytes are messages; one over the limit ends its connection with the reason, after what came before it",
  () => {
    it.scopedLive("five megabytes in one line, and the next call is none the worse", () =>
      Effect.gen(function* () {
        const { callTool } = yield* client("huge-line")
        expect((yield* callTool("big", {})).text).toHaveLength(5 * 1024 * 1024)
        expect((yield* callTool("small", {})).text).toBe("ok")
      })
    )

    it.scopedLive("the verdict depends on the line alone, however the pipe cuts it", () =>
      Effect.gen(function* () {
        const empty = answer("").replace("$ID", "1").length - 1
        for (const size of [undefined, 100, 999]) {
          const fits = yield* open("raw", [], { maxLineBytes: 2000 })
          expect(yield* say(fits, [answer("x".repeat(2000 - empty))], { size: size ?? 100_000 })).toHaveLength(
            2000 - empty
          )
          const over = yield* open("raw", [], { maxLineBytes: 2000 })
          const error = yield* Effect.flip(say(over, [answer("x".repeat(2001 - empty))], { size: size ?? 100_000 }))
          expect(error).toMatchObject({ kind: "too-large", message: expect.stringContaining("2000 bytes") })
        }
      })
    )

    it.scopedLive(
      "a line without end fails that call and each later one at once; what was answered before counts",
      () =>
        Effect.gen(function* () {
          const transport = yield* open("raw", [], { maxLineBytes: 10_000 })
          const [before, endless] = yield* Effect.all(
            [
              say(transport, []),
              Effect.flip(say(transport, ['{"jsonrpc":"2.0","id":1,"result":"before"}\n', "y".repeat(20_000)]))
            ],
            { concurrency: "unbounded" }
          )
          expect(before).toBe("before")
          expect(endless.kind).toBe("too-large")
          expect((yield* Effect.flip(say(transport, [answer(1)]))).kind).toBe("too-large")
        })
    )
  },
  { see: wire }
)

fault(
  15,
  "Stderr is always drained, its last 64 KiB kept, and none of it taken for a failure",
  () => {
    it.scopedLive("a server that floods it before the handshake connects, and answers call after call", () =>
      Effect.gen(function* () {
        const manager = yield* living([stdio("stderr-flood")])
        for (let call = 0; call < 3; call++) expect(yield* textOf(manager, "stderr-flood", "noisy")).toBe("done")
        const { stderr } = yield* manager.diagnostics("stderr-flood")
        expect(stderr.length).toBeGreaterThan(1000)
        expect(Buffer.byteLength(stderr)).toBeLessThanOrEqual(64 * 1024)
      })
    )

    it.scopedLive("megabytes without a line end are bounded, and end with what was written last", () =>
      Effect.gen(function* () {
        const transport = yield* open("raw")
        yield* transport.request("stderr", { text: `${"é".repeat(1024 * 1024)}the end` })
        expect(yield* say(transport, [answer("alive")])).toBe("alive")
        const { stderr } = yield* transport.diagnostics
        expect(Buffer.byteLength(stderr)).toBeLessThanOrEqual(64 * 1024)
        expect(stderr).toMatch(/^é+the end$/)
      })
    )
  },
  { see: [...wire, "test/mcp/internal/StderrTail.test.ts"] }
)

fault(
  19,
  "Answers with no id, an unknown one, one of another type, or a second time are dropped and kept as samples; the wait ends by its own answer or in time",
  () => {
    it.scopedLive("none of them answers a request, and none of them breaks the session", () =>
      Effect.gen(function* () {
        const transport = yield* open("raw")
        for (const odd of [
          '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
          '{"jsonrpc":"2.0","id":"$ID","result":"a text"}',
          '{"jsonrpc":"2.0","id":[$ID],"result":"a list"}',
          '{"jsonrpc":"2.0","id":0,"result":"zero"}',
          '{"jsonrpc":"2.0","id":-1,"result":"negative"}',
          '{"jsonrpc":"2.0","id":1e999,"result":"endless"}',
          '{"jsonrpc":"2.0","result":"none"}',
          '{"jsonrpc":"2.0","error":{"code":1,"message":"none"}}'
        ]) {
          expect(yield* say(transport, [`${odd}\n`, answer("mine"), answer("again")])).toBe("mine")
        }
        const { skipped } = yield* transport.diagnostics
        expect(skipped.some((sample) => sample.includes("Parse error") && sample.includes("open request: raw"))).toBe(
          true
        )
      })
    )

    it.scopedLive("a server that answers with the wrong id costs the time allowed, and its next answer counts", () =>
      Effect.gen(function* () {
        const transport = yield* open("raw")
        yield* say(transport, [answer("it runs")])
        const wrong = say(transport, ['{"jsonrpc":"2.0","id":0,"result":1}\n'], { timeout: Duration.millis(100) })
        expect((yield* Effect.flip(wrong)).kind).toBe("timeout")
        expect(yield* say(transport, [answer("right")])).toBe("right")
      })
    )
  },
  { see: [...wire, "test/mcp/internal/PendingRequests.test.ts"] }
)

fault(
  20,
  "A batch is taken apart, each message by itself; an empty or nested one costs nothing; harness9 sends none",
  () => {
    it.scopedLive("whatever a batch holds beside it, the answer inside arrives", () =>
      Effect.gen(function* () {
        const transport = yield* open("raw")
        const beside = [
          "",
          "null,",
          "[],",
          "1,",
          '{"jsonrpc":"2.0","method":"notifications/message"},',
          '[{"jsonrpc":"2.0"}],'
        ]
        for (const element of beside) {
          expect(yield* say(transport, ["[]\n", `[${element}${answer("inside").trim()}]\n`])).toBe("inside")
        }
        expect(yield* Stream.runHead(transport.inbound)).toMatchObject({ value: { method: "notifications/message" } })
      })
    )

    it.scoped("many requests at once are many messages", () =>
      Effect.gen(function* () {
        const server = TestServer.make({ tools: { a: { handler: () => "ok" } } })
        const { callTool } = yield* connect(server)
        yield* Effect.all(
          Array.from({ length: 20 }, () => callTool("a", {})),
          { concurrency: "unbounded" }
        )
        expect(yield* server.calls).toHaveLength(20)
      })
    )
  },
  { see: wire }
)

fault(
  21,
  "A byte order mark at the beginning and a carriage return at the end of a line are dropped; JSON over several lines is named when the wait ends",
  () => {
    it.scopedLive("line ends of Windows, on every line of a session", () =>
      Effect.gen(function* () {
        const transport = yield* open("raw")
        const windows = (result: unknown) => answer(result).replace("\n", "\r\n")
        expect(yield* say(transport, [`\uFEFF${windows(1)}`])).toBe(1)
        expect(yield* say(transport, ["\r\n\r\n", windows(2)], { size: 1 })).toBe(2)
        expect((yield* transport.diagnostics).skipped).toEqual([])
      })
    )

    it.scopedLive("pretty-printed answers are lost in words, and never swallow the line after them", () =>
      Effect.gen(function* () {
        const transport = yield* open("raw")
        yield* say(transport, [answer("it runs")])
        for (const space of [2, "\t"]) {
          const pretty = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { a: [1, { b: 2 }] } }, undefined, space)
          const lost = say(transport, [`${pretty}\n`], { timeout: Duration.millis(100) })
          expect(yield* Effect.flip(lost)).toMatchObject({ kind: "timeout", hint: expect.stringContaining("one line") })
          expect(yield* say(transport, [`${pretty}\n${answer("next")}`])).toBe("next")
        }
        expect((yield* statusOf(yield* living([stdio("line-separators")]), "line-separators"))?._tag).toBe("Connected")
      })
    )
  },
  { see: wire }
)
