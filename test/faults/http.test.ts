/**
 * D. HTTP transports: sessions, streams and replies.
 */
import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as fc from "fast-check"
import { vi } from "vitest"
import { event, events, fixture, json, serve } from "../mcp/httpServer.ts"
import { fault } from "./fault.ts"
import { textOf } from "./living.ts"
import { at, callT, failure, gotOf, requestsOf, said, site } from "./overHttp.ts"

const unit = ["test/mcp/HttpTransport.session.test.ts", "test/mcp/McpClientSession.test.ts"]
const streams = ["test/mcp/HttpTransport.streams.test.ts", "test/mcp/internal/ServerStream.test.ts"]
const replies = ["test/mcp/HttpTransport.replies.test.ts"]

fault(
  32,
  "A 404 to a session opens one new session, shared by all that found out, and each refused request is sent once more; a server that is down ends the attempt",
  () => {
    it.scopedLive(
      "fifty calls at once that find the session gone share one new one, and none is lost or run twice",
      () =>
        Effect.gen(function* () {
          let session = 1
          const ran: Array<unknown> = []
          const inner = site({
            call: (got, response) => {
              ran.push(got.message.id)
              json(response, 200, said(got, `s${session}`))
            }
          })
          const server = yield* serve((got, response) => {
            const sent = got.headers["mcp-session-id"]
            if (got.message.method === "initialize") {
              if (sent !== undefined) return json(response, 400, "initialize must not carry a session id")
              response.setHeader("mcp-session-id", `s${session}`)
            } else if (sent !== `s${session}`) return void response.writeHead(404).end()
            inner(got, response)
          })
          const manager = yield* at(server.url)
          expect(yield* callT(manager)).toBe("s1")
          for (const restart of [2, 3]) {
            session = restart
            ran.length = 0
            const texts = yield* Effect.all(
              Array.from({ length: 50 }, () => callT(manager)),
              { concurrency: "unbounded" }
            )
            expect(new Set(texts)).toEqual(new Set([`s${restart}`]))
            expect(ran).toHaveLength(50)
            expect(gotOf(server, "initialize")).toHaveLength(restart)
          }
          expect(gotOf(server, "notifications/initialized")).toHaveLength(3)
        })
    )

    it.scopedLive("a server that forgets after three calls answers ten in a row", () =>
      Effect.gen(function* () {
        const { origin } = yield* fixture("session")
        const manager = yield* at(`${origin}/mcp`)
        const answers = yield* Effect.forEach(Array.from({ length: 10 }), () => textOf(manager, "it", "whoami"))
        expect(answers).toEqual(["s1", "s1", "s1", "s2", "s2", "s2", "s3", "s3", "s3", "s4"])
        expect(JSON.parse(yield* textOf(manager, "it", "stats"))).toMatchObject({ inits: 4 })
      })
    )

    it.scopedLive("one that cannot open a session again fails the call, with its own error", () =>
      Effect.gen(function* () {
        const { origin } = yield* fixture("session", "dead")
        const manager = yield* at(`${origin}/mcp`)
        yield* Effect.forEach([1, 2, 3], () => textOf(manager, "it", "whoami"))
        const error = yield* Effect.flip(textOf(manager, "it", "whoami")).pipe(Effect.timeout("10 seconds"))
        expect(error).toMatchObject({ server: "it", message: expect.stringContaining("down") })
      })
    )
  },
  { see: unit }
)

fault(
  33,
  "A session id is taken from the answer to a successful initialize, and from nothing else",
  () => {
    it.scopedLive("ids on errors, on other answers and on refusals are never presented", () =>
      Effect.gen(function* () {
        const bogus = { "mcp-session-id": "bogus" }
        const inner = site({
          headers: { "mcp-session-id": "real" },
          call: (got, response) => json(response, 200, said(got, "ok"), bogus)
        })
        let refuse = false
        const server = yield* serve((got, response) => {
          if (refuse && got.message.method === "tools/call") return void json(response, 500, {}, bogus)
          if (got.message.method === "notifications/initialized") return void response.writeHead(202, bogus).end()
          inner(got, response)
        })
        const manager = yield* at(server.url)
        yield* callT(manager)
        refuse = true
        yield* Effect.flip(callT(manager))
        refuse = false
        yield* callT(manager)
        const ids = server.got
          .slice(1)
          .map(({ headers, message }) => (message.method === "initialize" ? "real" : headers["mcp-session-id"]))
        expect(new Set(ids)).toEqual(new Set(["real"]))
      })
    )

    it.scopedLive("a 404 that brings an id leads to a new session all the same", () =>
      Effect.gen(function* () {
        const { origin } = yield* fixture("session", "errid")
        const manager = yield* at(`${origin}/mcp`)
        const answers = yield* Effect.forEach([1, 2, 3, 4, 5], () => textOf(manager, "it", "whoami"))
        expect(answers.at(-1)).toBe("s2")
      })
    )
  },
  { see: unit }
)

