import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import type { Answer } from "../../src/engine/Permission.ts"
import { Person, type Service } from "../../src/engine/Person.ts"
import * as ServerRequests from "../../src/engine/ServerRequests.ts"
import { Browser } from "../../src/mcp/auth/Browser.ts"
import { ClientFeatures } from "../../src/mcp/ClientFeatures.ts"
import { isObject, type JsonObject, type Reply } from "../../src/mcp/JsonRpc.ts"
import * as McpClient from "../../src/mcp/McpClient.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

/** A server with one tool, which asks this and gives the reply as its text. */
const asking = (method: string, params: JsonObject): TestServer.TestServer => {
  let id = 0
  const server: TestServer.TestServer = TestServer.make({
    tools: {
      ask: {
        handler: (_, { client }) =>
          Effect.gen(function* () {
            const asked = `q${++id}`
            yield* client.send({ jsonrpc: "2.0", id: asked, method, params })
            return JSON.stringify(yield* replyTo(server, asked))
          })
      }
    }
  })
  return server
}

const replyTo = (server: TestServer.TestServer, id: string): Effect.Effect<Reply> =>
  Effect.flatMap(server.messages, (messages) => {
    const found = messages.find((message) => message._tag === "Response" && message.id === id)
    return found?._tag === "Response"
      ? Effect.succeed(found.reply)
      : Effect.zipRight(
          Effect.yieldNow(),
          Effect.suspend(() => replyTo(server, id))
        )
  })

/** The same, stateless: what it needs is in the result of the first call. */
const askingModern = (method: string, params: JsonObject): TestServer.TestServer =>
  TestServer.make({
    methods: {
      "server/discover": () => ({
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} }
      }),
      "tools/list": () => ({ resultType: "complete", tools: [{ name: "ask", inputSchema: { type: "object" } }] }),
      "tools/call": ({ inputResponses, requestState }) =>
        isObject(inputResponses)
          ? {
              resultType: "complete",
              content: [{ type: "text", text: JSON.stringify({ result: inputResponses.q, requestState }) }]
            }
          : { resultType: "input_required", inputRequests: { q: { method, params } }, requestState: "state 1" }
    }
  })

interface World {
  readonly model?: ScriptedModel.ScriptedModel
  readonly options?: ServerRequests.Options
  readonly person?: Partial<Service>
  readonly opens?: boolean
}

const refuses: Service = {
  sampling: () => Effect.dieMessage("nobody was to be asked for the model"),
  form: () => Effect.dieMessage("nobody was to be asked for a form"),
  url: () => Effect.dieMessage("nobody was to be asked for a page"),
  tell: () => Effect.void
}

/** Calls the server's tool through a client with these features, and reads what the server was answered. */
const connected = Effect.fnUntraced(function* (server: TestServer.TestServer, world: World) {
  const opened: Array<string> = []
  const { model = ScriptedModel.make([]), opens = true, options = {}, person } = world
  const browser = Layer.succeed(Browser, {
    open: (url) =>
      Effect.as(
        Effect.sync(() => opened.push(url.href)),
        opens
      )
  })
  const features =
    person === undefined
      ? ServerRequests.layer(options)
      : Layer.provide(ServerRequests.layerAsk(options), [Layer.succeed(Person, { ...refuses, ...person }), browser])
  const transport = yield* MemoryTransport.make({ server: "lab", handler: server.handler })
  const context = yield* Layer.build(Layer.provide(features, model.layer))
  const client = yield* McpClient.make().pipe(
    Effect.provideService(McpTransport.McpTransport, transport),
    Effect.provide(Layer.succeedContext(context))
  )
  const call = Effect.map(client.callTool("ask", {}), ({ text }) => JSON.parse(text))
  return { call, opened, features: context.unsafeMap.get(ClientFeatures.key) }
})

const question = { role: "user", content: { type: "text", text: "What is 2 + 2?" } }
const sampling = { messages: [question], systemPrompt: "You count.", maxTokens: 50 }

const says = (answer: Answer, seen: Array<unknown> = []): Partial<Service> => ({
  sampling: (request, origin) =>
    Effect.sync(() => {
      seen.push([origin.server, request.messages.length, request.maxTokens])
      return answer
    })
})

