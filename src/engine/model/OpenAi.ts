/**
 * Models of OpenAI, and of the many servers that speak one of its two APIs.
 *
 * OpenAI itself is asked by its Responses API. Of another server nobody knows which it has: one with a key is taken for a
 * gateway and asked by Responses first, one without for a local server and asked by chat completions first; where the first is
 * missing, the other is used from then on.
 *
 * @since 0.1.0
 */
import type * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as ChatCompletions from "./ChatCompletions.ts"
import * as OpenAiResponses from "./OpenAiResponses.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: {
  readonly model: string
  readonly apiKey: Redacted.Redacted | undefined
  /** With `/v1`; default: OpenAI's own. */
  readonly baseUrl: string | undefined
}): Layer.Layer<LanguageModel.LanguageModel> => {
  const { baseUrl } = options
  const responses = OpenAiResponses.layer(options)
  if (baseUrl === undefined) return responses
  const chat = ChatCompletions.layer({ ...options, baseUrl })
  return options.apiKey === undefined ? either(chat, responses) : either(responses, chat)
}

type ModelLayer = Layer.Layer<LanguageModel.LanguageModel>

const either = (first: ModelLayer, second: ModelLayer): ModelLayer =>
  Layer.scoped(
    LanguageModel.LanguageModel,
    Effect.gen(function* () {
      const preferred = Context.get(yield* Layer.build(first), LanguageModel.LanguageModel)
      const other = Context.get(yield* Layer.build(second), LanguageModel.LanguageModel)
      return firstThatAnswers(preferred, other)
    })
  )

const firstThatAnswers = (first: LanguageModel.Service, second: LanguageModel.Service): LanguageModel.Service => {
  let settled: LanguageModel.Service | undefined
  const settle = (service: LanguageModel.Service) =>
    Effect.sync(() => {
      settled ??= service
    })

  const effect = <A>(ask: (service: LanguageModel.Service) => Effect.Effect<A, AiError.AiError>) =>
    Effect.suspend(() =>
      settled === undefined
        ? ask(first).pipe(
            Effect.zipLeft(settle(first)),
            Effect.catchIf(isMissing, () => Effect.zipLeft(ask(second), settle(second)))
          )
        : ask(settled)
    )

  const stream = <A>(ask: (service: LanguageModel.Service) => Stream.Stream<A, AiError.AiError>) => {
    const asking = (service: LanguageModel.Service) => Stream.tap(ask(service), () => settle(service))
    return Stream.suspend(() =>
      settled === undefined
        ? asking(first).pipe(
            Stream.catchAll((error) => (isMissing(error) ? asking(second) : Stream.fail(error))),
            // A server that answers any path gives nothing that this API's reader knows.
            Stream.orElseIfEmptyStream(() => asking(second))
          )
        : ask(settled)
    )
  }

  // The options decide the types of these three; they pass through as they are.
  return {
    generateText: ((options: never) => effect((service) => service.generateText(options))) as never,
    generateObject: ((options: never) => effect((service) => service.generateObject(options))) as never,
    streamText: ((options: never) => stream((service) => service.streamText(options))) as never
  }
}

const isMissing = (error: AiError.AiError): boolean =>
  error._tag === "HttpResponseError" && error.reason === "StatusCode" && [404, 405, 501].includes(error.response.status)
