/**
 * Whatever comes on a connection costs itself: requests before, after and between it have their answers.
 */
import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as fc from "fast-check"
import * as Connection from "../../src/mcp/internal/Connection.ts"
import * as ToolResult from "../../src/mcp/internal/client/ToolResult.ts"
import * as JsonRpc from "../../src/mcp/JsonRpc.ts"
import * as VisibleText from "../../src/mcp/VisibleText.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { connect } from "../mcp/client.ts"
import { json, object, parse, runs, word } from "./hostile.ts"

/** Something that looks like a message, or nothing of the kind. */
const message = fc.oneof(
  json,
  object(["jsonrpc", "id", "result"]),
  object(["jsonrpc", "id", "error", "result"]),
  object(["id", "error"], { error: object(["code", "message", "data"]) }),
  object(["id", "params"], {
    method: word("ping", "roots/list", "sampling/createMessage", "elicitation/create", "tasks/get", "x")
  }),
  object(["params"], {
    method: word(
      ..."progress cancelled message resources/updated tools/list_changed elicitation/complete tasks/status"
        .split(" ")
        .map((name) => `notifications/${name}`)
    )
  }),
  fc.array(json, { maxLength: 4 }).map((texts) => `[${texts.join(",")}]`)
)

/** The same, cut somewhere, or no JSON at all. */
const line = fc.oneof(
  { weight: 4, arbitrary: message },
  { weight: 1, arbitrary: fc.tuple(message, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) }
)

it("any value is told apart", () => {
  fc.assert(
    fc.property(message, (text) => {
      expect(["Request", "Notification", "Response", "Invalid"]).toContain(JsonRpc.classify(parse(text))._tag)
    }),
    runs(500)
  )
})

it.scoped("between any lines, each request has its own answer", () =>
  Effect.gen(function* () {
    const sent: Array<number> = []
    const connection = yield* Connection.make({ server: "it", write: (_, request) => request && sent.push(request.id) })
    const lines = fc.sample(fc.array(line, { maxLength: 5 }), { numRuns: 300, seed: 11 })
    for (const [index, hostile] of lines.entries()) {
      const fiber = yield* Effect.fork(connection.request("tools/call", {}, { timeout: Duration.minutes(1) }))
      yield* Effect.yieldNow()
      const id = sent.at(-1)
      // A guess of the id is an answer like any other.
      for (const text of hostile) if (!new RegExp(`"id":${id}\\b`).test(text)) connection.receive(text)
      connection.receive(`{"jsonrpc":"2.0","id":${id},"result":${index}}`)
      expect(yield* Fiber.join(fiber)).toBe(index)
    }
    const { openRequests, skipped } = yield* connection.diagnostics
    expect(openRequests).toBe(0)
    expect(skipped.length).toBeLessThanOrEqual(20)
    expect(skipped.join("")).not.toMatch(/\p{Cc}/u)
  })
)

it.scoped("a reply that is nested too deep fails its request at once, and no other", () =>
  Effect.gen(function* () {
    const sent: Array<number> = []
    const connection = yield* Connection.make({ server: "it", write: (_, request) => request && sent.push(request.id) })
    for (const levels of [201, 5000, 100_000]) {
      const calls = yield* Effect.forEach([1, 2], () => Effect.fork(Effect.either(connection.request("x", {}))))
      yield* Effect.yieldNow()
      const [first, second] = sent.slice(-2)
      connection.receive(`{"id":${first},"result":${"[".repeat(levels)}${"]".repeat(levels)}}`)
      connection.receive(`{"id":${second},"error":"${"[".repeat(levels)}"}`)
      const [deep, other] = yield* Fiber.join(Fiber.all(calls))
      expect(deep).toMatchObject({ left: { kind: "protocol", message: expect.stringContaining("levels deep") } })
      expect(other).toMatchObject({ left: { kind: "rpc" } })
    }
    connection.receive(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)
    expect((yield* connection.diagnostics).skipped.length).toBe(1)
  })
)

it.scoped("whatever a server asks or tells, it has its answers, and its tools work", () =>
  Effect.gen(function* () {
    const server = TestServer.make({ tools: { good: { handler: () => "fine" } } })
    const client = yield* connect(server, {
      roots: { list: Effect.succeed([]) },
      elicitation: {
        form: () => Effect.succeed({ action: "cancel" }),
        url: () => Effect.succeed({ action: "cancel" })
      },
      sampling: { createMessage: () => Effect.succeed({ content: [], model: "m" }) }
    })
    const params = fc.oneof(
      json,
      object(["mode", "message", "requestedSchema", "url", "elicitationId", "task"]),
      object(["messages", "maxTokens", "systemPrompt", "tools", "toolChoice", "includeContext", "modelPreferences"]),
      object(["progressToken", "progress", "total", "message"]),
      object(["level", "logger", "data"]),
      object(["taskId", "status", "uri", "requestId", "reason"])
    )
    const method = word(
      ..."elicitation/create sampling/createMessage roots/list tasks/get tasks/cancel tasks/list ping notifications/message".split(
        " "
      ),
      ..."notifications/progress notifications/cancelled notifications/tasks/status notifications/resources/updated".split(
        " "
      )
    )
    const asked = fc.sample(fc.tuple(method, params), { numRuns: 300, seed: 5 })
    for (const [index, [method, params]] of asked.entries()) {
      const isRequest = !method.startsWith('"notifications')
      const id = isRequest ? `"id":"${index}",` : ""
      yield* server.send(parse(`{"jsonrpc":"2.0",${id}"method":${method},"params":${params}}`))
      yield* Effect.yieldNow()
    }
    yield* Effect.repeatN(Effect.yieldNow(), 1000)
    const replies = (yield* server.messages).filter(({ _tag }) => _tag === "Response")
    expect(replies.length).toBeGreaterThan(50)
    expect((yield* client.callTool("good", {})).text).toBe("fine")
  })
)

it("any result can be read: its good blocks are there, in their order", () => {
  const block = object(["text", "data", "mimeType", "uri", "resource", "name", "annotations", "_meta"], {
    type: fc.oneof(word("text", "image", "audio", "resource", "resource_link", "hologram"), json)
  })
  fc.assert(
    fc.property(
      fc.array(fc.oneof(json, block), { maxLength: 5 }),
      fc.array(block, { maxLength: 5 }),
      (before, after) => {
        const good = ["first", "second"].map((text) => JSON.stringify({ type: "text", text: `good ${text}` }))
        const [first, second] = good
        const result = ToolResult.read(parse(`{"content":[${[first, ...before, second, ...after].join(",")}]}`))
        expect(result.content.length).toBe(before.length + after.length + 2)
        expect(result.content[before.length + 1]).toEqual({ type: "text", text: "good second" })
      }
    ),
    runs(300)
  )
  fc.assert(
    fc.property(json, (text) => void ToolResult.read(parse(text))),
    runs(300)
  )
})

it("any text can be shown, and shows the same when it is shown again", () => {
  const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
  const char = fc.oneof(
    fc.string({ unit: "binary", maxLength: 3 }),
    fc.constantFrom("\u200d", "\ufe0f", "\u{1f468}", "\ud83d", "\u202e", "\u{e0041}")
  )
  fc.assert(
    fc.property(
      fc.array(char).map((parts) => parts.join("")),
      (text) => {
        const shown = VisibleText.oneLine(text)
        // What joins an emoji, or the letters of some scripts, stays.
        expect(shown.replaceAll(/[\u200c\u200d]/g, "")).not.toMatch(unsafe)
        expect(VisibleText.oneLine(shown)).toBe(shown)
      }
    ),
    runs(500)
  )
})