fault(
  34,
  "A server that refuses the GET, or answers it with something else, has no stream of its own, and works otherwise",
  () => {
    it.scopedLive("whatever the refusal, calls go on and the GET is not repeated", () =>
      Effect.gen(function* () {
        for (const [status, type] of [
          [404, ""],
          [400, "text/html"],
          [406, "application/json"],
          [405, ""],
          [501, ""],
          [200, "application/json"],
          [200, "text/html"],
          [204, ""]
        ] as const) {
          const server = yield* serve(
            site({
              get: (_, response) =>
                void response.writeHead(status, { "content-type": type }).end(status === 204 ? "" : "{}")
            })
          )
          const manager = yield* at(server.url)
          for (let call = 0; call < 5; call++) expect(yield* callT(manager)).toBe("ok")
          expect(requestsOf(server, "GET").length, String(status)).toBeLessThanOrEqual(1)
          expect(yield* failure(manager)).toBeUndefined()
        }
      })
    )
  },
  { see: streams }
)

fault(
  35,
  "A stream that ends is opened again later and later, unless it brought a message; never sooner than the server asks",
  () => {
    it.scopedLive("a server that ends every stream at once is not asked again and again", () =>
      Effect.gen(function* () {
        const server = yield* serve(
          site({
            get: (_, response) => {
              events(response)
              response.end()
            }
          })
        )
        const manager = yield* at(server.url)
        for (let call = 0; call < 20; call++) yield* callT(manager)
        expect(requestsOf(server, "GET").length).toBeLessThanOrEqual(3)
      })
    )
  },
  { see: streams }
)

fault(
  36,
  "Any 2xx to a message that asks for nothing is done; its body and type are nobody's business",
  () => {
    it.scopedLive("each way of saying that a notification came", () =>
      Effect.gen(function* () {
        for (const mode of ["202", "200empty", "204", "null", "text", "sseempty", "obj"]) {
          const { origin } = yield* fixture("notify-quirks", mode)
          const manager = yield* at(`${origin}/mcp`)
          for (let call = 0; call < 2; call++) expect(yield* textOf(manager, "it", "ok"), mode).toBe("initialized:true")
        }
      })
    )
  },
  { see: replies }
)

fault(
  37,
  "Media types are compared without parameters and case, and harness9 sends plain application/json",
  () => {
    it.scopedLive("every spelling of the two types is understood", () =>
      Effect.gen(function* () {
        for (const type of [
          "application/json",
          'APPLICATION/JSON;charset="utf-8"',
          "application/json ; charset=UTF-8; x=y",
          "Application/Json"
        ]) {
          const strict = site({
            answer: (message, _, response) =>
              void response.writeHead(200, { "content-type": type }).end(JSON.stringify(message))
          })
          const server = yield* serve((got, response) => {
            if (got.method === "POST" && got.headers["content-type"] !== "application/json")
              return void response.writeHead(415).end()
            strict(got, response)
          })
          expect(yield* callT(yield* at(server.url)), type).toBe("ok")
        }
        for (const type of ["text/event-stream;charset=utf-8", "TEXT/EVENT-STREAM", "text/event-stream ; x"]) {
          const server = yield* serve(
            site({
              answer: (message, _, response) =>
                void response.writeHead(200, { "content-type": type }).end(event(message))
            })
          )
          expect(yield* callT(yield* at(server.url)), type).toBe("ok")
        }
      })
    )
  },
  { see: [...replies, "test/mcp/internal/HttpFields.test.ts"] }
)

