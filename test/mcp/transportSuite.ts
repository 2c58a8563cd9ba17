/**
 * What every transport must do, whatever carries it. The server behind it is `test/fixtures/suite-server.mjs`, whose head
 * says what its methods do.
 */
import { expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { describe } from "vitest"
import type { Id, JsonObject } from "../../src/mcp/JsonRpc.ts"
import type { McpError } from "../../src/mcp/McpError.ts"
import type { Progress } from "../../src/mcp/McpSchema.ts"
import type * as McpTransport from "../../src/mcp/McpTransport.ts"

type Transport = McpTransport.Service

const handshake = (transport: Transport) =>
  Effect.gen(function* () {
    yield* transport.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "suite", version: "1.0.0" }
    })
    yield* transport.negotiated("2025-11-25")
    yield* transport.notify("notifications/initialized")
  })

/** Answers every request of the server with the params it came with. */
const answering = (transport: Transport) =>
  Effect.forkScoped(
    Stream.runForEach(transport.inbound, (message) =>
      message._tag === "Request"
        ? Effect.ignore(transport.respond(message.id, { _tag: "Result", result: { asked: message.method } }))
        : Effect.void
    )
  )

/** A request whose answer has a known shape: the suite's server is ours. */
const answer = <A>(
  transport: Transport,
  method: string,
  params: JsonObject,
  options?: McpTransport.RequestOptions
): Effect.Effect<A, McpError> => Effect.map(transport.request(method, params, options), (result) => result as A)

/** Waits until the server has the request: it answers in order. */
const arrived = (transport: Transport) => transport.request("echo", {})

/**
 * Runs the suite, each test on a connection of its own that `make` opens.
 */
