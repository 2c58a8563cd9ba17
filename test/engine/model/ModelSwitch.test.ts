import * as LanguageModel from "@effect/ai/LanguageModel"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { format, type ModelInfo } from "../../../src/engine/model/ModelInfo.ts"
import * as ModelSwitch from "../../../src/engine/model/ModelSwitch.ts"
import * as ScriptedModel from "../../../src/testing/ScriptedModel.ts"
import { collect, engine, mcpTool, only, registry } from "../fixture.ts"

const variables = (values: Readonly<Record<string, string>>) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values))))

const started = (spec: string | undefined, values: Readonly<Record<string, string>>) =>
  Effect.provide(ModelSwitch.ModelSwitch, Layer.provide(ModelSwitch.layer(spec), variables(values)))

describe("a model that can be changed", () => {
  it.effect("begins as the one that is asked for, and tells each change", () =>
    Effect.gen(function* () {
      const models = yield* ModelSwitch.ModelSwitch
      const seen = yield* Effect.fork(Stream.runCollect(Stream.take(models.changes, 2)))
      yield* Effect.yieldNow()
      yield* models.use("anthropic/claude-x")
      expect(Chunk.toReadonlyArray(yield* Fiber.join(seen)).map(format)).toEqual(["offline", "anthropic/claude-x"])
    }).pipe(Effect.provide(Layer.provide(ModelSwitch.layer("offline"), variables({ ANTHROPIC_API_KEY: "k" }))))
  )

  it.effect("stays the same when another one cannot be used", () =>
    Effect.gen(function* () {
      const models = yield* started("offline", {})
      expect((yield* Effect.flip(models.use("anthropic/claude-x"))).message).toContain("ANTHROPIC_API_KEY")
      expect((yield* Effect.flip(models.use("gemini/x"))).message).toContain("unknown model")
      expect(format((yield* models.current).info)).toBe("offline")
    })
  )

  it.effect("is what everyone asks who asks for a language model", () =>
    Effect.gen(function* () {
      const { text } = yield* LanguageModel.generateText({ prompt: "fly to the moon" })
      expect(text).toContain("no language model behind me")
    }).pipe(Effect.provide(ModelSwitch.layer("offline")))
  )

  it.effect.each([
    ["of a provider whose key is set", { ANTHROPIC_API_KEY: "k" }, ["anthropic/claude-sonnet-4-5", "offline"]],
    ["the one that the environment names", { HARNESS9_MODEL: "openai/local" }, ["openai/local", "offline"]],
    ["none of a server whose models nobody knows", { OPENAI_BASE_URL: "http://x/v1" }, ["offline"]]
  ] as const)("is named from: %s", ([_, values, expected]) =>
    Effect.gen(function* () {
      const { names } = yield* started("offline", values)
      expect(names).toEqual(expect.arrayContaining([...expected]))
      expect(names.some((name) => name.startsWith("openai/gpt"))).toBe(false)
    })
  )

  it.effect("answers from the next run on, and is given the tools as its own API takes them", () =>
    Effect.gen(function* () {
      const known = (name: string, maxTools: number | undefined) => {
        const script = ScriptedModel.make([ScriptedModel.text(`I am ${name}.`), ScriptedModel.text("Still here.")])
        const info: ModelInfo = { provider: "openai", model: name, maxTools }
        return Effect.map(Effect.provide(LanguageModel.LanguageModel, script.layer), (service) => ({
          script,
          known: { service, info }
        }))
      }
      const first = yield* known("first", undefined)
      const second = yield* known("second", 1)
      const inUse = yield* SubscriptionRef.make(first.known)
      const models = ModelSwitch.ModelSwitch.of({
        current: SubscriptionRef.get(inUse),
        changes: Stream.map(inUse.changes, ({ info }) => info),
        use: () => Effect.as(SubscriptionRef.set(inUse, second.known), second.known.info),
        names: []
      })
      const { service } = yield* registry([mcpTool("a", "x"), mcpTool("a", "y")])
      const made = yield* Effect.provideService(
        engine({ model: first.script.layer, registry: service }),
        ModelSwitch.ModelSwitch,
        models
      )
      const conversation = yield* made.conversation
      const events = yield* collect(
        Stream.concat(
          Stream.tap(conversation.run("who?"), () => Effect.orDie(models.use("second"))),
          conversation.run("and now?")
        )
      )
      expect(only(events, "TextDelta").map(({ text }) => text)).toEqual(["I am first.", "I am second."])
      expect(only(events, "TurnStarted").map(({ tools }) => tools)).toEqual([2, 1])
      expect(second.script.asked[0]?.prompt.content.map(({ role }) => role)).toContain("assistant")
    })
  )
})