describe.each([
  ["with a handshake", asking],
  ["of 2026-07-28", askingModern]
])("a server %s", (_, server) => {
  it.scoped("gets an answer of the model when the person agrees, who sees what it asks", () =>
    Effect.gen(function* () {
      const model = ScriptedModel.make([ScriptedModel.text("It is ", "4.")])
      const seen: Array<unknown> = []
      const { call } = yield* connected(server("sampling/createMessage", sampling), {
        model,
        person: says({ _tag: "Once" }, seen)
      })
      expect(yield* call).toMatchObject({
        result: { role: "assistant", content: { type: "text", text: "It is 4." }, stopReason: "endTurn" }
      })
      expect(seen).toEqual([["lab", 1, 50]])
      expect(model.asked[0]?.prompt.content.map(({ role }) => role)).toEqual(["system", "user"])
      expect(model.asked[0]?.tools).toEqual([])
    })
  )

  it.scoped("gets the values of the form that the person filled in, with the defaults of the rest", () =>
    Effect.gen(function* () {
      const { call } = yield* connected(
        server("elicitation/create", {
          message: "Who?",
          requestedSchema: {
            type: "object",
            properties: { name: { type: "string" }, age: { type: "integer", default: 7 } },
            required: ["name"]
          }
        }),
        {
          person: {
            form: ({ fields, message }, { server }) =>
              Effect.succeed({ action: "accept", content: { name: `${server} ${message} ${fields.length}` } })
          }
        }
      )
      expect(yield* call).toMatchObject({ result: { action: "accept", content: { name: "lab Who? 2", age: 7 } } })
    })
  )

  it.scoped("is declined a form, and a page, where there is no person", () =>
    Effect.gen(function* () {
      const form = { message: "Who?", requestedSchema: { type: "object", properties: {} } }
      const page = { mode: "url", message: "Pay", url: "https://pay.test/1", elicitationId: "1" }
      for (const params of [form, page]) {
        const { call } = yield* connected(server("elicitation/create", params), {})
        expect(yield* call).toMatchObject({ result: { action: "decline" } })
      }
    })
  )
})

describe("a state of a stateless server", () => {
  it.scoped("comes back to it as it was, with the answers", () =>
    Effect.gen(function* () {
      const { call } = yield* connected(askingModern("roots/list", {}), { options: { directory: "/srv/a b" } })
      expect(yield* call).toEqual({
        requestState: "state 1",
        result: { roots: [{ uri: "file:///srv/a%20b", name: "a b" }] }
      })
    })
  )
})

describe("sampling", () => {
  const ask = (world: World, params: JsonObject = sampling) =>
    Effect.flatMap(connected(asking("sampling/createMessage", params), world), ({ call }) => call)

  it.scoped("is refused without a person, and the refusal says what would allow it", () =>
    Effect.gen(function* () {
      const model = ScriptedModel.make([])
      const { error } = yield* ask({ model })
      expect(error).toMatchObject({ code: -1 })
      expect(error.message).toContain("--allow 'sampling(lab)'")
      expect(model.asked).toEqual([])
    })
  )

  it.scoped.each(["sampling(lab)", "sampling(l*)", "sampling"])("is allowed by the rule %s", (pattern) =>
    Effect.gen(function* () {
      const model = ScriptedModel.make([ScriptedModel.text("4")])
      const { result } = yield* ask({ model, options: { allow: [pattern] } })
      expect(result.content.text).toBe("4")
    })
  )

  it.scoped.each(["*", "mcp__lab__*", "sampling(other)", "sampling("])("is not allowed by the rule %s", (pattern) =>
    Effect.gen(function* () {
      expect((yield* ask({ options: { allow: [pattern] } })).error.code).toBe(-1)
    })
  )

  it.scoped("a person's no is the error of a refusal; the model is not asked", () =>
    Effect.gen(function* () {
      const model = ScriptedModel.make([])
      const { error } = yield* ask({ model, person: says({ _tag: "Deny" }) })
      expect(error).toEqual({ code: -1, message: "the person did not allow this request" })
      expect(model.asked).toEqual([])
    })
  )

  it.scoped("for this session means: this server is not asked about again", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const model = ScriptedModel.make([ScriptedModel.text("1"), ScriptedModel.text("2")])
      const { call } = yield* connected(asking("sampling/createMessage", sampling), {
        model,
        person: says({ _tag: "Session" }, seen)
      })
      yield* call
      yield* call
      expect([seen.length, model.asked.length]).toEqual([1, 2])
    })
  )

  it.scoped("the tools of the request are offered and left to the server to run; their results go to the model", () =>
    Effect.gen(function* () {
      const model = ScriptedModel.make([
        ScriptedModel.calls({ id: "c2", name: "weather", arguments: { city: "Oslo" } })
      ])
      const params = {
        messages: [
          question,
          { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "weather", input: { city: "Rome" } }] },
          {
            role: "user",
            content: [{ type: "tool_result", toolUseId: "c1", content: [{ type: "text", text: "sun" }] }]
          }
        ],
        maxTokens: 10,
        tools: [{ name: "weather", inputSchema: { type: "object" } }]
      }
      const { result } = yield* ask({ model, options: { yes: true } }, params)
      expect(result).toMatchObject({
        stopReason: "toolUse",
        content: { type: "tool_use", id: "c2", name: "weather", input: { city: "Oslo" } }
      })
      expect(model.asked[0]?.tools).toEqual(["weather"])
      expect(model.asked[0]?.prompt.content.map(({ role }) => role)).toEqual(["user", "assistant", "tool"])
    })
  )

  it.scoped("an answer ends before a stop sequence", () =>
    Effect.gen(function* () {
      const model = ScriptedModel.make([ScriptedModel.text("one two END three")])
      const { result } = yield* ask({ model, options: { yes: true } }, { ...sampling, stopSequences: ["END"] })
      expect(result).toMatchObject({ content: { text: "one two " }, stopReason: "stopSequence" })
    })
  )

  it.scoped("a model that cannot be asked is an error of the program, not a refusal", () =>
    Effect.gen(function* () {
      const model = ScriptedModel.make([ScriptedModel.httpError(401)])
      expect((yield* ask({ model, options: { yes: true } })).error.code).toBe(-32603)
    })
  )

  it.scoped("the question is taken back when the server does not want the answer any more", () =>
    Effect.gen(function* () {
      const server = asking("sampling/createMessage", sampling)
      let open = 0
      const { call } = yield* connected(server, {
        person: {
          sampling: () =>
            Effect.acquireUseRelease(
              Effect.sync(() => ++open),
              () => Effect.never,
              () => Effect.sync(() => --open)
            )
        }
      })
      const calling = yield* Effect.fork(call)
      while (open === 0) yield* Effect.yieldNow()
      yield* server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "q1" } })
      while (open > 0) yield* Effect.yieldNow()
      yield* Fiber.interrupt(calling)
    })
  )
})

