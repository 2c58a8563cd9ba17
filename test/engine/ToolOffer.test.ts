import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CurrentModel } from "../../src/engine/model/ModelInfo.ts"
import * as ToolName from "../../src/mcp/ToolName.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { collect, engine, mcpTool, only, registry, tool } from "./fixture.ts"

const { calls, text } = ScriptedModel

const search = (query: string, limit?: number) =>
  calls({ name: "search_tools", arguments: limit === undefined ? { query } : { query, limit } })

/** A hundred tools of some 250 tokens each: twice what a model of 128,000 has room for at 10 %. */
const crowd = (count = 100) =>
  Array.from({ length: count }, (_, index) =>
    mcpTool("crowd", `filler_${index}`, { description: "filler ".repeat(140) })
  )

const weather = mcpTool("weather", "forecast", {
  description: "The weather of tomorrow.",
  inputSchema: { type: "object", properties: { city: { type: "string" } } },
  run: ({ city }) => Effect.succeed(Tool.text(`sunny in ${city}`))
})
const translate = mcpTool("words", "translate", { description: "Translates a text into another language." })
const issue = mcpTool("github", "create_issue", { description: "Opens a new issue." })

/** Runs the turns, then tells what the model was offered in each of its turns, and what happened. */
const play = Effect.fnUntraced(function* (
  turns: ReadonlyArray<ScriptedModel.Turn>,
  tools: ReadonlyArray<Tool.Tool>,
  options: { readonly toolShare?: number; readonly keptTools?: number } = {}
) {
  const script = ScriptedModel.make([...turns, text("done")])
  const { service } = yield* registry(tools)
  const { run } = yield* engine({ model: script.layer, registry: service, options })
  const events = yield* collect(run("go"))
  const results = only(events, "ToolFinished").map(({ result }) => result)
  return { offered: script.asked.map((asked) => asked.tools), results, events }
})

describe("tools that the model has no room for", () => {
  it.effect("are searched for: what is found is offered in the next turn and can be called", () =>
    Effect.gen(function* () {
      const { events, offered, results } = yield* play(
        [search("weather forecast"), calls({ name: "mcp__weather__forecast", arguments: { city: "Rome" } })],
        [tool("read_file"), ...crowd(), weather]
      )
      expect(offered).toEqual([
        ["search_tools", "read_file"],
        ["search_tools", "read_file", "mcp__weather__forecast"],
        ["search_tools", "read_file", "mcp__weather__forecast"]
      ])
      expect(results.map(({ text }) => text)).toEqual([
        expect.stringContaining('"inputSchema":{"type":"object","properties":{"city":{"type":"string"}}}'),
        "sunny in Rome"
      ])
      expect(only(events, "TurnStarted").map(({ of, tools }) => [tools, of])).toEqual([
        [2, 103],
        [3, 103],
        [3, 103]
      ])
    })
  )

  it.effect("leave again when others have been found or called since", () =>
    Effect.gen(function* () {
      const { offered } = yield* play(
        [
          search("weather forecast", 1),
          search("translate a text", 1),
          calls({ name: "mcp__weather__forecast" }),
          search("new issue", 1)
        ],
        [...crowd(), weather, translate, issue],
        { keptTools: 2 }
      )
      expect(offered.map((names) => names.slice(1).toSorted())).toEqual([
        [],
        ["mcp__weather__forecast"],
        ["mcp__weather__forecast", "mcp__words__translate"],
        ["mcp__weather__forecast", "mcp__words__translate"],
        ["mcp__github__create_issue", "mcp__weather__forecast"]
      ])
    })
  )

  it.effect("are served when the model calls one by its right name without a search, and stay on offer", () =>
    Effect.gen(function* () {
      const { offered, results } = yield* play(
        [calls({ name: "mcp__weather__forecast", arguments: { city: "Oslo" } })],
        [...crowd(), weather]
      )
      expect(results).toMatchObject([{ isError: false, text: "sunny in Oslo" }])
      expect(offered[1]).toEqual(["search_tools", "mcp__weather__forecast"])
    })
  )

  it.effect("are served by the short name that a long one would have had", () =>
    Effect.gen(function* () {
      const long = mcpTool("a_server_with_quite_a_long_name", "and_a_tool_with_a_name_that_is_longer_still")
      const { results } = yield* play([calls({ name: ToolName.forModel(long.name) })], [...crowd(), long])
      expect(results).toMatchObject([{ isError: false, text: `${long.name} ran` }])
    })
  )

  it.effect("are not found when none fits, and the model is told which servers there are", () =>
    Effect.gen(function* () {
      const { offered, results } = yield* play([search("mow the lawn")], [...crowd(), weather])
      expect(results[0]?.text).toContain("No tool fits")
      expect(results[0]?.text).toContain("crowd (100), weather (1)")
      expect(offered[1]).toEqual(["search_tools"])
    })
  )

  it.effect("cannot be searched for without words", () =>
    Effect.gen(function* () {
      const { results } = yield* play([calls({ name: "search_tools", arguments: { query: " " } })], crowd())
      expect(results).toMatchObject([{ isError: true }])
    })
  )

  it.effect("may be 10,000", () =>
    Effect.gen(function* () {
      const { events, offered } = yield* play([search("weather forecast", 1)], [...crowd(10_000), weather])
      expect(offered).toEqual([["search_tools"], ["search_tools", "mcp__weather__forecast"]])
      expect(only(events, "TurnStarted")[0]).toMatchObject({ tools: 1, of: 10_002 })
    })
  )
})

