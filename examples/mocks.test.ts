/** A program's own code, tested on mock servers: no process, no network, no key, and what was called to assert on. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { Engine, McpManager, Permission, ServerConfig } from "harness9"
import * as Ai from "harness9/ai"
import { ScriptedModel, TestServer, TestTransportFactory } from "harness9/testing"

const server = (forecast: () => Effect.Effect<string, string>) =>
  TestServer.make({ tools: { forecast: { description: "Tomorrow's weather", handler: forecast } } })

const agent = (weather: TestServer.TestServer) =>
  Engine.layer().pipe(
    Layer.provide([Ai.layer, Permission.layer({ yes: true })]),
    Layer.provide(McpManager.layerConfig([ServerConfig.stdio("weather", { command: "-" })])),
    Layer.provide(TestTransportFactory.layer({ weather })),
    Layer.provide(
      ScriptedModel.layer([
        ScriptedModel.calls({ name: "mcp__weather__forecast", arguments: { city: "Oslo" } }),
        ScriptedModel.text("Take an umbrella.")
      ])
    )
  )

const finished = Effect.gen(function* () {
  const engine = yield* Engine.Engine
  const events = yield* Stream.runCollect(engine.run("Do I need an umbrella in Oslo?"))
  return [...events].filter(({ _tag }) => _tag === "ToolFinished" || _tag === "Done")
})

it.effect("asks for the forecast of the city", () => {
  const weather = server(() => Effect.succeed("rain"))
  return Effect.gen(function* () {
    expect(yield* finished).toMatchObject([{ result: { isError: false, text: "rain" } }, { text: "Take an umbrella." }])
    expect(yield* weather.calls).toEqual([{ tool: "forecast", arguments: { city: "Oslo" } }])
  }).pipe(Effect.provide(agent(weather)))
})

it.effect("goes on when the forecast fails, and when its server dies", () =>
  Effect.gen(function* () {
    for (const weather of [server(() => Effect.fail("no data")), server(() => TestServer.dies)]) {
      expect(yield* Effect.provide(finished, agent(weather))).toMatchObject([
        { result: { isError: true } },
        { text: "Take an umbrella." }
      ])
    }
  })
)
