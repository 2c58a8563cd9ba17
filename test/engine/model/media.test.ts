import * as LanguageModel from "@effect/ai/LanguageModel"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as History from "../../../src/engine/internal/History.ts"
import * as Model from "../../../src/engine/model/Model.ts"
import { CurrentModel } from "../../../src/engine/model/ModelInfo.ts"
import { modelServer } from "./modelServer.ts"

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** A conversation in which a tool took a picture, and made a sound. */
const conversation = History.fromEvents([
  { type: "prompted", prompt: "look" },
  { type: "answered", parts: [{ type: "tool-call", id: "c1", name: "shot", arguments: {} }] },
  {
    type: "returned",
    id: "c1",
    text: "taken",
    isError: false,
    denied: false,
    durationMs: 1,
    media: [
      { type: "image", data: png, mimeType: "image/png" },
      { type: "audio", data: "UklGRg==", mimeType: "audio/wav" }
    ]
  }
])

/** The messages that the model's server is sent. */
const sent = (path: string, spec: string, variables: (url: string) => ReadonlyArray<readonly [string, string]>) =>
  Effect.gen(function* () {
    const server = yield* modelServer(path, [{ status: 400 }])
    const environment = Layer.setConfigProvider(ConfigProvider.fromMap(new Map(variables(server.url))))
    const layer = Model.layer(spec).pipe(Layer.provide(environment))
    yield* Effect.provide(
      Effect.gen(function* () {
        const { media } = yield* CurrentModel
        const { streamText } = yield* LanguageModel.LanguageModel
        const prompt = History.toPrompt(conversation, "Be brief.", media)
        yield* Effect.either(Stream.runDrain(streamText({ prompt })))
      }),
      layer
    )
    const body = server.asked[0]?.body ?? {}
    return JSON.stringify(body.messages ?? body.input)
  })

describe("an image of a tool's result reaches the model", () => {
  it.scopedLive("by Anthropic's API, behind the result in one message", () =>
    Effect.gen(function* () {
      const messages: ReadonlyArray<{ readonly content: ReadonlyArray<{ readonly type: string }> }> = JSON.parse(
        yield* sent("/v1/messages", "anthropic/claude-test", (url) => [
          ["ANTHROPIC_API_KEY", "key"],
          ["ANTHROPIC_BASE_URL", url]
        ])
      )
      const last = messages.at(-1)?.content ?? []
      expect(last.map(({ type }) => type)).toEqual(["tool_result", "text", "image", "text"])
      expect(last[2]).toMatchObject({ source: { type: "base64", media_type: "image/png", data: png } })
      expect(last[3]).toMatchObject({ text: "[harness9] audio/wav left out: this model takes no sounds." })
    })
  )

  it.scopedLive("by OpenAI's Responses, after the result", () =>
    Effect.gen(function* () {
      const input = yield* sent("/v1/responses", "openai/gpt-5", (url) => [
        ["OPENAI_API_KEY", "key"],
        ["OPENAI_BASE_URL", `${url}/v1`]
      ])
      expect(input).toContain(`"image_url":"data:image/png;base64,${png}"`)
      expect(input).toContain("audio/wav left out")
      expect(input.indexOf("function_call_output")).toBeLessThan(input.indexOf("input_image"))
    })
  )

  it.scopedLive("by chat completions, and a sound too where the model hears", () =>
    Effect.gen(function* () {
      const messages = yield* sent("/v1/chat/completions", "openai/qwen2.5-omni-vision", (url) => [
        ["OPENAI_BASE_URL", `${url}/v1`]
      ])
      expect(messages).toContain(`"image_url":{"url":"data:image/png;base64,${png}"}`)
      expect(messages).toContain(`"input_audio":{"data":"UklGRg==","format":"wav"}`)
      expect(messages.indexOf('"role":"tool"')).toBeLessThan(messages.indexOf("image_url"))
    })
  )

  it.scopedLive("not where the model is not known to see", () =>
    Effect.gen(function* () {
      const messages = yield* sent("/v1/chat/completions", "openai/qwen3:8b", (url) => [
        ["OPENAI_BASE_URL", `${url}/v1`]
      ])
      expect(messages).not.toContain("image_url")
      expect(messages).toContain("image/png left out: this model takes no images.")
    })
  )
})
