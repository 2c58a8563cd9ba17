import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Model from "../../../src/engine/model/Model.ts"
import type { JsonObject } from "../../../src/mcp/JsonRpc.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { collect, engine, mcpTool, only, registry } from "../fixture.ts"
import { modelServer, type Reply } from "./modelServer.ts"

interface Call {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** How a provider writes an answer: every field that it sends, or the fewest that a lenient server gets away with. */
interface Wire {
  readonly spec: string
  readonly path: string
  readonly variables: (url: string) => ReadonlyArray<readonly [string, string]>
  readonly answer: (text: ReadonlyArray<string>, calls: ReadonlyArray<Call>) => ReadonlyArray<JsonObject>
  /** The results that a request carries. */
  readonly results: (body: JsonObject) => string
}

const anthropic: Wire = {
  spec: "anthropic/claude-test",
  path: "/v1/messages",
  variables: (url) => [
    ["ANTHROPIC_API_KEY", "secret-key"],
    ["ANTHROPIC_BASE_URL", url]
  ],
  answer: (text, calls) => [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        content: [],
        model: "claude-test",
        usage: { input_tokens: 7 }
      }
    },
    { type: "ping" },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...text.map((piece) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } })),
    { type: "content_block_delta", index: 0, delta: { type: "of_tomorrow_delta", what: 1 } },
    { type: "content_block_stop", index: 0 },
    ...calls.flatMap(({ id, name, arguments: args }, at) => [
      { type: "content_block_start", index: at + 1, content_block: { type: "tool_use", id, name, input: {} } },
      {
        type: "content_block_delta",
        index: at + 1,
        delta: { type: "input_json_delta", partial_json: args.slice(0, 3) }
      },
      { type: "content_block_delta", index: at + 1, delta: { type: "input_json_delta", partial_json: args.slice(3) } },
      { type: "content_block_stop", index: at + 1 }
    ]),
    { type: "event_of_tomorrow" },
    {
      type: "message_delta",
      delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn" },
      usage: { output_tokens: 5 }
    },
    { type: "message_stop" }
  ],
  results: (body) => JSON.stringify((body.messages as ReadonlyArray<unknown>).at(-1))
}

const responses: Wire = {
  spec: "openai/gpt-test",
  path: "/v1/responses",
  variables: (url) => [
    ["OPENAI_API_KEY", "secret-key"],
    ["OPENAI_BASE_URL", `${url}/v1`]
  ],
  answer: (text, calls) => [
    { type: "response.created", response: { id: "resp_1" } },
    { type: "response.output_item.added", item: { type: "message", id: "m1" } },
    ...text.map((delta) => ({ type: "response.output_text.delta", item_id: "m1", delta })),
    { type: "response.output_item.done", item: { type: "message", id: "m1" } },
    ...calls.flatMap(({ id, name, arguments: args }, at) => [
      {
        type: "response.output_item.added",
        output_index: at + 1,
        item: { type: "function_call", id: `fc_${id}`, call_id: id, name }
      },
      { type: "response.function_call_arguments.delta", output_index: at + 1, item_id: `fc_${id}`, delta: args },
      {
        type: "response.output_item.done",
        output_index: at + 1,
        item: { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: args }
      }
    ]),
    { type: "response.completed", response: { id: "resp_1", usage: { input_tokens: 7, output_tokens: 5 } } }
  ],
  results: (body) => JSON.stringify(body.input)
}

const chat: Wire = {
  spec: "openai/local-model",
  path: "/v1/chat/completions",
  variables: (url) => [["OPENAI_BASE_URL", `${url}/v1`]],
  answer: (text, calls) => [
    { choices: [{ index: 0, delta: { role: "assistant", content: "" } }] },
    ...text.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
    ...calls.flatMap(({ id, name, arguments: args }, index) => [
      { choices: [{ delta: { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] } }] },
      { choices: [{ delta: { tool_calls: [{ index, function: { arguments: args.slice(0, 3) } }] } }] },
      { choices: [{ delta: { tool_calls: [{ index, function: { arguments: args.slice(3) } }] } }] }
    ]),
    { choices: [{ delta: {}, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }] },
    { choices: [], usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 } }
  ],
  results: (body) => JSON.stringify(body.messages)
}

const echo = mcpTool("everything", "echo", {
  inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  run: (args) => Effect.succeed(Tool.text(`Echo: ${args.message}`))
})

