/**
 * Models of OpenAI's Responses API, by `@effect/ai-openai`.
 *
 * @since 0.1.0
 */

import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as OpenAiClient from "@effect/ai-openai/OpenAiClient"
import * as OpenAiLanguageModel from "@effect/ai-openai/OpenAiLanguageModel"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import * as EventStream from "../internal/EventStream.ts"
import * as LimitedModel from "../internal/LimitedModel.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: {
  readonly model: string
  readonly apiKey: Redacted.Redacted | undefined
  /** With `/v1`. */
  readonly baseUrl: string | undefined
}): Layer.Layer<LanguageModel.LanguageModel> => {
  // Strict mode takes a small part of JSON Schema, and MCP tools use all of it.
  const model = OpenAiLanguageModel.layer({ model: options.model, config: { strict: false } }).pipe(
    Layer.provide(
      OpenAiClient.layer({
        apiKey: options.apiKey,
        apiUrl: options.baseUrl?.replace(/\/+$/, ""),
        transformClient: EventStream.repaired(repair)
      })
    ),
    Layer.provide(FetchHttpClient.layer)
  )
  return LimitedModel.layer(model, (maxTokens) =>
    Context.make(OpenAiLanguageModel.Config, { max_output_tokens: Math.max(smallestLimit, maxTokens) })
  )
}

/** The API refuses a smaller one. */
const smallestLimit = 16

/**
 * The reader skips without a word what does not have every field of OpenAI's own answers, and other servers of this API leave
 * many out. They are filled in; a failed response becomes the error that it is.
 */
const repair = (event: JsonObject): ReadonlyArray<JsonObject> => {
  const numbered = { sequence_number: 0, output_index: 0, content_index: 0, item_id: "item", ...event }
  switch (event.type) {
    case "response.output_item.added":
    case "response.output_item.done":
      return item(numbered, objectOf(event.item))
    case "response.output_text.delta":
    case "response.refusal.delta":
      return typeof event.delta === "string"
        ? [{ ...numbered, type: "response.output_text.delta", logprobs: null }]
        : []
    case "response.function_call_arguments.delta":
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_summary_part.added":
      return [{ summary_index: 0, ...numbered }]
    case "response.completed":
    case "response.incomplete":
      return [{ type: event.type, sequence_number: 0, response: response(objectOf(event.response)) }]
    case "response.failed":
      return [error(objectOf(objectOf(event.response).error))]
    case "error":
      return [error(isObject(event.error) ? event.error : event)]
    default:
      return []
  }
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

const count = (value: unknown): number => (typeof value === "number" ? Math.round(value) : 0)

const item = (event: JsonObject, given: JsonObject): ReadonlyArray<JsonObject> => {
  const id = String(given.id ?? event.item_id)
  switch (given.type) {
    case "message":
      return [{ ...event, item: { type: "message", id, role: "assistant", status: "completed", content: [] } }]
    case "function_call":
      return [{ ...event, item: functionCall(given) }]
    case "reasoning":
      return [{ ...event, item: { summary: [], ...given, id, content: null } }]
    default:
      return []
  }
}

const functionCall = ({ id, call_id, name, arguments: args }: JsonObject): JsonObject => ({
  type: "function_call",
  ...(typeof id === "string" ? { id } : {}),
  call_id: String(call_id ?? id ?? ""),
  name: String(name ?? ""),
  arguments: typeof args === "string" && args !== "" ? args : "{}",
  status: "completed"
})

const response = ({ id, model, usage, incomplete_details }: JsonObject): JsonObject => ({
  id: String(id ?? ""),
  object: "response",
  status: "completed",
  created_at: 0,
  error: null,
  incomplete_details: isObject(incomplete_details) ? incomplete_details : null,
  output: [],
  instructions: null,
  parallel_tool_calls: true,
  model: String(model ?? ""),
  tools: [],
  tool_choice: "auto",
  metadata: {},
  temperature: 1,
  top_p: 1,
  usage: isObject(usage) ? tokens(usage) : null
})

const tokens = (usage: JsonObject): JsonObject => ({
  input_tokens: count(usage.input_tokens),
  input_tokens_details: { cached_tokens: count(objectOf(usage.input_tokens_details).cached_tokens) },
  output_tokens: count(usage.output_tokens),
  output_tokens_details: { reasoning_tokens: count(objectOf(usage.output_tokens_details).reasoning_tokens) },
  total_tokens: count(usage.total_tokens)
})

const error = ({ code, type, message }: JsonObject): JsonObject => ({
  type: "error",
  sequence_number: 0,
  code: typeof code === "string" ? code : typeof type === "string" && type !== "error" ? type : null,
  message: typeof message === "string" ? message : "the response failed",
  param: null
})