export const transportSuite = (name: string, make: Effect.Effect<Transport, McpError, Scope.Scope>): void => {
  const behaves = (behaviour: string, test: (transport: Transport) => Effect.Effect<void, unknown, Scope.Scope>) =>
    it.scopedLive(behaviour, () => Effect.tap(make, handshake).pipe(Effect.flatMap(test)))

  describe(`${name} transport`, () => {
    behaves("a request is answered with the server's result", (transport) =>
      Effect.gen(function* () {
        const params = { text: "hello", nested: { list: [1, null, "two"] } }
        expect(yield* transport.request("echo", params)).toEqual(params)
      })
    )

    behaves("answers find their requests in whatever order they come", (transport) =>
      Effect.gen(function* () {
        const answers = yield* Effect.forEach([0, 1, 2, 3, 4], (n) => transport.request("reversed", { n, of: 5 }), {
          concurrency: "unbounded"
        })
        expect(answers).toEqual([0, 1, 2, 3, 4].map((n) => ({ n, of: 5 })))
      })
    )

    behaves("a hundred requests at once are each answered with their own result", (transport) =>
      Effect.gen(function* () {
        const numbers = Array.from({ length: 100 }, (_, n) => n)
        const answers = yield* Effect.forEach(numbers, (n) => transport.request("echo", { n }), {
          concurrency: "unbounded"
        })
        expect(answers).toEqual(numbers.map((n) => ({ n })))
      })
    )

    behaves("an error answer fails the request with its code and data, and leaves the connection usable", (transport) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          transport.request("fail", { code: -32001, message: "no such thing", data: { id: 7 } }, { phase: "list" })
        )
        expect(error).toMatchObject({
          kind: "rpc",
          phase: "list",
          code: -32001,
          message: "no such thing",
          data: { id: 7 }
        })
        expect(yield* transport.request("echo", { still: "here" })).toEqual({ still: "here" })
      })
    )

    behaves("a request without an answer fails at its timeout, is cancelled, and the next one works", (transport) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(transport.request("never", {}, { timeout: Duration.millis(50) }))
        expect(error).toMatchObject({ kind: "timeout", phase: "call", message: expect.stringContaining("never") })
        const { cancellations } = yield* answer<Cancellations>(transport, "cancellations", {})
        expect(cancellations).toHaveLength(1)
        expect(cancellations[0]).toMatchObject({ requestId: expect.anything(), reason: expect.any(String) })
      })
    )

    behaves("interrupting a request tells the server and leaves the connection usable", (transport) =>
      Effect.gen(function* () {
        const cancelled = yield* Effect.fork(transport.request("nextCancelled", {}))
        const call = yield* Effect.fork(transport.request("never", {}))
        yield* arrived(transport)
        yield* Fiber.interrupt(call)
        expect(yield* Fiber.join(cancelled)).toMatchObject({ requestId: expect.anything() })
        expect(yield* transport.request("echo", { still: "here" })).toEqual({ still: "here" })
      })
    )

    behaves("an answer that comes after its request was given up is dropped", (transport) =>
      Effect.gen(function* () {
        const cancelled = yield* Effect.fork(transport.request("nextCancelled", {}))
        const call = yield* Effect.fork(transport.request("late", {}))
        yield* arrived(transport)
        yield* Fiber.interrupt(call)
        yield* Fiber.join(cancelled)
        expect(yield* transport.request("echo", { n: 1 })).toEqual({ n: 1 })
        expect(yield* transport.request("echo", { n: 2 })).toEqual({ n: 2 })
      })
    )

    behaves("a silent request is given up without a word to the server", (transport) =>
      Effect.gen(function* () {
        yield* Effect.flip(transport.request("never", {}, { silent: true, timeout: Duration.millis(50) }))
        const { cancellations } = yield* answer<Cancellations>(transport, "cancellations", {})
        expect(cancellations).toEqual([])
      })
    )

    behaves("notifications reach the server in the order in which they were sent", (transport) =>
      Effect.gen(function* () {
        for (const n of [1, 2, 3]) yield* transport.notify("notifications/test", { n })
        const { notifications } = yield* answer<Notifications>(transport, "received", {})
        expect(notifications.filter(({ method }) => method === "notifications/test")).toEqual(
          [1, 2, 3].map((n) => ({ method: "notifications/test", params: { n } }))
        )
      })
    )

    behaves("notifications that came before anyone read are delivered, in order", (transport) =>
      Effect.gen(function* () {
        yield* transport.request("notify", { method: "notifications/message", params: { data: "first" }, count: 3 })
        yield* transport.request("notify", { method: "notifications/message", params: { data: "last" } })
        const messages = yield* transport.inbound.pipe(Stream.take(4), Stream.runCollect)
        expect(Chunk.toReadonlyArray(messages).map((message) => message.params?.data)).toEqual([
          "first",
          "first",
          "first",
          "last"
        ])
      })
    )

    behaves("a request of the server is delivered, and its answer reaches the server", (transport) =>
      Effect.gen(function* () {
        yield* answering(transport)
        for (const id of [0, "srv-1", 12] satisfies ReadonlyArray<Id>) {
          expect(yield* transport.request("askBack", { id, method: "roots/list" })).toEqual({
            answer: { jsonrpc: "2.0", id, result: { asked: "roots/list" } }
          })
        }
      })
    )

    behaves("a request of the server is answered with an error just as well", (transport) =>
      Effect.gen(function* () {
        yield* Effect.forkScoped(
          Stream.runForEach(transport.inbound, (message) =>
            message._tag === "Request"
              ? Effect.ignore(
                  transport.respond(message.id, { _tag: "Error", error: { code: -32601, message: "not here" } })
                )
              : Effect.void
          )
        )
        expect(yield* transport.request("askBack", { id: 1, method: "x/unknown" })).toMatchObject({
          answer: { id: 1, error: { code: -32601, message: "not here" } }
        })
      })
    )

    behaves("a request of the server with the id of an open request is not taken for its answer", (transport) =>
      Effect.gen(function* () {
        yield* answering(transport)
        expect(yield* transport.request("clash", {})).toMatchObject({ answer: { result: { asked: "roots/list" } } })
      })
    )

    behaves("answers without a usable id, with another type of id, or given twice cost nothing", (transport) =>
      Effect.gen(function* () {
        expect(yield* transport.request("oddIds", {})).toEqual({ right: true })
        expect(yield* transport.request("echo", { n: 1 })).toEqual({ n: 1 })
      })
    )

    behaves("no request is late while the server waits for an answer of ours", (transport) =>
      Effect.gen(function* () {
        yield* Effect.forkScoped(
          Stream.runForEach(transport.inbound, (message) =>
            message._tag === "Request"
              ? Effect.ignore(transport.respond(message.id, { _tag: "Result", result: { action: "decline" } })).pipe(
                  Effect.delay("1500 millis")
                )
              : Effect.void
          )
        )
        const question = { id: "slow", method: "elicitation/create", params: {} }
        const options = { timeout: Duration.seconds(1) }
        expect(yield* transport.request("askBack", question, options)).toMatchObject({
          answer: { id: "slow", result: { action: "decline" } }
        })
      })
    )

    behaves("progress reaches the request that asked for it, and only when it asked", (transport) =>
      Effect.gen(function* () {
        const seen: Array<Progress> = []
        const done = yield* Deferred.make<void>()
        const onProgress = (progress: Progress) =>
          Effect.suspend(() => {
            seen.push(progress)
            return progress.progress === 3 ? Deferred.succeed(done, undefined) : Effect.void
          })
        const params = { steps: 3, _meta: { kept: true } }
        const { token } = yield* answer<{ readonly token: unknown }>(transport, "progress", params, { onProgress })
        yield* Deferred.await(done)
        expect(token).not.toBeNull()
        expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })))
        expect(yield* transport.request("progress", { steps: 1 })).toEqual({ token: null })
      })
    )

    behaves("text of any script, and line separators within it, pass unchanged both ways", (transport) =>
      Effect.gen(function* () {
        const text = "日本語 😀 é\u0301 \u2028 \u2029 \u0085 \u000b \u0000 \r\n tab\t \ufeff end"
        expect(yield* transport.request("echo", { text })).toEqual({ text })
      })
    )

    behaves("messages of megabytes pass both ways", (transport) =>
      Effect.gen(function* () {
        const text = "é".repeat(1024 * 1024)
        expect(yield* transport.request("echo", { text })).toEqual({ text })
        const { text: big } = yield* answer<{ readonly text: string }>(transport, "big", { bytes: 5 * 1024 * 1024 })
        expect(big.length).toBe(5 * 1024 * 1024)
      })
    )

    behaves("params that JSON cannot hold fail their request alone", (transport) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(transport.request("echo", { n: 1n }))
        expect(error.kind).toBe("protocol")
        expect((yield* Effect.flip(transport.notify("notifications/test", { n: 1n }))).kind).toBe("protocol")
        expect(yield* transport.request("echo", { n: 1 })).toEqual({ n: 1 })
      })
    )

    it.live("closing the Scope fails open requests and later ones with kind closed, and ends the inbound stream", () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const transport = yield* Scope.extend(Effect.tap(make, handshake), scope)
        const reader = yield* Effect.fork(Stream.runDrain(transport.inbound))
        const call = yield* Effect.fork(transport.request("never", {}))
        const closed = yield* Effect.fork(transport.closed)
        yield* arrived(transport)
        yield* Scope.close(scope, Exit.void)
        expect((yield* Effect.flip(Fiber.join(call))).kind).toBe("closed")
        expect((yield* Effect.flip(Fiber.join(closed))).kind).toBe("closed")
        expect((yield* Effect.flip(transport.request("echo", {}, { phase: "list" }))).phase).toBe("list")
        expect((yield* Effect.flip(transport.notify("notifications/test"))).kind).toBe("closed")
        yield* Fiber.join(reader)
      })
    )
  })
}