describe("the budget for tools", () => {
  it.effect("leaves everything as it is while the tools fit into it", () =>
    Effect.gen(function* () {
      const { events, offered } = yield* play([], [tool("read_file"), weather, translate])
      expect(offered).toEqual([["read_file", "mcp__weather__forecast", "mcp__words__translate"]])
      expect(only(events, "TurnStarted")).toMatchObject([{ tools: 3, of: 3 }])
    })
  )

  it.effect("can be set", () =>
    Effect.gen(function* () {
      expect((yield* play([], crowd(), { toolShare: 0.5 })).offered[0]).toHaveLength(100)
      expect((yield* play([], [weather], { toolShare: 0 })).offered).toEqual([["search_tools"]])
    })
  )

  it.effect("is of the model's own context", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([text("done")])
      const { service } = yield* registry(crowd())
      const info = Layer.succeed(CurrentModel, { provider: "openai", model: "big", contextWindow: 1_000_000 })
      const { run } = yield* engine({ model: Layer.merge(script.layer, info), registry: service })
      yield* collect(run("go"))
      expect(script.asked[0]?.tools).toHaveLength(100)
    })
  )

  it.effect("is no concern of the offline model", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([text("done")])
      const { service } = yield* registry(crowd())
      const info = Layer.succeed(CurrentModel, { provider: "offline", model: "" })
      const { run } = yield* engine({ model: Layer.merge(script.layer, info), registry: service })
      yield* collect(run("go"))
      expect(script.asked[0]?.tools).toHaveLength(100)
    })
  )

  it.effect("does not touch tools that are pinned, nor offer those that are always deferred", () =>
    Effect.gen(function* () {
      const pinned = { ...weather, defer: false }
      const hidden = { ...translate, defer: true }
      expect((yield* play([], [...crowd(), pinned])).offered).toEqual([["search_tools", "mcp__weather__forecast"]])
      const { offered } = yield* play([search("translate")], [weather, hidden])
      expect(offered).toEqual([
        ["search_tools", "mcp__weather__forecast"],
        ["search_tools", "mcp__weather__forecast", "mcp__words__translate"]
      ])
    })
  )

  it.effect("starts anew in a conversation that was cleared", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([search("weather forecast"), text("found"), text("again")])
      const { service } = yield* registry([...crowd(), weather])
      const { conversation } = yield* engine({ model: script.layer, registry: service })
      const { clear, run } = yield* conversation
      yield* collect(run("go"))
      yield* clear
      yield* collect(run("go"))
      expect(script.asked.map(({ tools }) => tools.length)).toEqual([1, 2, 1])
    })
  )
})