describe("a call whose server asks the person", () => {
  it.scoped("is not late however long the person takes, within ten times the time of a call", () =>
    Effect.gen(function* () {
      const { call } = yield* connected(
        asking("elicitation/create", { message: "?", requestedSchema: { type: "object", properties: {} } }),
        { person: { form: () => Effect.delay(Effect.succeed({ action: "decline" }), "5 minutes") } }
      )
      const calling = yield* Effect.fork(call)
      yield* TestClock.adjust("5 minutes")
      expect(yield* Fiber.join(calling)).toMatchObject({ result: { action: "decline" } })
    })
  )
})

describe("a page that a server wants to be visited", () => {
  const page = { mode: "url", message: "Log in", url: "https://id.test/login?x=1", elicitationId: "v1" }
  const visit = (world: World) => connected(asking("elicitation/create", page), world)

  it.scoped("is opened when the person agrees, and not before or otherwise", () =>
    Effect.gen(function* () {
      const agreed = yield* visit({ person: { url: () => Effect.succeed({ action: "accept" }) } })
      expect(yield* agreed.call).toMatchObject({ result: { action: "accept" } })
      expect(agreed.opened).toEqual(["https://id.test/login?x=1"])
      const refused = yield* visit({ person: { url: () => Effect.succeed({ action: "decline" }) } })
      expect(yield* refused.call).toMatchObject({ result: { action: "decline" } })
      expect(refused.opened).toEqual([])
    })
  )

  it.scoped("is told to the person where no browser can be opened; and that the visit is over, once", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const server = asking("elicitation/create", page)
      const { call } = yield* connected(server, {
        opens: false,
        person: {
          url: () => Effect.succeed({ action: "accept" }),
          tell: (text) => Effect.sync(() => told.push(text))
        }
      })
      yield* call
      const over = (elicitationId: string) =>
        server.send({ jsonrpc: "2.0", method: "notifications/elicitation/complete", params: { elicitationId } })
      yield* over("unknown")
      yield* over("v1")
      yield* over("v1")
      yield* call
      expect(told.slice(0, 2)).toEqual([
        "Open this page for the server lab: https://id.test/login?x=1",
        "The server lab says that it has what it needed from id.test."
      ])
      expect(told).toHaveLength(3)
    })
  )
})
