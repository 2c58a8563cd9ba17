/**
 * The other way: tools of the program itself, written as a Toolkit of `@effect/ai`, beside those of servers. harness9's engine offers
 * and runs them all.
 */
import * as Tool from "@effect/ai/Tool"
import * as Toolkit from "@effect/ai/Toolkit"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Schema, Stream } from "effect"
import { Engine, Offline, Permission, ToolRegistry } from "harness9"
import * as Ai from "harness9/ai"

const CountStock = Tool.make("count_stock", {
  description: "Counts how many pieces of a product are in stock",
  parameters: { product: Schema.String },
  success: Schema.Struct({ pieces: Schema.Number })
}).annotate(Tool.Readonly, true) // What only reads needs no permission.

const Shop = Toolkit.make(CountStock)
const ShopTools = Shop.toLayer({ count_stock: ({ product }) => Effect.succeed({ pieces: product.length }) })

const Live = Engine.layer().pipe(
  Layer.provide(Layer.provide(Ai.layerToolkit(Shop), ShopTools)),
  Layer.provide(ToolRegistry.layer),
  Layer.provide([Offline.layer, Permission.layer()])
)

Effect.gen(function* () {
  const engine = yield* Engine.Engine
  const events = engine.run("count stock of the product 'tea'")
  yield* Stream.runForEach(events, (event) =>
    event._tag === "ToolFinished" ? Console.log(`${event.name}: ${event.result.text}`) : Effect.void
  )
}).pipe(Effect.provide(Live), NodeRuntime.runMain)
