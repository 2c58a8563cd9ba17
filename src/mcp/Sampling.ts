/**
 * Sampling: a server asks the host's model for a message (`sampling/createMessage`; deprecated from 2026-07-28, and still
 * asked for by servers of every revision).
 *
 * @since 0.1.0
 */
import type { JsonObject } from "./JsonRpc.ts"
import type { ContentBlock } from "./McpSchema.ts"

/**
 * What the server wants from the model.
 *
 * @since 0.1.0
 * @category models
 */
export interface Request {
  readonly messages: ReadonlyArray<Message>
  readonly modelPreferences?: ModelPreferences | undefined
  /** A wish: the host may change it or leave it out. */
  readonly systemPrompt?: string | undefined
  /** Context of servers that the host may add. `thisServer` and `allServers` are deprecated from 2025-11-25. */
  readonly includeContext?: "none" | "thisServer" | "allServers" | undefined
  readonly temperature?: number | undefined
  /** The answer must not be longer. */
  readonly maxTokens: number
  readonly stopSequences?: ReadonlyArray<string> | undefined
  /** For the model's provider. */
  readonly metadata?: JsonObject | undefined
  /** 2025-11-25: tools that the server itself runs. */
  readonly tools?: ReadonlyArray<Tool> | undefined
  /** 2025-11-25. Default: `auto`. */
  readonly toolChoice?: "auto" | "required" | "none" | undefined
}

/**
 * A message of the conversation that the server wants to be continued.
 *
 * @since 0.1.0
 * @category models
 */
export interface Message {
  readonly role: "user" | "assistant"
  /** One block before 2025-11-25, any number from then on. */
  readonly content: ReadonlyArray<Block>
}

/**
 * A block of a sampling message: content, or a tool call and its result (2025-11-25).
 *
 * @since 0.1.0
 * @category models
 */
export type Block = ContentBlock | ToolUse | ToolResult

/**
 * The model's call of one of the request's tools (2025-11-25).
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolUse {
  readonly type: "tool_use"
  readonly id: string
  readonly name: string
  readonly input: JsonObject
}

/**
 * What a tool of the request gave (2025-11-25).
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolResult {
  readonly type: "tool_result"
  readonly toolUseId: string
  readonly content: ReadonlyArray<ContentBlock>
  readonly structuredContent?: unknown
  readonly isError: boolean
}

/**
 * A tool that the model may call in the answer (2025-11-25). The server runs it, not the host.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/**
 * Which model the server would like. Priorities go from 0 to 1.
 *
 * @since 0.1.0
 * @category models
 */
export interface ModelPreferences {
  /** Names or parts of names of models, the best first. */
  readonly hints: ReadonlyArray<string>
  readonly costPriority?: number | undefined
  readonly speedPriority?: number | undefined
  readonly intelligencePriority?: number | undefined
}

/**
 * What the model answered.
 *
 * @since 0.1.0
 * @category models
 */
export interface Result {
  /** One block as a rule; several, `tool_use` among them, only when the request had tools. */
  readonly content: ReadonlyArray<Extract<Block, { readonly type: "text" | "image" | "audio" | "tool_use" }>>
  /** The name of the model that was used. */
  readonly model: string
  /** 2025-11-25: `toolUse`. */
  readonly stopReason?: "endTurn" | "stopSequence" | "maxTokens" | "toolUse" | (string & {}) | undefined
}
