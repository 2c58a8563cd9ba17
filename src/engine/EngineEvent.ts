/**
 * What happens in a run, told as it happens: the one stream that every front end reads.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type { ToolResult } from "../tool/Tool.ts"

/**
 * - `TurnStarted`: the model is asked, with `tools` tools on offer `of` all that it could find; turns count from 1
 * - `Notice`: something that the person should know and the model has been told (a server that failed, tools that joined)
 * - `TextDelta`: the next piece of the model's answer
 * - `ReasoningDelta`: the next piece of its thinking, where the model shows it
 * - `ModelRetry`: the model could not be asked; it is asked again after `delayMs`
 * - `ToolStarted`: the call runs, or waits for a person's word
 * - `ToolProgress`: the tool says how far it has come
 * - `ToolFinished`: the call has its result; `denied` when it was not allowed to run; `result.warnings` are for the person
 * - `CompactionStarted`: the conversation takes `tokens` of the model's `window`, about, and is summed up
 * - `Compacted`: the summary has taken the place of what it is about; what is kept of the session stays whole
 * - `Usage`: tokens of this turn's model call
 * - `Done`: the run is over; always the last event. `text` is the last answer, `session` what it can be gone on with
 *
 * @since 0.1.0
 * @category models
 */
export type EngineEvent = Data.TaggedEnum<{
  TurnStarted: { readonly turn: number; readonly tools: number; readonly of: number }
  Notice: { readonly message: string }
  TextDelta: { readonly text: string }
  ReasoningDelta: { readonly text: string }
  ModelRetry: { readonly attempt: number; readonly delayMs: number; readonly reason: string }
  ToolStarted: {
    readonly id: string
    readonly name: string
    readonly server: string | undefined
    readonly arguments: JsonObject
  }
  ToolProgress: {
    readonly id: string
    readonly progress: number
    readonly total: number | undefined
    readonly message: string | undefined
  }
  ToolFinished: {
    readonly id: string
    readonly name: string
    readonly result: ToolResult
    readonly denied: boolean
    readonly durationMs: number
  }
  CompactionStarted: { readonly tokens: number; readonly window: number }
  Compacted: { readonly summary: string; readonly tokensBefore: number; readonly tokensAfter: number }
  Usage: { readonly inputTokens: number; readonly outputTokens: number }
  Done: {
    readonly reason: Reason
    readonly text: string
    readonly turns: number
    readonly error: string | undefined
    readonly session?: string | undefined
  }
}>

/**
 * Why a run ended: the model answered; the turns were used up; a person stopped it; the model could not be asked.
 *
 * @since 0.1.0
 * @category models
 */
export type Reason = "answer" | "max-turns" | "cancelled" | "error"

/**
 * @since 0.1.0
 * @category constructors
 */
export const EngineEvent = Data.taggedEnum<EngineEvent>()

/**
 * The event as a line of `--output stream-json`: `type` in snake case, then its fields.
 *
 * @since 0.1.0
 * @category encoding
 */
export const toJson = ({ _tag, ...fields }: EngineEvent): JsonObject => ({
  type: _tag.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase(),
  ...fields
})
