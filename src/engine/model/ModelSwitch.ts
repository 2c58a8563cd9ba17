/**
 * A model that can be changed while the program runs: whoever asks `LanguageModel` asks the one in use.
 *
 * @since 0.1.0
 */
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as Model from "./Model.ts"
import { CurrentModel, type ModelInfo } from "./ModelInfo.ts"

/**
 * A model and who it is, as one: what it is asked depends on that.
 *
 * @since 0.1.0
 * @category models
 */
export interface KnownModel {
  readonly service: LanguageModel.Service
  readonly info: ModelInfo
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The model in use. */
  readonly current: Effect.Effect<KnownModel>
  /** Who the model in use is, then again after each change. */
  readonly changes: Stream.Stream<ModelInfo>
  /** Takes another model from the next run on; one that cannot be used leaves the present one in use. */
  readonly use: (name: string) => Effect.Effect<ModelInfo, Model.ModelNotUsable>
  /** Names of models that could be used here, for completion; there may be others. */
  readonly names: ReadonlyArray<string>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class ModelSwitch extends Context.Tag("harness9/ModelSwitch")<ModelSwitch, Service>() {}

const make = Effect.fnUntraced(function* (spec: string | undefined) {
  const scope = yield* Effect.scope
  const environment = yield* Model.environment
  // A run that is under way goes on with its model: none is closed before the program ends.
  const build = (name: string | undefined) =>
    Effect.map(
      Layer.buildWithScope(Model.layer(name), scope),
      (context): KnownModel => ({
        service: Context.get(context, LanguageModel.LanguageModel),
        info: Context.get(context, CurrentModel)
      })
    )
  const inUse = yield* SubscriptionRef.make(yield* build(spec))

  const service = ModelSwitch.of({
    current: SubscriptionRef.get(inUse),
    changes: Stream.map(inUse.changes, ({ info }) => info),
    use: (name) =>
      Effect.map(
        Effect.tap(build(name), (model) => SubscriptionRef.set(inUse, model)),
        ({ info }) => info
      ),
    names: Model.usable(environment)
  })
  return Context.make(ModelSwitch, service).pipe(Context.add(LanguageModel.LanguageModel, delegate(service.current)))
})

/** The options decide the types of these three; they pass through as they are. */
const delegate = (current: Effect.Effect<KnownModel>): LanguageModel.Service => ({
  generateText: ((options: never) => Effect.flatMap(current, ({ service }) => service.generateText(options))) as never,
  generateObject: ((options: never) =>
    Effect.flatMap(current, ({ service }) => service.generateObject(options))) as never,
  streamText: ((options: never) =>
    Stream.unwrap(Effect.map(current, ({ service }) => service.streamText(options)))) as never
})

/**
 * The model that a name stands for, or that the environment asks for, until another one is taken.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  spec: string | undefined
): Layer.Layer<LanguageModel.LanguageModel | ModelSwitch, Model.ModelNotUsable> => Layer.scopedContext(make(spec))
