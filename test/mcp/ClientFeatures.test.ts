import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as ClientFeatures from "../../src/mcp/ClientFeatures.ts"
import type * as Elicitation from "../../src/mcp/Elicitation.ts"
import type { JsonObject, Reply } from "../../src/mcp/JsonRpc.ts"
import type * as Sampling from "../../src/mcp/Sampling.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { connect, methods, received } from "./client.ts"

const quiet = () => TestServer.make({ capabilities: {} })

/** What the client answers to a request of the server. */
const ask = Effect.fnUntraced(function* (features: ClientFeatures.Service, method: string, params: JsonObject = {}) {
  const server = quiet()
  yield* connect(server, features)
  yield* server.send({ jsonrpc: "2.0", id: "q", method, params })
  yield* TestClock.adjust("1 second")
  return yield* replyTo(server, "q")
})

const replyTo = (server: TestServer.TestServer, id: string) =>
  Effect.map(
    server.messages,
    (messages) =>
      messages.flatMap(
        (message): ReadonlyArray<Reply> => (message._tag === "Response" && message.id === id ? [message.reply] : [])
      )[0]
  )

const offered = (features: ClientFeatures.Service) =>
  Effect.gen(function* () {
    const server = quiet()
    yield* connect(server, features)
    return (yield* received(server)).find(({ method }) => method === "initialize")?.params?.capabilities
  })

const sampling = (answer: Sampling.Result): ClientFeatures.SamplingFeature => ({
  createMessage: () => Effect.succeed(answer)
})

describe("what a server is told", () => {
  it.scoped("is what there is, and nothing else", () =>
    Effect.gen(function* () {
      const form = () => Effect.succeed({ action: "cancel" } as const)
      const list = Effect.succeed([])
      const createMessage = () => Effect.never
      expect(yield* offered({})).toEqual({})
      expect(yield* offered({ roots: { list } })).toEqual({ roots: {} })
      expect(yield* offered({ roots: { list, changes: Stream.never } })).toEqual({ roots: { listChanged: true } })
      expect(yield* offered({ sampling: { createMessage } })).toEqual({ sampling: {} })
      expect(yield* offered({ sampling: { createMessage, context: true, tools: true } })).toEqual({
        sampling: { context: {}, tools: {} }
      })
      expect(yield* offered({ elicitation: {} })).toEqual({})
      expect(yield* offered({ elicitation: { form } })).toEqual({ elicitation: { form: {} } })
      expect(yield* offered({ elicitation: { form, url: form } })).toEqual({ elicitation: { form: {}, url: {} } })
    })
  )

  for (const method of ["roots/list", "sampling/createMessage", "elicitation/create", "toString", "tasks/get"]) {
    it.scoped(`a program without it refuses ${method}`, () =>
      Effect.gen(function* () {
        expect(yield* ask({}, method)).toMatchObject({ _tag: "Error", error: { code: -32601 } })
      })
    )
  }
})

describe("roots", () => {
  it.scoped("are listed as they are now", () =>
    Effect.gen(function* () {
      const roots = [{ uri: "file:///work", name: "work" }]
      expect(yield* ask({ roots: { list: Effect.succeed(roots) } }, "roots/list")).toEqual({
        _tag: "Result",
        result: { roots }
      })
    })
  )

  it.scoped("each change is told", () =>
    Effect.gen(function* () {
      const changes = yield* Queue.unbounded<string>()
      const server = quiet()
      yield* connect(server, { roots: { list: Effect.succeed([]), changes: Stream.fromQueue(changes) } })
      yield* Queue.offerAll(changes, ["a", "b"])
      yield* TestClock.adjust("1 second")
      const told = (yield* methods(server)).filter((method) => method === "notifications/roots/list_changed")
      expect(told).toHaveLength(2)
    })
  )
})