/** One run against a server that plays the replies. */
const runAgainst = (
  wire: Wire,
  replies: ReadonlyArray<Reply>,
  options: { readonly path?: string | undefined } = { path: wire.path }
) =>
  Effect.gen(function* () {
    const server = yield* modelServer(options.path, replies)
    const { service } = yield* registry([echo])
    const environment = Layer.setConfigProvider(ConfigProvider.fromMap(new Map(wire.variables(server.url))))
    const model = Layer.provide(Model.layer(wire.spec), environment)
    const { run } = yield* engine({ model: Layer.orDie(model), registry: service })
    const events = yield* collect(run("go"))
    return { events, asked: server.asked, done: only(events, "Done")[0], url: server.url }
  })

const text = (wire: Wire, ...pieces: ReadonlyArray<string>): Reply => ({ events: wire.answer(pieces, []) })
const calling = (wire: Wire, ...calls: ReadonlyArray<Call>): Reply => ({ events: wire.answer(["One moment. "], calls) })
const call = (id: string, message: string): Call => ({
  id,
  name: "mcp__everything__echo",
  arguments: JSON.stringify({ message })
})

describe.each([
  ["Anthropic's Messages", anthropic],
  ["OpenAI's Responses", responses],
  ["chat completions", chat]
])("%s", (_, wire) => {
  it.scopedLive("streams an answer and its usage", () =>
    Effect.gen(function* () {
      const { events, done, asked } = yield* runAgainst(wire, [text(wire, "Grüß ", "Gott ", "👋")])
      expect(only(events, "TextDelta").map((event) => event.text)).toEqual(["Grüß ", "Gott ", "👋"])
      expect(only(events, "Usage")).toMatchObject([{ inputTokens: 7, outputTokens: 5 }])
      expect(done).toMatchObject({ reason: "answer", text: "Grüß Gott 👋" })
      expect(JSON.stringify(asked[0]?.body.tools)).toContain('"mcp__everything__echo"')
      expect(JSON.stringify(asked[0]?.body.tools)).toContain('"required":["message"]')
    })
  )

  it.scopedLive("runs the calls of a turn and sends their results", () =>
    Effect.gen(function* () {
      const replies = [calling(wire, call("c1", "one"), call("c2", "two")), text(wire, "Both done.")]
      const { events, done, asked } = yield* runAgainst(wire, replies)
      expect(only(events, "ToolFinished").map((event) => [event.id, event.result.text])).toEqual([
        ["c1", "Echo: one"],
        ["c2", "Echo: two"]
      ])
      expect(done).toMatchObject({ reason: "answer", text: "Both done.", turns: 2 })
      const results = wire.results(asked[1]?.body ?? {})
      expect(results).toMatch(/c1.*Echo: one.*c2.*Echo: two/)
    })
  )

  it.scopedLive("tells the model of arguments that are no JSON and of a tool that is not there", () =>
    Effect.gen(function* () {
      const bad = { ...call("c1", ""), arguments: '{"message": oh' }
      const unknown = { id: "c2", name: "no_such_tool", arguments: "{}" }
      const replies = [calling(wire, bad), calling(wire, unknown), text(wire, "Sorry.")]
      const { done, asked } = yield* runAgainst(wire, replies)
      expect(done).toMatchObject({ reason: "answer", text: "Sorry." })
      expect(wire.results(asked[1]?.body ?? {})).toContain("not a JSON object")
      expect(wire.results(asked[2]?.body ?? {})).toContain("no_such_tool")
    })
  )

  it.scopedLive("is asked again after 429, 529 and 500, and after a connection that breaks before the answer", () =>
    Effect.gen(function* () {
      const again = { "retry-after-ms": "1" }
      const replies: ReadonlyArray<Reply> = [
        { status: 500 },
        { events: [], ending: "broken" },
        { status: 429, body: { error: { message: "slow down" } }, headers: again },
        { status: 529, headers: again },
        text(wire, "at last")
      ]
      const { events, done, asked } = yield* runAgainst(wire, replies)
      expect(done).toMatchObject({ reason: "answer", text: "at last" })
      expect(asked).toHaveLength(5)
      expect(only(events, "ModelRetry")).toHaveLength(4)
    })
  )

  it.scopedLive("ends with an error when the connection breaks in the answer", () =>
    Effect.gen(function* () {
      const whole = wire.answer(["Half ", "of it"], [])
      const cut = whole.slice(0, whole.findIndex((event) => JSON.stringify(event).includes("of it")) + 1)
      const { done, asked } = yield* runAgainst(wire, [{ events: cut, ending: "broken" }, text(wire, "again")])
      expect(done?.reason).toBe("error")
      expect(done?.error).toMatch(/connection broke|before it was complete/)
      expect(asked).toHaveLength(1)
    })
  )

  it.scopedLive("takes an event that is no JSON for a failure of the answer", () =>
    Effect.gen(function* () {
      const broken = ['{"type": oh no', ...wire.answer(["not this"], [])]
      const { events, done } = yield* runAgainst(wire, [{ events: broken }, text(wire, "fine")])
      expect(only(events, "ModelRetry")).toMatchObject([{ reason: expect.stringContaining("no JSON") }])
      expect(done).toMatchObject({ reason: "answer", text: "fine" })
    })
  )

  it.scopedLive("names the variable when the key is refused, and shows no key", () =>
    Effect.gen(function* () {
      const body = { error: { message: "Incorrect API key provided: secret-key" } }
      const { events, done, asked } = yield* runAgainst(wire, [{ status: 401, body }])
      expect(done).toMatchObject({ reason: "error", error: expect.stringMatching(/401.*(ANTHROPIC|OPENAI)_API_KEY/) })
      expect(done?.error).toContain(wire.spec)
      expect(JSON.stringify(events)).not.toContain("secret-key")
      expect(asked).toHaveLength(1)
    })
  )

  it.scopedLive("says what the provider says of a request that it does not take", () =>
    Effect.gen(function* () {
      const { done } = yield* runAgainst(wire, [{ status: 400, body: { error: { message: "tools.0 is wrong" } } }])
      expect(done).toMatchObject({ reason: "error", error: expect.stringContaining("tools.0 is wrong") })
    })
  )
})

