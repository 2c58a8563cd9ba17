/**
 * What servers may ask of a command that talks with no model itself: where it works; its person, at a terminal; and the model,
 * where one is configured. The same for every command, since servers offer different tools to different clients.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Model from "../engine/model/Model.ts"
import type { Person } from "../engine/Person.ts"
import * as PersonRequests from "../engine/PersonRequests.ts"
import * as Browser from "../mcp/auth/Browser.ts"
import { ClientFeatures } from "../mcp/ClientFeatures.ts"
import * as LineConsole from "./LineConsole.ts"
import * as LinePerson from "./LinePerson.ts"
import * as Output from "./output/Output.ts"

/** The questions go to stderr: stdout may be on its way to another program. */
const person: Layer.Layer<Person | Browser.Browser> = Layer.merge(
  Layer.provide(LinePerson.layer, [
    Layer.sync(LineConsole.LineConsole, () => LineConsole.onDemand(process.stdin, process.stderr)),
    Output.layer
  ]),
  Browser.layer
)

const isAttended = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

const withoutModel = Layer.effect(
  ClientFeatures,
  Effect.suspend(() => {
    const roots = PersonRequests.roots()
    return isAttended()
      ? Effect.map(Effect.provide(PersonRequests.asked, person), (elicitation) => ({ roots, elicitation }))
      : Effect.succeed({ roots, elicitation: PersonRequests.declined })
  })
)

const withModel = Effect.map(
  Effect.promise(() => Promise.all([import("../engine/ServerRequests.ts"), import("../engine/model/ModelSwitch.ts")])),
  ([ServerRequests, ModelSwitch]) =>
    Layer.provide(
      isAttended() ? Layer.provide(ServerRequests.layerAsk(), person) : ServerRequests.layer(),
      ModelSwitch.layer(undefined)
    )
)

/** Somebody who has configured no model is asked for none: the offline one would be no help to a server. */
const hasModel = Effect.gen(function* () {
  const environment = yield* Model.environment
  const choice = yield* Effect.either(Model.choose(undefined, environment))
  return Either.isRight(choice) && (choice.right.provider !== "offline" || environment.model !== undefined)
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<ClientFeatures> = Layer.unwrapEffect(
  Effect.if(hasModel, {
    onTrue: () => Effect.map(withModel, (features) => Layer.catchAll(features, () => withoutModel)),
    onFalse: () => Effect.succeed(withoutModel)
  })
)
