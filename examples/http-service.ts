/**
 * An agent behind HTTP. `GET /servers` says how the servers are; `POST /ask` with `{ "prompt": … }` runs a prompt, and answers with its
 * events, a line each, as they happen. A client that hangs up stops its run.
 *
 *     curl -N http://127.0.0.1:PORT/ask -H 'content-type: application/json' -d '{"prompt":"echo the text hello"}'
 */
import { createServer } from "node:http"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeContext, NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Schema, Stream } from "effect"
import {
  Engine,
  EngineEvent,
  McpConfig,
  McpManager,
  Offline,
  Permission,
  ServerStatus,
  TransportFactory
} from "harness9"
import * as Ai from "harness9/ai"

const Servers = McpManager.layer.pipe(
  Layer.provide([McpConfig.layer({ file: ".mcp.json.example" }), TransportFactory.layer]),
  Layer.provide(NodeContext.layer)
)

// One engine for all requests: servers are connected once, each request is a conversation of its own.
const Agent = Engine.layer().pipe(
  Layer.provide(Ai.layer),
  Layer.provideMerge(Servers),
  Layer.provide([Offline.layer, Permission.layer({ allow: ["mcp__everything__*"] })])
)

const servers = Effect.gen(function* () {
  const manager = yield* McpManager.McpManager
  const statuses = yield* manager.statuses
  return yield* HttpServerResponse.json(
    statuses.map((status) => ({ name: status.name, state: ServerStatus.word(status) }))
  )
})

const ask = Effect.gen(function* () {
  const { prompt } = yield* HttpServerRequest.schemaBodyJson(Schema.Struct({ prompt: Schema.String }))
  const engine = yield* Engine.Engine
  const lines = Stream.map(engine.run(prompt), (event) => `${JSON.stringify(EngineEvent.toJson(event))}\n`)
  return HttpServerResponse.stream(Stream.encodeText(lines), { contentType: "application/x-ndjson" })
}).pipe(
  Effect.catchTag("ParseError", () => HttpServerResponse.json({ error: "send { prompt: string }" }, { status: 400 }))
)

const App = HttpRouter.empty.pipe(
  HttpRouter.get("/servers", servers),
  HttpRouter.post("/ask", ask),
  HttpServer.serve(),
  HttpServer.withLogAddress,
  Layer.provide(Agent),
  Layer.provide(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: Number(process.env.PORT ?? 0) }))
)

NodeRuntime.runMain(Layer.launch(App))
