/**
 * Models of the chat completions API: what Ollama, llama.cpp, vLLM, LM Studio and most gateways speak, and `@effect/ai-openai`
 * does not.
 *
 * @since 0.1.0
 */
import * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Response from "@effect/ai/Response"
import * as AiTool from "@effect/ai/Tool"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { isObject, type JsonObject, parseObject } from "../../mcp/JsonRpc.ts"
import * as ChatMessages from "../internal/ChatMessages.ts"
import * as ChatReader from "../internal/ChatReader.ts"
import * as EventStream from "../internal/EventStream.ts"
import { OutputLimit } from "./OutputLimit.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly model: string
  readonly apiKey: Redacted.Redacted | undefined
  /** With `/v1`. */
  readonly baseUrl: string
}

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(LanguageModel.LanguageModel, make(options)).pipe(Layer.provide(FetchHttpClient.layer))

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (options: Options) {
  const client = (yield* HttpClient.HttpClient).pipe(HttpClient.filterStatusOk)

  const streamText = (
    request: LanguageModel.ProviderOptions
  ): Stream.Stream<Response.StreamPartEncoded, AiError.AiError> =>
    Stream.suspend(() => {
      const reader = ChatReader.make()
      return OutputLimit.pipe(
        Effect.flatMap(({ maxTokens }) => client.execute(toRequest(options, request, maxTokens))),
        Effect.map((response) => response.stream),
        Stream.unwrapScoped,
        EventStream.data,
        Stream.mapConcat((text) => reader.read(parseObject(text) ?? EventStream.unreadable)),
        Stream.catchAll((error) => Stream.fromEffect(toAiError(error))),
        (parts) =>
          Stream.concat(
            parts,
            Stream.suspend(() => closing(reader))
          )
      )
    })

  return yield* LanguageModel.make({
    streamText,
    generateText: (request) =>
      Effect.map(Stream.runCollect(streamText(request)), (parts) => ChatReader.whole([...parts]))
  })
})

const toAiError = (error: HttpClientError.HttpClientError): Effect.Effect<never, AiError.AiError> =>
  error._tag === "RequestError"
    ? Effect.fail(AiError.HttpRequestError.fromRequestError({ ...here, error }))
    : AiError.HttpResponseError.fromResponseError({ ...here, error })

const here = { module: "ChatCompletions", method: "streamText" }

/** The calls, which are whole only at the end: one element each, so that one that cannot be read spoils no other. */
const closing = (reader: ChatReader.ChatReader): Stream.Stream<Response.StreamPartEncoded, AiError.AiError> =>
  Stream.fromIterable(reader.end()).pipe(
    Stream.rechunk(1),
    Stream.mapEffect((part) =>
      part._tag === "Part"
        ? Effect.succeed(part.part)
        : Effect.fail(new AiError.MalformedOutput({ ...here, description: "the arguments of a call are no JSON" }))
    )
  )

const toRequest = (
  options: Options,
  request: LanguageModel.ProviderOptions,
  maxTokens: number | undefined
): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.post(`${options.baseUrl.replace(/\/+$/, "")}/chat/completions`, {
    body: HttpBody.unsafeJson({
      ...toBody(options.model, request),
      ...(maxTokens === undefined ? undefined : { max_tokens: maxTokens })
    })
  }).pipe(options.apiKey === undefined ? identity : HttpClientRequest.bearerToken(options.apiKey))

const toBody = (
  model: string,
  { prompt, tools, toolChoice, responseFormat }: LanguageModel.ProviderOptions
): JsonObject => ({
  model,
  messages: ChatMessages.fromPrompt(prompt),
  stream: true,
  stream_options: { include_usage: true },
  ...(tools.length === 0 ? {} : { tools: tools.map(toTool), tool_choice: choice(toolChoice) }),
  ...(responseFormat.type === "text"
    ? {}
    : {
        response_format: {
          type: "json_schema",
          json_schema: {
            name: responseFormat.objectName,
            schema: AiTool.getJsonSchemaFromSchemaAst(responseFormat.schema.ast)
          }
        }
      })
})

const toTool = (tool: AiTool.Any): JsonObject => ({
  type: "function",
  function: {
    name: tool.name,
    description: tool.description ?? "",
    parameters: AiTool.getJsonSchemaFromSchemaAst(tool.parametersSchema.ast)
  }
})

const choice = (toolChoice: LanguageModel.ProviderOptions["toolChoice"]): unknown => {
  if (!isObject(toolChoice)) return toolChoice
  return "tool" in toolChoice ? { type: "function", function: { name: toolChoice.tool } } : (toolChoice.mode ?? "auto")
}
