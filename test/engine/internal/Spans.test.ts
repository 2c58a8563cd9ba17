import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as MetricState from "effect/MetricState"
import * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"
import * as ModelSampling from "../../../src/engine/ModelSampling.ts"
import * as ScriptedModel from "../../../src/testing/ScriptedModel.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { errorType, kept, named, pathOf } from "../../spans.ts"
import { collect, engine, mcpTool, registry, tool, writing } from "../fixture.ts"

/** Runs a prompt through a scripted model under a tracer: the spans. */
const traced = Effect.fnUntraced(function* (
  turns: ReadonlyArray<ScriptedModel.Turn>,
  tools: ReadonlyArray<Tool.Tool> = [mcpTool("it", "look")]
) {
  const { layer, spans } = yield* kept
  const { service } = yield* registry(tools)
  yield* Effect.gen(function* () {
    const { run } = yield* engine({ model: ScriptedModel.layer(turns), registry: service })
    yield* collect(run("go"))
  }).pipe(Effect.provide(layer))
  return spans.filter(isOwn)
})

/** Those of the model's library are its own matter. */
const isOwn = ({ name }: Tracer.Span): boolean => !name.startsWith("LanguageModel.")

const failures = (spans: ReadonlyArray<Tracer.Span>) =>
  spans.map((span) => [span.name, errorType(span)]).filter(([, type]) => type !== undefined)

/** The labels and the total of each figure of that name whose labels hold this text. */
const figures = (name: string, label: string) =>
  Effect.map(Metric.snapshot, (pairs) =>
    pairs
      .filter(({ metricKey: { name: found, tags } }) => found === name && tags.some(({ value }) => value === label))
      .map(({ metricKey: { tags }, metricState }) => {
        const labels = Object.fromEntries(tags.map(({ key, value }) => [key, value]))
        if (MetricState.isHistogramState(metricState)) return [labels["gen_ai.token.type"], metricState.sum]
        return [labels["gen_ai.tool.name"], MetricState.isCounterState(metricState) ? metricState.count : undefined]
      })
  )

describe("the figures of a run", () => {
  it.effect("are what the results of a server's tools take, about", () =>
    Effect.gen(function* () {
      const look = mcpTool("wordy", "look", { run: () => Effect.succeed(Tool.text("x".repeat(400))) })
      const twice = ScriptedModel.calls({ name: look.name }, { name: look.name })
      yield* traced([twice, ScriptedModel.text("done")], [look])
      expect(yield* figures("harness9.tool.result.tokens", "wordy")).toEqual([[look.name, 200]])
    })
  )

  it.effect("are the tokens that a server has asked the model for", () =>
    Effect.gen(function* () {
      const { layer, spans } = yield* kept
      yield* Effect.gen(function* () {
        const { createMessage } = yield* ModelSampling.make({ decide: () => Effect.succeed({ _tag: "Allow" }) })
        const messages = [{ role: "user", content: [{ type: "text", text: "hi" }] }] as const
        yield* createMessage({ messages, maxTokens: 10 }, { server: "asker" })
      }).pipe(Effect.provide(ScriptedModel.layer([ScriptedModel.text("hello")])), Effect.provide(layer))
      expect(named(spans, "chat openai").attributes.get("harness9.server")).toBe("asker")
      expect((yield* figures("gen_ai.client.token.usage", "asker")).sort()).toEqual([
        ["input", 10],
        ["output", 5]
      ])
    })
  )
})

describe("the spans of a run", () => {
  it.effect("are its turns, and in each what the model is asked and the calls that it makes", () =>
    Effect.gen(function* () {
      const spans = yield* traced([
        ScriptedModel.calls({ id: "c1", name: "mcp__it__look", arguments: { secret: "of the model" } }),
        ScriptedModel.text("done")
      ])
      expect(spans.map(pathOf)).toEqual([
        ["invoke_agent harness9"],
        ["invoke_agent harness9", "turn"],
        ["invoke_agent harness9", "turn", "chat openai"],
        ["invoke_agent harness9", "turn", "execute_tool mcp__it__look"],
        ["invoke_agent harness9", "turn"],
        ["invoke_agent harness9", "turn", "chat openai"]
      ])
      expect(failures(spans)).toEqual([])
      expect(Object.fromEntries(named(spans, "execute_tool mcp__it__look").attributes)).toEqual({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "mcp__it__look",
        "gen_ai.tool.call.id": "c1",
        "harness9.server": "it",
        "harness9.result.characters": "mcp__it__look ran".length
      })
      expect(named(spans, "chat openai").attributes.get("gen_ai.usage.input_tokens")).toBe(10)
      expect(named(spans, "chat openai").attributes.get("gen_ai.usage.output_tokens")).toBe(5)
    })
  )

  it.effect("a call that fails, or is not allowed, is marked, and nothing around it", () =>
    Effect.gen(function* () {
      const failing = tool("broken", () => Effect.succeed(Tool.failure("no")))
      const spans = yield* traced(
        [ScriptedModel.calls({ name: "broken" }, { name: "write" }), ScriptedModel.text("done")],
        [failing, tool("write", undefined, writing)]
      )
      expect(failures(spans)).toEqual([
        ["execute_tool broken", "tool_error"],
        ["execute_tool write", "denied"]
      ])
    })
  )

  it.effect("a model that cannot be asked is a failure of the run", () =>
    Effect.gen(function* () {
      const spans = yield* traced([ScriptedModel.httpError(401, { body: '{"error":{"message":"the key is sk-1"}}' })])
      expect(failures(spans)).toEqual([
        ["invoke_agent harness9", "ModelFailure"],
        ["turn", "ModelFailure"],
        ["chat openai", "ModelFailure"]
      ])
    })
  )

  it.effect("end when the run is stopped", () =>
    Effect.gen(function* () {
      const { layer, spans } = yield* kept
      const begun = yield* Deferred.make<void>()
      const endless = tool("wait", () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never))
      const { service } = yield* registry([endless])
      yield* Effect.gen(function* () {
        const model = ScriptedModel.layer([ScriptedModel.calls({ name: "wait" })])
        const { run } = yield* engine({ model, registry: service })
        const running = yield* Effect.fork(Stream.runDrain(run("go")))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(running)
      }).pipe(Effect.provide(layer))
      expect(failures(spans.filter(isOwn))).toEqual([
        ["invoke_agent harness9", "cancelled"],
        ["turn", "cancelled"],
        ["execute_tool wait", "cancelled"]
      ])
    })
  )

  it.effect("are in the span that the run is made in", () =>
    Effect.gen(function* () {
      const { layer, spans } = yield* kept
      const { service } = yield* registry([])
      yield* Effect.gen(function* () {
        const { run } = yield* engine({ model: ScriptedModel.layer([ScriptedModel.text("hi")]), registry: service })
        yield* Effect.withSpan(collect(run("go")), "mine")
      }).pipe(Effect.provide(layer))
      expect(pathOf(named(spans, "turn"))).toEqual(["mine", "invoke_agent harness9", "turn"])
    })
  )
})