fault(
  38,
  "Event streams are read by the WHATWG rules, from bytes: any line ends, any cuts, comments, ids, several data lines",
  () => {
    it.scopedLive("however a legal stream is written and cut, its answer arrives", () =>
      Effect.gen(function* () {
        const style = fc.record({
          end: fc.constantFrom("\n", "\r\n", "\r"),
          bom: fc.boolean(),
          before: fc.array(
            fc.constantFrom(": ping", "id: e0\ndata:\n", "retry: 50", "event: other\ndata: {}\n", "unknown: x", ""),
            { maxLength: 4 }
          ),
          space: fc.constantFrom("", " "),
          size: fc.integer({ min: 1, max: 40 })
        })
        const plain = { end: "\n", bom: false, before: [], space: " ", size: 1000 }
        let next = 0
        const styles = fc.sample(style, { numRuns: 40, seed: 8 })
        const server = yield* serve(
          site({
            call: (got, response) => {
              const { before, bom, end, size, space } = styles[next++] ?? plain
              const lines = JSON.stringify(said(got, "é日😀"), undefined, 1)
                .split("\n")
                .map((line) => `data:${space}${line}`)
              const text = [...before.flatMap((part) => part.split("\n")), "", ...lines, "", ""].join(end)
              const bytes = Buffer.from(`${bom ? "\uFEFF" : ""}${text}`)
              events(response)
              const write = (from: number): void => {
                if (from >= bytes.length) return void response.end()
                response.write(bytes.subarray(from, from + size), () => setImmediate(write, from + size))
              }
              write(0)
            }
          })
        )
        const manager = yield* at(server.url)
        for (const index of styles.keys()) expect(yield* callT(manager), JSON.stringify(styles[index])).toBe("é日😀")
      })
    )

    it.scopedLive("rare framings of a real server", () =>
      Effect.gen(function* () {
        const { origin } = yield* fixture("sse-framing")
        const manager = yield* at(`${origin}/mcp`)
        for (const tool of ["crlf", "cr", "multi", "split"])
          expect(yield* textOf(manager, "it", tool)).toBe(`${tool} é日😀`)
      })
    )
  },
  { see: [...replies, "test/mcp/internal/SseReader.test.ts"] }
)

fault(
  39,
  "A reply whose stream breaks is resumed from its last event id, or fails at once when there is none; a call is posted once",
  () => {
    it.scopedLive("a stream that the server closes for polling is taken up again, with id, session and revision", () =>
      Effect.gen(function* () {
        let waiting: unknown
        const server = yield* serve(
          site({
            headers: { "mcp-session-id": "s1" },
            call: (got, response) => {
              waiting = said(got, "resumed")
              events(response)
              response.end("id: c1-1\nretry: 10\ndata:\n\n")
            },
            get: (got, response) => {
              if (got.headers["last-event-id"] !== "c1-1") return void response.writeHead(405).end()
              events(response)
              response.end(event(waiting, "c1-2"))
            }
          })
        )
        const manager = yield* at(server.url)
        for (let call = 1; call <= 3; call++) {
          expect(yield* callT(manager)).toBe("resumed")
          expect(gotOf(server, "tools/call")).toHaveLength(call)
        }
        const resuming = requestsOf(server, "GET").findLast(({ headers }) => headers["last-event-id"] !== undefined)
        expect(resuming?.headers).toMatchObject({ "mcp-session-id": "s1", "mcp-protocol-version": "2025-11-25" })
      })
    )

    it.scopedLive("without an id, or with a broken socket, the call fails now and is not sent again", () =>
      Effect.gen(function* () {
        for (const [cut, ends] of [
          [": hello\n\n", true],
          ["data: {", false],
          ["event: message\n", true],
          ["data: 1\n", false]
        ] as const) {
          const server = yield* serve(
            site({
              call: (_, response) => {
                events(response)
                response.write(cut, () => (ends ? response.end() : response.destroy()))
              }
            })
          )
          const manager = yield* at(server.url)
          const error = yield* Effect.flip(callT(manager)).pipe(Effect.timeout("10 seconds"))
          expect(error).toMatchObject({ server: "it" })
          expect(gotOf(server, "tools/call")).toHaveLength(1)
        }
      })
    )
  },
  { see: streams }
)

fault(
  40,
  "No limit of the HTTP client ends a long call or an idle stream: only the limits of the call do",
  () => {
    it.scopedLive("ten minutes of silence before the headers, and ten within the stream", () =>
      Effect.gen(function* () {
        const steps: Array<() => void> = []
        let asked = () => {}
        const server = yield* serve(
          site({
            call: (got, response) => {
              steps.push(
                () => {
                  events(response)
                  response.write(": still here\n\n")
                },
                () => {
                  response.end(event(said(got, "at last")))
                }
              )
              asked()
            }
          })
        )
        // From before the first connection on: the client's timers live as long as it does.
        yield* Effect.acquireRelease(
          Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true })),
          () => Effect.sync(() => vi.useRealTimers())
        )
        const manager = yield* at(server.url, {}, { callTimeout: Duration.hours(1) })
        const arrived = new Promise<void>((resolve) => {
          asked = resolve
        })
        const call = yield* Effect.fork(callT(manager))
        yield* Effect.promise(() => arrived)
        for (const step of steps) {
          for (let minute = 0; minute < 10; minute++) yield* Effect.promise(() => vi.advanceTimersByTimeAsync(60_000))
          step()
        }
        expect(yield* Fiber.join(call)).toBe("at last")
      })
    )
  },
  { see: streams }
)
