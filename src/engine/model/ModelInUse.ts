/**
 * The model that is asked: where it can be changed, the one in use; else the one of the context.
 *
 * @since 0.1.0
 */
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CurrentModel, type ModelInfo } from "./ModelInfo.ts"
import { type KnownModel, ModelSwitch } from "./ModelSwitch.ts"

/** A model of which only the service is there: given what every API takes. */
const unknownModel: ModelInfo = { provider: "openai", model: "" }

/**
 * How to know the model of the moment.
 *
 * @since 0.1.0
 * @category getters
 */
export const current: Effect.Effect<Effect.Effect<KnownModel>, never, LanguageModel.LanguageModel> = Effect.gen(
  function* () {
    const service = yield* LanguageModel.LanguageModel
    const info = Option.getOrElse(yield* Effect.serviceOption(CurrentModel), () => unknownModel)
    const changeable = yield* Effect.serviceOption(ModelSwitch)
    const fixed: KnownModel = { service, info }
    return Option.match(changeable, { onNone: () => Effect.succeed(fixed), onSome: ({ current }) => current })
  }
)