describe("sampling", () => {
  const request = {
    messages: [{ role: "user", content: { type: "text", text: "hello" } }],
    maxTokens: 10,
    modelPreferences: { hints: [{ name: "small" }, {}], speedPriority: 1 },
    stopSequences: ["."],
    includeContext: "thisServer"
  }

  it.scoped("gives the request to the program, and who asks, and its answer to the server", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const reply = yield* ask(
        {
          sampling: {
            createMessage: (request, origin) =>
              Effect.sync(() => {
                seen.push(request, origin)
                return { model: "m", content: [{ type: "text", text: "hi" }], stopReason: "endTurn" }
              })
          }
        },
        "sampling/createMessage",
        request
      )
      expect(seen).toMatchObject([
        {
          messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
          maxTokens: 10,
          modelPreferences: { hints: ["small"], speedPriority: 1 },
          includeContext: "thisServer"
        },
        { server: "test" }
      ])
      expect(reply).toEqual({
        _tag: "Result",
        result: { role: "assistant", content: { type: "text", text: "hi" }, model: "m", stopReason: "endTurn" }
      })
    })
  )

  it.scoped("a person's refusal is told as one", () =>
    Effect.gen(function* () {
      const refusing: ClientFeatures.SamplingFeature = {
        createMessage: () => Effect.fail(new ClientFeatures.Refused({ message: "the user said no" }))
      }
      expect(yield* ask({ sampling: refusing }, "sampling/createMessage", request)).toEqual({
        _tag: "Error",
        error: { code: -1, message: "the user said no" }
      })
    })
  )

  const call = { role: "assistant", content: [{ type: "tool_use", id: "1", name: "t", input: {} }] }
  const result = { role: "user", content: [{ type: "tool_result", toolUseId: "1", content: [] }] }
  const mixed = { role: "user", content: [...result.content, { type: "text", text: "and" }] }

  it.scoped("tools go to a program that takes them", () =>
    Effect.gen(function* () {
      const answer: Sampling.Result = {
        model: "m",
        content: [
          { type: "text", text: "let me see" },
          { type: "tool_use", id: "2", name: "t", input: { a: 1 } }
        ]
      }
      const params = { messages: [call, result], maxTokens: 1, tools: [{ name: "t", inputSchema: {} }, 7] }
      expect(
        yield* ask({ sampling: { ...sampling(answer), tools: true } }, "sampling/createMessage", params)
      ).toMatchObject({
        _tag: "Result",
        result: { content: answer.content }
      })
    })
  )

  for (const [what, params] of Object.entries({
    "without messages": { maxTokens: 1 },
    "without a limit": { messages: [] },
    "with tools that it has not asked about": { messages: [], maxTokens: 1, tools: [] },
    "whose tool call has no result": { messages: [call], maxTokens: 1 },
    "whose tool result has no call": { messages: [result], maxTokens: 1 },
    "whose tool result is mixed with text": { messages: [call, mixed], maxTokens: 1 }
  })) {
    it.scoped(`a request ${what} is refused`, () =>
      Effect.gen(function* () {
        const never = sampling({ model: "m", content: [] })
        expect(yield* ask({ sampling: never }, "sampling/createMessage", params)).toMatchObject({
          _tag: "Error",
          error: { code: -32602 }
        })
      })
    )
  }
})

describe("elicitation", () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", minLength: 2, default: "Ada" },
      age: { type: "integer", minimum: 18, default: 20 },
      mail: { type: "string", format: "email" },
      sure: { type: "boolean", default: true },
      size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"], default: "s" },
      colour: { type: "string", oneOf: [{ const: "#f00", title: "Red" }] },
      tags: { type: "array", items: { anyOf: [{ const: "a", title: "A" }] }, maxItems: 1, default: ["a"] },
      odd: { type: "object" }
    },
    required: ["name"]
  }
  const params = { message: "who?", requestedSchema: schema }
  const answering = (answer: Elicitation.FormAnswer, seen: Array<unknown> = []): ClientFeatures.Service => ({
    elicitation: {
      form: (request, origin) =>
        Effect.sync(() => {
          seen.push(request, origin)
          return answer
        })
    }
  })

  it.scoped("a form is read, whatever its revision calls its fields", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      yield* ask(answering({ action: "decline" }, seen), "elicitation/create", params)
      expect(seen).toMatchObject([
        {
          message: "who?",
          fields: [
            { name: "name", title: "Name", required: true, type: "string", minLength: 2, default: "Ada" },
            { name: "age", required: false, type: "integer", minimum: 18 },
            { name: "mail", type: "string", format: "email" },
            { name: "sure", type: "boolean" },
            {
              name: "size",
              type: "choice",
              options: [
                { value: "s", title: "Small" },
                { value: "l", title: "Large" }
              ]
            },
            { name: "colour", type: "choice", options: [{ value: "#f00", title: "Red" }] },
            { name: "tags", type: "choices", options: [{ value: "a", title: "A" }], maxItems: 1 },
            { name: "odd", type: "string" }
          ]
        },
        { server: "test" }
      ])
    })
  )

  it.scoped("what is left out gets its default", () =>
    Effect.gen(function* () {
      const answer = { action: "accept", content: { age: 30 } } as const
      expect(yield* ask(answering(answer), "elicitation/create", params)).toEqual({
        _tag: "Result",
        result: { action: "accept", content: { name: "Ada", age: 30, sure: true, size: "s", tags: ["a"] } }
      })
    })
  )

  for (const content of [
    { age: 3 },
    { age: 20.5 },
    { mail: "nobody" },
    { size: "m" },
    { name: "A" },
    { tags: ["b"] }
  ]) {
    it.scoped(`${JSON.stringify(content)} does not fit, and is not sent`, () =>
      Effect.gen(function* () {
        const reply = yield* ask(answering({ action: "accept", content }), "elicitation/create", params)
        expect(reply).toMatchObject({ _tag: "Error", error: { code: -32603 } })
        expect(JSON.stringify(reply)).toContain(Object.keys(content)[0])
      })
    )
  }

  for (const action of ["decline", "cancel"] as const) {
    it.scoped(`${action} sends no content`, () =>
      Effect.gen(function* () {
        const reply = yield* ask(answering({ action }), "elicitation/create", params)
        expect(reply).toEqual({ _tag: "Result", result: { action } })
      })
    )
  }

  it.scoped("a page to visit is shown by its whole address, and its end is told", () =>
    Effect.gen(function* () {
      const visits: Array<unknown> = []
      const server = quiet()
      yield* connect(server, {
        elicitation: {
          url: ({ elicitationId, url }) =>
            Effect.sync(() => {
              visits.push(url.href, elicitationId)
              return { action: "accept" }
            }),
          completed: (id) => Effect.sync(() => visits.push(`${id} is over`))
        }
      })
      const params = { mode: "url", message: "log in", url: "https://example.com/a?b", elicitationId: "e1" }
      yield* server.send({ jsonrpc: "2.0", id: "q", method: "elicitation/create", params })
      yield* server.send({
        jsonrpc: "2.0",
        method: "notifications/elicitation/complete",
        params: { elicitationId: "e1" }
      })
      yield* TestClock.adjust("1 second")
      expect(yield* replyTo(server, "q")).toEqual({ _tag: "Result", result: { action: "accept" } })
      expect(visits.toSorted()).toEqual(["e1", "e1 is over", "https://example.com/a?b"])
    })
  )

  for (const url of ["javascript:alert(1)", "file:///etc/passwd", "no url", 7]) {
    it.scoped(`a page at ${url} is not even shown`, () =>
      Effect.gen(function* () {
        const features = { elicitation: { url: () => Effect.die("shown") } }
        expect(yield* ask(features, "elicitation/create", { mode: "url", url })).toMatchObject({
          _tag: "Error",
          error: { code: -32602 }
        })
      })
    )
  }

  it.scoped("a mode that the program does not have is refused", () =>
    Effect.gen(function* () {
      const reply = yield* ask(answering({ action: "cancel" }), "elicitation/create", {
        mode: "url",
        url: "https://a.b"
      })
      expect(reply).toMatchObject({ _tag: "Error", error: { code: -32602 } })
    })
  )
})

