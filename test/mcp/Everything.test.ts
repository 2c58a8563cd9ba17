/** The published `server-everything`, used through everything it offers: over each transport, in each revision it speaks. */
import { expect, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as ClientFeatures from "../../src/mcp/ClientFeatures.ts"
import * as McpClient from "../../src/mcp/McpClient.ts"
import type { Progress } from "../../src/mcp/McpSchema.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as ProtocolVersion from "../../src/mcp/ProtocolVersion.ts"
import * as RemoteTransport from "../../src/mcp/RemoteTransport.ts"
import * as StdioTransport from "../../src/mcp/StdioTransport.ts"
import { packaged } from "../e2e/cli.ts"
import * as Http from "./httpServer.ts"

/** How the server is reached: over HTTP one process serves all tests, over stdio each connection has its own. */
class Server extends Context.Tag("test/Server")<
  Server,
  { readonly connect: ReturnType<typeof StdioTransport.make> }
>() {}

const overStdio = Layer.succeed(Server, {
  connect: StdioTransport.make({ server: "everything", ...packaged("everything", "stdio") })
})

const overHttp = (mode: "streamableHttp" | "sse", path: string) =>
  Layer.scoped(
    Server,
    Effect.map(
      Http.program((PORT) => ({ args: packaged("everything", mode).args, env: { PORT } })),
      (origin) => ({ connect: RemoteTransport.make({ server: "everything", url: `${origin}${path}` }) })
    )
  )

/** Somebody with a folder and a model, who declines to fill in forms. */
const features: ClientFeatures.Service = {
  roots: { list: Effect.succeed([{ uri: "file:///work", name: "work" }]) },
  sampling: { createMessage: () => Effect.succeed({ model: "m", content: [{ type: "text", text: "an answer" }] }) },
  elicitation: { form: () => Effect.succeed({ action: "decline" }) }
}

class Client extends Context.Tag("test/Client")<Client, McpClient.Service>() {}

const client = (protocolVersion: ProtocolVersion.ProtocolVersion) =>
  Layer.scoped(
    Client,
    Effect.gen(function* () {
      const transport = yield* (yield* Server).connect
      return yield* McpClient.make({ protocolVersion }).pipe(
        Effect.provideService(McpTransport.McpTransport, transport),
        Effect.provideService(ClientFeatures.ClientFeatures, features)
      )
    })
  )

const text = (tool: string, args: Readonly<Record<string, unknown>> = {}) =>
  Effect.flatMap(Client, (client) => Effect.map(client.callTool(tool, args), (result) => result.text))

for (const [name, server] of [
  ["stdio", overStdio],
  ["Streamable HTTP", overHttp("streamableHttp", "/mcp")],
  ["HTTP+SSE", overHttp("sse", "/sse")]
] as const) {
  layer(server, { excludeTestServices: true })(`server-everything over ${name}`, (it) => {
    for (const revision of ProtocolVersion.legacy) {
      it.layer(client(revision))(revision, (it) => {
        it.effect("tells of the tools that it has for such a client, and they are called", () =>
          Effect.gen(function* () {
            const client = yield* Client
            expect(client.protocolVersion).toBe(revision)
            yield* client.toolsChanged.pipe(
              Stream.filter((tools) => tools.some((tool) => tool.name === "trigger-sampling-request")),
              Stream.runHead
            )
            expect(yield* text("echo", { message: "tea" })).toBe("Echo: tea")
            const weather = yield* client.callTool("get-structured-content", { location: "Chicago" })
            expect(weather).toMatchObject({ isError: false, structuredContent: { conditions: expect.any(String) } })
            const { content } = yield* client.callTool("get-tiny-image", {})
            expect(content.map(({ type }) => type)).toContain("image")
          })
        )

        it.effect("asks for the folders, the model and the person", () =>
          Effect.gen(function* () {
            expect(yield* text("get-roots-list")).toContain("file:///work")
            expect(yield* text("trigger-sampling-request", { prompt: "hi", maxTokens: 5 })).toContain("an answer")
            expect(yield* text("trigger-elicitation-request")).toContain("declined")
          })
        )

        it.effect("has resources, templates, prompts and completions", () =>
          Effect.gen(function* () {
            const client = yield* Client
            expect((yield* client.listResources).map(({ name }) => name)).toContain("architecture.md")
            expect(yield* client.listResourceTemplates).toHaveLength(2)
            const uri = "demo://resource/dynamic/text/1"
            expect(yield* client.readResource(uri)).toMatchObject([{ uri, text: expect.any(String) }])
            expect((yield* client.listPrompts).map(({ name }) => name)).toContain("completable-prompt")
            const { messages } = yield* client.getPrompt("args-prompt", { city: "Oslo" })
            expect(JSON.stringify(messages)).toContain("Oslo")
            const reference = { type: "ref/prompt", name: "completable-prompt" } as const
            const argument = { name: "department", value: "Eng" }
            expect((yield* client.complete(reference, argument)).values).toEqual(["Engineering"])
          })
        )

        it.effect("tells progress, and goes on when a call is given up", () =>
          Effect.gen(function* () {
            const client = yield* Client
            const started = yield* Deferred.make<Progress>()
            const onProgress = (progress: Progress) => Effect.asVoid(Deferred.succeed(started, progress))
            const long = client.callTool("trigger-long-running-operation", { duration: 60, steps: 600 }, { onProgress })
            const call = yield* Effect.fork(long)
            expect(yield* Deferred.await(started)).toMatchObject({ progress: 1, total: 600 })
            yield* Fiber.interrupt(call)
            expect(yield* text("echo", { message: "still here" })).toBe("Echo: still here")
          })
        )

        it.effect("tells of resources that change, and logs what is asked for", () =>
          Effect.gen(function* () {
            const client = yield* Client
            const uri = "demo://resource/dynamic/text/1"
            const updated = yield* Effect.fork(Stream.runHead(client.resourceUpdates))
            yield* client.subscribeResource(uri)
            yield* text("toggle-subscriber-updates")
            expect(yield* Effect.fromFiber(updated)).toMatchObject({ value: uri })
            yield* client.unsubscribeResource(uri)
            const logged = yield* Effect.fork(Stream.runHead(client.logMessages))
            yield* client.setLogLevel("debug")
            yield* text("toggle-simulated-logging")
            expect(yield* Effect.fromFiber(logged)).toMatchObject({ value: { data: expect.any(String) } })
          })
        )
      })
    }
  })
}
