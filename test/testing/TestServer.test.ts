import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { McpClient, McpManager, MemoryTransport, ServerConfig } from "../../src/index.ts"
import { TestServer, TestTransportFactory } from "../../src/testing.ts"

const weather = TestServer.make({
  tools: { forecast: { description: "Tomorrow's weather", handler: ({ city }) => `sunny in ${city}` } }
})

const Test = McpManager.layerConfig([
  ServerConfig.stdio("weather", { command: "-" }),
  ServerConfig.stdio("broken", { command: "-" }),
  ServerConfig.stdio("forgotten", { command: "-" })
]).pipe(
  Layer.provide(
    TestTransportFactory.layer({ weather, broken: { fail: { message: "no such program", kind: "spawn" } } })
  )
)

it.effect("an app on the Manager is tested without a process", () =>
  Effect.gen(function* () {
    const manager = yield* McpManager.McpManager
    yield* manager.start
    const client = yield* manager.client("weather")
    expect((yield* client.callTool("forecast", { city: "Oslo" })).text).toBe("sunny in Oslo")
    expect(yield* weather.calls).toEqual([{ tool: "forecast", arguments: { city: "Oslo" } }])
    expect((yield* Effect.flip(manager.client("broken"))).message).toBe("no such program")
    expect((yield* Effect.flip(manager.client("forgotten"))).message).toContain("no test server")
  }).pipe(Effect.provide(Test))
)

it.effect("a server can be used without a Manager", () => {
  const transport = MemoryTransport.layer({ server: "weather", handler: weather.handler })
  return Effect.gen(function* () {
    const client = yield* McpClient.McpClient
    expect((yield* client.tools).map(({ description }) => description)).toEqual(["Tomorrow's weather"])
  }).pipe(Effect.provide(Layer.provide(McpClient.layer(), transport)))
})

it.effect("a tool sees its arguments and tells progress; results may be text, blocks or whole", () => {
  const seen: Array<number> = []
  const server = TestServer.make({
    tools: {
      text: { handler: () => "plain" },
      blocks: {
        handler: () => [
          { type: "text", text: "a" },
          { type: "text", text: "b" }
        ]
      },
      whole: { handler: () => ({ content: [], structuredContent: { n: 1 } }) },
      progress: { handler: (_, { progress }) => Effect.as(progress({ progress: 3, total: 4 }), "done") }
    }
  })
  return Effect.gen(function* () {
    const client = yield* McpClient.McpClient
    expect((yield* client.callTool("text", {})).text).toBe("plain")
    expect((yield* client.callTool("blocks", {})).text).toBe("a\nb")
    expect((yield* client.callTool("whole", {})).structuredContent).toEqual({ n: 1 })
    const onProgress = ({ progress }: { readonly progress: number }) => Effect.sync(() => void seen.push(progress))
    expect((yield* client.callTool("progress", {}, { onProgress })).text).toBe("done")
    expect(seen).toEqual([3])
  }).pipe(
    Effect.provide(Layer.provide(McpClient.layer(), MemoryTransport.layer({ server: "s", handler: server.handler })))
  )
})