describe("Anthropic's Messages", () => {
  it.scopedLive("sends the key in its header and marks the prompt for the cache", () =>
    Effect.gen(function* () {
      const { asked } = yield* runAgainst(anthropic, [text(anthropic, "ok")])
      expect(asked[0]?.headers["x-api-key"]).toBe("secret-key")
      expect(JSON.stringify(asked[0]?.body.system)).toContain("ephemeral")
      expect(JSON.stringify(asked[0]?.body.messages)).toContain("ephemeral")
    })
  )

  it.scopedLive("is asked again after an overload that is told inside the stream", () =>
    Effect.gen(function* () {
      const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }
      const { events, done } = yield* runAgainst(anthropic, [{ events: [overloaded] }, text(anthropic, "ok")])
      expect(only(events, "ModelRetry")).toMatchObject([{ reason: expect.stringContaining("overloaded_error") }])
      expect(done).toMatchObject({ text: "ok" })
    })
  )
})

describe("a server of OpenAI's APIs", () => {
  it.scopedLive("with a key but without Responses is asked by chat completions, from then on", () =>
    Effect.gen(function* () {
      const wire = { ...chat, variables: responses.variables }
      const { done, asked } = yield* runAgainst(wire, [calling(chat, call("c1", "x")), text(chat, "done")])
      expect(done).toMatchObject({ reason: "answer", text: "done" })
      expect(asked[0]?.headers.authorization).toBe("Bearer secret-key")
    })
  )

  it.scopedLive("without a key but with Responses alone is asked by it", () =>
    Effect.gen(function* () {
      const wire = { ...responses, variables: chat.variables }
      const { done } = yield* runAgainst(wire, [calling(responses, call("c1", "x")), text(responses, "done")])
      expect(done).toMatchObject({ reason: "answer", text: "done" })
    })
  )

  it.scopedLive("that fails a response says why", () =>
    Effect.gen(function* () {
      const failed = { type: "response.failed", response: { error: { code: "invalid_prompt", message: "too long" } } }
      const { done } = yield* runAgainst(responses, [{ events: [failed] }])
      expect(done).toMatchObject({ reason: "error", error: expect.stringContaining("too long") })
    })
  )

  it.scopedLive("that has neither says so with the address", () =>
    Effect.gen(function* () {
      const { done, url } = yield* runAgainst(responses, [], { path: "/elsewhere" })
      expect(done?.error).toContain("404")
      expect(done?.error).toContain(url)
    })
  )
})

describe("no server at all", () => {
  it.scopedLive("is told with the address and the reason", () =>
    Effect.gen(function* () {
      const { service } = yield* registry([])
      const variables = new Map([["ANTHROPIC_BASE_URL", "http://127.0.0.1:9"]])
      const environment = Layer.setConfigProvider(ConfigProvider.fromMap(variables))
      const model = Layer.orDie(Layer.provide(Model.layer("anthropic/x"), environment))
      const { run } = yield* engine({ model, registry: service })
      const first = only(yield* collect(run("go", { cancel: Effect.sleep("100 millis") })), "ModelRetry")[0]
      expect(first?.reason).toMatch(/anthropic\/x: cannot reach http:\/\/127\.0\.0\.1:9: .+/)
    })
  )
})
