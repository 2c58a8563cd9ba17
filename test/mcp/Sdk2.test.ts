/** A server on the official SDK's second line, used through everything it offers: in both eras, over stdio and HTTP. */
import { fileURLToPath } from "node:url"
import { expect, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as ClientFeatures from "../../src/mcp/ClientFeatures.ts"
import * as HttpTransport from "../../src/mcp/HttpTransport.ts"
import * as McpClient from "../../src/mcp/McpClient.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as StdioTransport from "../../src/mcp/StdioTransport.ts"
import * as Http from "./httpServer.ts"

const program = fileURLToPath(new URL("../fixtures/sdk2.mjs", import.meta.url))

const overStdio = StdioTransport.make({ server: "sdk2", command: process.execPath, args: [program, "stdio"] })

const overHttp = Effect.flatMap(
  Http.program((port) => ({ args: [program, "http", port] })),
  (origin) => HttpTransport.make({ server: "sdk2", url: `${origin}/mcp` })
)

/** A person called Ada, who has a model and a folder. */
const features: ClientFeatures.Service = {
  roots: { list: Effect.succeed([{ uri: "file:///work", name: "work" }]) },
  sampling: { createMessage: () => Effect.succeed({ model: "m", content: [{ type: "text", text: "hello" }] }) },
  elicitation: { form: () => Effect.succeed({ action: "accept", content: { name: "Ada" } }) }
}

class Client extends Context.Tag("test/Client")<Client, McpClient.Service>() {}

for (const protocolVersion of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2026-07-28"] as const) {
  for (const [name, transport] of [
    ["stdio", overStdio],
    ["HTTP", overHttp]
  ] as const) {
    const client = Layer.scoped(
      Client,
      Effect.flatMap(transport, (transport) =>
        McpClient.make({ protocolVersion }).pipe(
          Effect.provideService(McpTransport.McpTransport, transport),
          Effect.provideService(ClientFeatures.ClientFeatures, features)
        )
      )
    )

    layer(client, { excludeTestServices: true })(`a server on the 2.x SDK, ${protocolVersion}, over ${name}`, (it) => {
      it.effect("has tools that are called, with structured results", () =>
        Effect.gen(function* () {
          const client = yield* Client
          expect(client.protocolVersion).toBe(protocolVersion)
          expect(client.instructions).toBe("Ask nicely.")
          const result = yield* client.callTool("add", { a: 2, b: 3 })
          expect(result).toMatchObject({ isError: false, text: "5", structuredContent: { sum: 5 } })
        })
      )

      it.effect("has resources, templates, prompts and completions", () =>
        Effect.gen(function* () {
          const client = yield* Client
          expect((yield* client.listResources).map(({ uri }) => uri)).toEqual(["note://a"])
          expect((yield* client.listResourceTemplates).map(({ uriTemplate }) => uriTemplate)).toEqual(["note://{name}"])
          expect(yield* client.readResource("note://b")).toMatchObject([{ uri: "note://b", text: "the note note://b" }])
          expect(yield* client.listPrompts).toMatchObject([
            { name: "greet", arguments: [{ name: "who", required: true }] }
          ])
          const { messages } = yield* client.getPrompt("greet", { who: "Bob" })
          expect(messages).toMatchObject([{ role: "user", content: { type: "text", text: "Greet Bob" } }])
          const argument = { name: "who", value: "ber" }
          const completion = yield* client.complete({ type: "ref/prompt", name: "greet" }, argument)
          expect(completion.values).toEqual(["berlin", "bern"])
        })
      )

      it.effect("tells progress and logs what is asked for", () =>
        Effect.gen(function* () {
          const client = yield* Client
          const seen: Array<number> = []
          const onProgress = ({ progress }: { readonly progress: number }) =>
            Effect.sync(() => void seen.push(progress))
          expect((yield* client.callTool("steps", {}, { onProgress })).text).toBe("done")
          expect(seen).toEqual([1, 2])
          yield* client.setLogLevel("warning")
          const logged = yield* Effect.fork(Stream.runHead(client.logMessages))
          expect((yield* client.callTool("log", {})).text).toBe("logged")
          expect(yield* Effect.fromFiber(logged)).toMatchObject({ value: { level: "warning", data: "careful" } })
        })
      )

      it.effect("is told when a call is given up", () =>
        Effect.gen(function* () {
          const client = yield* Client
          const started = yield* Deferred.make<void>()
          const onProgress = () => Effect.asVoid(Deferred.succeed(started, undefined))
          const call = yield* Effect.fork(client.callTool("wait", {}, { onProgress }))
          yield* Deferred.await(started)
          yield* Fiber.interrupt(call)
          const heard = Effect.map(client.callTool("cancelled", {}), ({ text }) => text)
          expect(yield* Effect.repeat(heard, { until: (text) => text === "1" })).toBe("1")
        })
      )

      it.effect("tells of resources that change, and of new tools", () =>
        Effect.gen(function* () {
          const client = yield* Client
          const updates = yield* Effect.fork(Stream.runHead(client.resourceUpdates))
          yield* client.subscribeResource("note://a")
          yield* client.callTool("touch", {})
          expect(yield* Effect.fromFiber(updates)).toMatchObject({ value: "note://a" })
          yield* client.unsubscribeResource("note://a")
          const grown = client.toolsChanged.pipe(
            Stream.filter((tools) => tools.some(({ name }) => name === "grown")),
            Stream.runHead
          )
          const changed = yield* Effect.fork(grown)
          yield* client.callTool("grow", {})
          yield* Fiber.join(changed)
          expect((yield* client.callTool("grown", {})).text).toBe("grown")
        })
      )

      it.effect("asks the person, the model and for the folders in the middle of a call", () =>
        Effect.gen(function* () {
          const client = yield* Client
          const { text } = yield* client.callTool("ask", {})
          expect(JSON.parse(text)).toEqual({
            name: "Ada",
            said: { type: "text", text: "hello" },
            roots: [{ uri: "file:///work", name: "work" }]
          })
        })
      )
    })
  }
}