/**
 * What every transport must do whose connection is one pipe, which can break, and on which the server can give up a request.
 */
export const pipeSuite = (name: string, make: Effect.Effect<Transport, McpError, Scope.Scope>): void => {
  describe(`${name} transport, one pipe`, () => {
    it.scopedLive("a server that dies fails every open request at once, and each later one", () =>
      Effect.gen(function* () {
        const transport = yield* Effect.tap(make, handshake)
        const calls = yield* Effect.forEach(["never", "never", "die"], (method) =>
          Effect.fork(Effect.flip(transport.request(method, {}, { phase: "call" })))
        )
        for (const error of yield* Fiber.join(Fiber.all(calls))) {
          expect(error).toMatchObject({ kind: "exit", phase: "call" })
        }
        expect((yield* Effect.flip(transport.closed)).kind).toBe("exit")
        expect((yield* Effect.flip(transport.request("echo", {}))).kind).toBe("exit")
        expect(yield* Stream.runCollect(transport.inbound)).toEqual(Chunk.empty())
      })
    )

    it.scopedLive("a request that the server gives up fails with its reason", () =>
      Effect.gen(function* () {
        const transport = yield* Effect.tap(make, handshake)
        const error = yield* Effect.flip(transport.request("giveUp", {}))
        expect(error).toMatchObject({ kind: "rpc", message: "the server cancelled giveUp: going away" })
      })
    )
  })
}

interface Cancellations {
  readonly cancellations: ReadonlyArray<unknown>
}

interface Notifications {
  readonly notifications: ReadonlyArray<{ readonly method: string; readonly params: unknown }>
}