describe("a question of the server", () => {
  const slow = (answer: Deferred.Deferred<void>, ended: Deferred.Deferred<void>): ClientFeatures.Service => ({
    elicitation: {
      form: () =>
        Deferred.await(answer).pipe(
          Effect.as({ action: "decline" } as const),
          Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
        )
    }
  })
  const question = { jsonrpc: "2.0", id: "q", method: "elicitation/create", params: {} }

  it.scoped("that takes a person's time holds up nothing: calls, pings and other questions go on", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const server = TestServer.make({ tools: { echo: { handler: () => "hi" } } })
      const client = yield* connect(server, slow(answer, yield* Deferred.make<void>()))
      for (let i = 0; i < 50; i++) yield* server.send({ ...question, id: `q${i}` })
      yield* server.send({ jsonrpc: "2.0", id: "p", method: "ping" })
      expect((yield* client.callTool("echo", {})).text).toBe("hi")
      yield* TestClock.adjust("1 second")
      expect(yield* replyTo(server, "p")).toEqual({ _tag: "Result", result: {} })
      yield* Deferred.succeed(answer, undefined)
      yield* TestClock.adjust("1 second")
      expect(yield* replyTo(server, "q49")).toEqual({ _tag: "Result", result: { action: "decline" } })
    })
  )

  it.scoped("is withdrawn when the server cancels it, and not answered any more", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const server = quiet()
      yield* connect(server, slow(yield* Deferred.make<void>(), ended))
      yield* server.send(question)
      yield* TestClock.adjust("1 second")
      yield* server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "q" } })
      yield* Deferred.await(ended)
      yield* TestClock.adjust("1 second")
      expect(yield* replyTo(server, "q")).toBeUndefined()
    })
  )

  it.scoped("that breaks the program's handler is answered with an error that tells nothing of it", () =>
    Effect.gen(function* () {
      const reply = yield* ask({ roots: { list: Effect.die(new Error("secret")) } }, "roots/list")
      expect(reply).toEqual({ _tag: "Error", error: { code: -32603, message: "the request could not be answered" } })
    })
  )

  it.scoped("is answered while a call of the client waits for it", () =>
    Effect.gen(function* () {
      const server = TestServer.make({
        tools: {
          ask: {
            handler: (_, { client }) =>
              Effect.zipRight(client.send({ ...question, method: "roots/list" }), Effect.succeed("asked"))
          }
        }
      })
      const client = yield* connect(server, { roots: { list: Effect.succeed([]) } })
      const call = yield* Effect.fork(client.callTool("ask", {}))
      expect((yield* Fiber.join(call)).text).toBe("asked")
      yield* TestClock.adjust("1 second")
      expect(yield* replyTo(server, "q")).toEqual({ _tag: "Result", result: { roots: [] } })
    })
  )
})
