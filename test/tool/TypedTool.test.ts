import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { layerConfig, McpManager } from "../../src/mcp/McpManager.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"
import * as TypedTool from "../../src/tool/TypedTool.ts"

const input = Schema.Struct({ city: Schema.String, days: Schema.optional(Schema.Number) })
const output = Schema.Struct({ celsius: Schema.Number })
const forecast = TypedTool.make({ server: "weather", tool: "forecast", input })
const measured = TypedTool.structured({ server: "weather", tool: "measured", input, output })

const weather = (structuredContent: unknown) =>
  TestServer.make({
    tools: {
      forecast: {
        handler: ({ city }) => (city === "Oslo" ? Effect.succeed("rain") : Effect.fail("no such city\u202e"))
      },
      measured: { handler: () => ({ content: [], structuredContent }) }
    }
  })

const on = (server: TestServer.TestServer) =>
  Layer.tap(
    Layer.provide(
      layerConfig([ServerConfig.stdio("weather", { command: "-" })]),
      TestTransportFactory.layer({ weather: server })
    ),
    (context) => Context.get(context, McpManager).start
  )

describe("a typed tool", () => {
  it.effect("calls over the Manager's connection, or over a client that it is given", () => {
    const server = weather({ celsius: 7, further: true })
    return Effect.gen(function* () {
      expect((yield* forecast({ city: "Oslo" })).text).toBe("rain")
      const client = yield* Effect.flatMap(McpManager, (manager) => manager.client("weather"))
      expect(yield* measured.over(client, { city: "Oslo", days: 2 })).toEqual({ celsius: 7, further: true })
      expect(yield* server.calls).toEqual([
        { tool: "forecast", arguments: { city: "Oslo" } },
        { tool: "measured", arguments: { city: "Oslo", days: 2 } }
      ])
    }).pipe(Effect.provide(on(server)))
  })

  it.effect("sends no arguments that do not fit, and names the field and not its value", () => {
    const server = weather({})
    return Effect.gen(function* () {
      const wrong = { city: "Oslo", days: "a secret" } as unknown as typeof input.Type
      expect(yield* Effect.flip(forecast(wrong))).toMatchObject({
        _tag: "ToolFailure",
        kind: "arguments",
        message: 'the arguments of "forecast": days is not what the schema says'
      })
      expect(yield* server.calls).toEqual([])
    }).pipe(Effect.provide(on(server)))
  })

  it.effect("fails with what the tool says, in sight", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(forecast({ city: "Atlantis" }))).toMatchObject({
        kind: "tool",
        message: "no such city\\u{202e}"
      })
    }).pipe(Effect.provide(on(weather({}))))
  )

  it.effect.each([
    [{}, 'the result of "measured": celsius is missing'],
    [{ celsius: "a secret" }, 'the result of "measured": celsius is not what the schema says'],
    [undefined, 'the result of "measured": the whole is not what the schema says']
  ])("fails when the result is %j", ([content, message]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(measured({ city: "Oslo" }))).toMatchObject({
        kind: "result",
        message,
        hint: "harness9 generate weather --output FILE --check says what changed"
      })
    }).pipe(Effect.provide(on(weather(content))))
  )

  it.effect("fails as the Manager does where there is no such server", () =>
    Effect.gen(function* () {
      const elsewhere = TypedTool.make({ server: "elsewhere", tool: "forecast", input })
      expect(yield* Effect.flip(elsewhere({ city: "Oslo" }))).toMatchObject({
        _tag: "McpError",
        kind: "unknown-server"
      })
    }).pipe(Effect.provide(on(weather({}))))
  )
})
