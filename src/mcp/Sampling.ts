/**
 * Sampling: a server asks the host's model for a message (`sampling/createMessage`; deprecated from 2026-07-28, and still
 * asked for by servers of every revision).
 *
 * @since 0.1.0
 */
import type { JsonObject } from "./JsonRpc.ts"
import type { ContentBlock } from "./McpSchema.ts"

/**
 * What the server wants from the model (2024-11-05).
 *
 * @since 0.1.0
 * @category models
 */
export interface Request {
  /** The conversation so far, the oldest first. */
  readonly messages: ReadonlyArray<Message>
  /** Which model the server would like: a wish. */
  readonly modelPreferences?: ModelPreferences | undefined
  /** A wish: the host may change it or leave it out. */
  readonly systemPrompt?: string | undefined
  /** Context of servers that the host may add. `thisServer` and `allServers` are deprecated from 2025-11-25. */
  readonly includeContext?: "none" | "thisServer" | "allServers" | undefined
  /** How free the answer may be, on the scale of the model. */
  readonly temperature?: number | undefined
  /** The answer must not be longer. */
  readonly maxTokens: number
  /** Texts before which the answer ends. */
  readonly stopSequences?: ReadonlyArray<string> | undefined
  /** For the model's provider. */
  readonly metadata?: JsonObject | undefined
  /** 2025-11-25: tools that the server itself runs. */
  readonly tools?: ReadonlyArray<Tool> | undefined
  /** 2025-11-25: whether the model may, must or must not call one of them. Default: `auto`. */
  readonly toolChoice?: "auto" | "required" | "none" | undefined
}

/**
 * A message of the conversation that the server wants to be continued (2024-11-05).
 *
 * @since 0.1.0
 * @category models
 */
export interface Message {
  /** Whose words they are. */
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
  /** What the result names it by. */
  readonly id: string
  /** Of the tool. */
  readonly name: string
  /** The arguments. */
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
  /** The `id` of the call. */
  readonly toolUseId: string
  /** What it gave, in order. */
  readonly content: ReadonlyArray<ContentBlock>
  /** The result for programs. */
  readonly structuredContent?: unknown
  /** Whether the tool failed; `content` then says why. */
  readonly isError: boolean
}

/**
 * A tool that the model may call in the answer (2025-11-25). The server runs it, not the host.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tool {
  /** What the model calls it by. */
  readonly name: string
  /** What it does; empty where the server says nothing. */
  readonly description: string
  /** The arguments as a JSON Schema of an object. */
  readonly inputSchema: JsonObject
}

/**
 * Which model the server would like (2024-11-05). Priorities go from 0, of no weight, to 1.
 *
 * @since 0.1.0
 * @category models
 */
export interface ModelPreferences {
  /** Names or parts of names of models, the best first. */
  readonly hints: ReadonlyArray<string>
  /** How much a low price counts. */
  readonly costPriority?: number | undefined
  /** How much a quick answer counts. */
  readonly speedPriority?: number | undefined
  /** How much ability counts. */
  readonly intelligencePriority?: number | undefined
}

/**
 * What the model answered (2024-11-05).
 *
 * @since 0.1.0
 * @category models
 */
export interface Result {
  /** One block as a rule; several, `tool_use` among them, only when the request had tools. */
  readonly content: ReadonlyArray<Extract<Block, { readonly type: "text" | "image" | "audio" | "tool_use" }>>
  /** The name of the model that was used. */
  readonly model: string
  /** Why the answer ends, if that is known. `toolUse` from 2025-11-25. */
  readonly stopReason?: "endTurn" | "stopSequence" | "maxTokens" | "toolUse" | (string & {}) | undefined
}
