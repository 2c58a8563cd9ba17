import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import { modelServer } from "../engine/model/modelServer.ts"
import { configured, packaged, run } from "./cli.ts"

const call = { id: "call_1", name: "mcp__everything__echo", arguments: '{"message":"hello world"}' }

/** A provider's own words for a turn that calls a tool, and for one that answers. */
interface Provider {
  readonly model: string
  readonly path: string
  readonly env: (url: string) => Readonly<Record<string, string>>
  readonly calls: ReadonlyArray<JsonObject>
  readonly answers: (text: string) => ReadonlyArray<JsonObject>
}

const start = {
  type: "message_start",
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    content: [],
    model: "claude-test",
    usage: { input_tokens: 1 }
  }
}

const stop = (reason: string): ReadonlyArray<JsonObject> => [
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 1 } },
  { type: "message_stop" }
]

const anthropic: Provider = {
  model: "anthropic/claude-test",
  path: "/v1/messages",
  env: (url) => ({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url }),
  calls: [
    start,
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: call.id, name: call.name, input: {} }
    },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: call.arguments } },
    ...stop("tool_use")
  ],
  answers: (text) => [
    start,
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    ...stop("end_turn")
  ]
}

const openai: Provider = {
  model: "openai/local-model",
  path: "/v1/chat/completions",
  env: (url) => ({ OPENAI_BASE_URL: `${url}/v1` }),
  calls: [
    {
      choices: [
        {
          delta: {
            tool_calls: [
              { index: 0, id: call.id, type: "function", function: { name: call.name, arguments: call.arguments } }
            ]
          }
        }
      ]
    },
    { choices: [{ delta: {}, finish_reason: "tool_calls" }] }
  ],
  answers: (content) => [{ choices: [{ delta: { content } }] }, { choices: [{ delta: {}, finish_reason: "stop" }] }]
}

describe("run with a model behind an API", () => {
  it.scopedLive.each([anthropic, openai])(
    "$model calls a tool of a real server and answers with what it said",
    (provider) =>
      Effect.gen(function* () {
        const { asked, url } = yield* modelServer(provider.path, [
          { events: provider.calls },
          { events: provider.answers("It said: hello world") }
        ])
        const config = yield* configured({ everything: packaged("everything", "stdio") })
        const words = ["run", "echo hello world", "--model", provider.model, "--config", config, "--yes"]
        const { code, stdout } = yield* run([...words, "--output", "stream-json"], { env: provider.env(url) })
        const events: ReadonlyArray<JsonObject> = stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
        expect(code).toBe(0)
        expect(events).toContainEqual(
          expect.objectContaining({ type: "tool_started", name: call.name, arguments: { message: "hello world" } })
        )
        expect(events).toContainEqual(
          expect.objectContaining({
            type: "tool_finished",
            result: expect.objectContaining({ text: "Echo: hello world" })
          })
        )
        expect(events.at(-1)).toMatchObject({ type: "done", reason: "answer", text: "It said: hello world" })
        expect(JSON.stringify(asked[1]?.body)).toContain("Echo: hello world")
      })
  )

  it.scopedLive("ends with 1 and the reason, not the key, when the provider refuses", () =>
    Effect.gen(function* () {
      const body = { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } }
      const { url } = yield* modelServer(anthropic.path, [{ status: 401, body }])
      const env = { ANTHROPIC_API_KEY: "sk-very-secret", ANTHROPIC_BASE_URL: url }
      const { code, stderr } = yield* run(["run", "hi", "--model", anthropic.model], { env })
      expect(code).toBe(1)
      expect(stderr).toContain("ANTHROPIC_API_KEY")
      expect(stderr).not.toContain("sk-very-secret")
    })
  )
})
