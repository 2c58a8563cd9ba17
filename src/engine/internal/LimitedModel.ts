/** A provider's model that keeps to the `OutputLimit` of a request. */
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { OutputLimit } from "../model/OutputLimit.ts"

/** `settings` are what the provider reads in the context of a request with that limit. */
export const layer = <Settings>(
  model: Layer.Layer<LanguageModel.LanguageModel>,
  settings: (maxTokens: number) => Context.Context<Settings>
): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.map(model, (context) =>
    Context.make(LanguageModel.LanguageModel, limited(Context.get(context, LanguageModel.LanguageModel), settings))
  )

const limited = <Settings>(
  service: LanguageModel.Service,
  settings: (maxTokens: number) => Context.Context<Settings>
): LanguageModel.Service => {
  const effect = <A, E>(asked: Effect.Effect<A, E>) =>
    Effect.flatMap(OutputLimit, ({ maxTokens }) =>
      maxTokens === undefined ? asked : Effect.provide(asked, settings(maxTokens))
    )
  const stream = <A, E>(asked: Stream.Stream<A, E>) =>
    Stream.unwrap(
      Effect.map(OutputLimit, ({ maxTokens }) =>
        maxTokens === undefined ? asked : Stream.provideSomeContext(asked, settings(maxTokens))
      )
    )
  // The options decide the types of these three; they pass through as they are.
  return {
    generateText: ((options: never) => effect(service.generateText(options))) as never,
    generateObject: ((options: never) => effect(service.generateObject(options))) as never,
    streamText: ((options: never) => stream(service.streamText(options))) as never
  }
}
