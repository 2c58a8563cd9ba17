import * as LanguageModel from "@effect/ai/LanguageModel"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Model from "../../../src/engine/model/Model.ts"
import { OutputLimit } from "../../../src/engine/model/OutputLimit.ts"
import { modelServer } from "./modelServer.ts"

const apis = [
  { spec: "anthropic/claude-test", path: "/v1/messages", field: "max_tokens", otherwise: 32_000, key: "ANTHROPIC" },
  { spec: "openai/gpt-test", path: "/v1/responses", field: "max_output_tokens", otherwise: undefined, key: "OPENAI" },
  { spec: "openai/local", path: "/v1/chat/completions", field: "max_tokens", otherwise: undefined, key: undefined }
]

describe("the limit of an answer", () => {
  it.scopedLive.each(apis)("is sent to $path, and to no request without one", ({ field, key, otherwise, path, spec }) =>
    Effect.gen(function* () {
      const server = yield* modelServer(path, [])
      const base = spec.startsWith("openai")
        ? ["OPENAI_BASE_URL", `${server.url}/v1`]
        : ["ANTHROPIC_BASE_URL", server.url]
      const variables = [base, ...(key === undefined ? [] : [[`${key}_API_KEY`, "k"]])] as Array<[string, string]>
      const environment = Layer.setConfigProvider(ConfigProvider.fromMap(new Map(variables)))
      const ask = Effect.ignore(Stream.runDrain(LanguageModel.streamText({ prompt: "go" })))
      const limited = (maxTokens: number) => Effect.provideService(ask, OutputLimit, { maxTokens })
      yield* Effect.provide(
        Effect.all([ask, limited(123), limited(1_000_000)]),
        Layer.orDie(Layer.provide(Model.layer(spec), environment))
      )
      const most = otherwise ?? 1_000_000
      expect(server.asked.map(({ body }) => body[field])).toEqual([otherwise, 123, most])
    })
  )
})
