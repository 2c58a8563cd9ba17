import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Model from "../../../src/engine/model/Model.ts"
import { CurrentModel, format } from "../../../src/engine/model/ModelInfo.ts"

const variables = (values: Readonly<Record<string, string>>) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values))))

const chosen = (spec: string | undefined, values: Readonly<Record<string, string>>) =>
  Effect.provide(
    Effect.flatMap(Model.environment, (environment) => Model.choose(spec, environment)),
    variables(values)
  )

describe("the model of a run", () => {
  it.effect.each([
    ["the name given, before everything", "offline", { HARNESS9_MODEL: "openai/x", ANTHROPIC_API_KEY: "k" }, "offline"],
    [
      "the variable, before keys",
      undefined,
      { HARNESS9_MODEL: "openai/x", ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" },
      "openai/x"
    ],
    [
      "Anthropic's default with its key",
      undefined,
      { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" },
      `anthropic/${Model.defaults.anthropic}`
    ],
    ["OpenAI's default with its key", undefined, { OPENAI_API_KEY: "k" }, `openai/${Model.defaults.openai}`],
    ["offline without any", undefined, {}, "offline"],
    ["offline when the variables are empty", undefined, { HARNESS9_MODEL: "", OPENAI_API_KEY: " " }, "offline"],
    ["a name with slashes in it", "openai/meta/llama-3", { OPENAI_BASE_URL: "http://x/v1" }, "openai/meta/llama-3"],
    [
      "the provider's default when it alone is named",
      "anthropic",
      { ANTHROPIC_API_KEY: "k" },
      `anthropic/${Model.defaults.anthropic}`
    ]
  ] as const)("is %s", ([_, spec, values, expected]) =>
    Effect.gen(function* () {
      const choice = yield* chosen(spec, values)
      expect(choice.provider === "offline" ? "offline" : `${choice.provider}/${choice.model}`).toBe(expected)
    })
  )

  it.effect.each([
    ["a provider that there is none of", "gemini/x", {}, "unknown model"],
    ["a name without its provider", "gpt-5", { OPENAI_API_KEY: "k" }, "openai/MODEL"],
    ["a provider without key or address", "anthropic/x", { OPENAI_API_KEY: "k" }, "ANTHROPIC_API_KEY"]
  ] as const)("cannot be %s", ([_, spec, values, message]) =>
    Effect.gen(function* () {
      const problem = yield* Effect.flip(chosen(spec, values))
      expect(problem.message).toContain(message)
    })
  )

  it.effect("keeps its key where no one can print it", () =>
    Effect.gen(function* () {
      const choice = yield* chosen("anthropic/x", { ANTHROPIC_API_KEY: "sk-very-secret" })
      expect(JSON.stringify(choice)).not.toContain("sk-very-secret")
      if (choice.provider !== "offline") expect(choice.access.apiKey).toEqual(Redacted.make("sk-very-secret"))
    })
  )

  it.effect.each([
    ["offline", {}, "offline"],
    ["openai/gpt-5", { OPENAI_API_KEY: "k" }, "openai/gpt-5"],
    ["anthropic/claude-x", { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" }, "anthropic/claude-x"]
  ] as const)("is known to the program as a service: %s", ([spec, values, expected]) =>
    Effect.gen(function* () {
      const info = yield* Effect.provide(CurrentModel, Layer.provide(Model.layer(spec), variables(values)))
      expect(format(info)).toBe(expected)
      expect(info.maxTools).toBe(spec === "openai/gpt-5" ? 128 : undefined)
    })
  )
})
