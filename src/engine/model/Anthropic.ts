/**
 * Models of Anthropic's Messages API, by `@effect/ai-anthropic`.
 *
 * @since 0.1.0
 */

import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as AnthropicClient from "@effect/ai-anthropic/AnthropicClient"
import * as AnthropicLanguageModel from "@effect/ai-anthropic/AnthropicLanguageModel"
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
  /** Without `/v1`. */
  readonly baseUrl: string | undefined
}): Layer.Layer<LanguageModel.LanguageModel> => {
  const most = outputLimit(options.model)
  const model = AnthropicLanguageModel.layer({ model: options.model, config: { max_tokens: most } }).pipe(
    Layer.provide(
      AnthropicClient.layer({
        apiKey: options.apiKey,
        apiUrl: options.baseUrl?.replace(/\/+$/, "").replace(/\/v1$/, ""),
        transformClient: EventStream.repaired(repair)
      })
    ),
    Layer.provide(FetchHttpClient.layer)
  )
  return LimitedModel.layer(model, (maxTokens) =>
    Context.make(AnthropicLanguageModel.Config, { max_tokens: Math.min(maxTokens, most) })
  )
}

/** The API wants a limit; this is the greatest that every model of the family takes. */
const outputLimit = (model: string): number => {
  if (/claude-3-(?:opus|haiku)/.test(model)) return 4096
  return /claude-3-5/.test(model) ? 8192 : 32_000
}

/**
 * The reader knows the API of one day and fails on anything else. Newer events, deltas and stop reasons are left out or given
 * their nearest known form, and what other servers of this API leave out is filled in.
 */
const repair = (event: JsonObject): ReadonlyArray<JsonObject> => {
  switch (event.type) {
    case "ping":
      return []
    case "message_start":
      return [{ type: "message_start", message: message(objectOf(event.message)) }]
    case "content_block_start":
      return blockStart(event, objectOf(event.content_block))
    case "content_block_delta":
      return knownDeltas.has(String(objectOf(event.delta).type)) ? [event] : []
    case "content_block_stop":
    case "message_stop":
      return [event]
    case "message_delta":
      return [
        { type: "message_delta", delta: messageDelta(objectOf(event.delta)), usage: deltaUsage(objectOf(event.usage)) }
      ]
    case "error":
      return [{ type: "error", error: apiError(objectOf(event.error)) }]
    default:
      return []
  }
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

const count = (value: unknown): number => (typeof value === "number" && value >= 0 ? Math.round(value) : 0)

const message = (given: JsonObject): JsonObject => ({
  id: String(given.id ?? ""),
  type: "message",
  role: "assistant",
  content: [],
  model: String(given.model ?? ""),
  stop_reason: null,
  stop_sequence: null,
  context_management: null,
  container: null,
  usage: { input_tokens: count(objectOf(given.usage).input_tokens), output_tokens: 0 }
})

/** Some servers send a call's input whole with its start, where Anthropic's own begins empty. */
const blockStart = (event: JsonObject, block: JsonObject): ReadonlyArray<JsonObject> => {
  const start = { type: "content_block_start", index: event.index, content_block: contentBlock(block) }
  const input = objectOf(block.input)
  if (block.type !== "tool_use" || Object.keys(input).length === 0) return [start]
  const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) }
  return [start, { type: "content_block_delta", index: event.index, delta }]
}

const contentBlock = (given: JsonObject): JsonObject => {
  switch (given.type) {
    case "tool_use":
      return { type: "tool_use", id: callId(given.id), name: String(given.name ?? ""), input: {} }
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" }
    case "redacted_thinking":
      return { type: "redacted_thinking", data: String(given.data ?? "") }
    default:
      return { type: "text", text: "", citations: null }
  }
}

const callId = (id: unknown): string =>
  typeof id === "string" && id !== "" ? id.replace(/[^a-zA-Z0-9_-]/g, "_") : "call"

const knownDeltas = new Set(["text_delta", "input_json_delta", "thinking_delta", "signature_delta"])

const messageDelta = ({ stop_reason }: JsonObject): JsonObject => ({
  stop_reason:
    stop_reason === "model_context_window_exceeded"
      ? "max_tokens"
      : typeof stop_reason === "string" && knownStops.has(stop_reason)
        ? stop_reason
        : "end_turn"
})

const knownStops = new Set(["end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal"])

const deltaUsage = ({ output_tokens }: JsonObject): JsonObject => ({ output_tokens: count(output_tokens) })

const apiError = ({ type, message }: JsonObject): JsonObject => ({
  type: typeof type === "string" && knownErrors.has(type) ? type : "api_error",
  message: typeof message === "string" ? message : "unknown error"
})

const knownErrors = new Set([
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "not_found_error",
  "request_too_large",
  "rate_limit_error",
  "api_error",
  "overloaded_error"
])
