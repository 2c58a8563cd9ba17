/**
 * A policy of one's own in the place of a person: what may run is decided by a function of the call, and every decision is logged. The
 * reason of a denial is told to the model, which can then do something else.
 */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { Engine, McpConfig, McpManager, Offline, Permission, TransportFactory } from "harness9"
import * as Ai from "harness9/ai"

const decide = ({ arguments: args, tool }: Permission.PermissionRequest): Permission.Decision => {
  if (tool.hints.destructive) return { _tag: "Deny", reason: "nothing that destroys is run here" }
  return JSON.stringify(args).includes("secret")
    ? { _tag: "Deny", reason: "the arguments mention a secret" }
    : { _tag: "Allow" }
}

const Policy = Layer.succeed(Permission.Permission, {
  decide: (request) =>
    Effect.tap(
      Effect.sync(() => decide(request)),
      ({ _tag }) => Console.log(`${_tag} ${request.tool.name}`)
    )
})

const Live = Engine.layer().pipe(
  Layer.provide([Ai.layer, Offline.layer, Policy]),
  Layer.provide(McpManager.layer),
  Layer.provide([McpConfig.layer({ file: ".mcp.json.example" }), TransportFactory.layer]),
  Layer.provide(NodeContext.layer)
)

Effect.gen(function* () {
  const engine = yield* Engine.Engine
  for (const prompt of ["echo the text 'good morning'", "echo the text 'the secret'"]) {
    yield* Stream.runForEach(engine.run(prompt), (event) =>
      event._tag === "ToolFinished" ? Console.log(`  ${event.result.text}`) : Effect.void
    )
  }
}).pipe(Effect.provide(Live), NodeRuntime.runMain)
