/**
 * A tool as the engine sees it, wherever it comes from: a name, a description and a schema for the model, and a function.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type { ContentBlock, Progress } from "../mcp/McpSchema.ts"
import type { Difference } from "./ToolDrift.ts"

/**
 * Where a tool comes from.
 *
 * @since 0.1.0
 * @category models
 */
export type Origin =
  | { readonly _tag: "Builtin" }
  | { readonly _tag: "Mcp"; readonly server: string; readonly tool: string }

/**
 * What a tool does, as far as it says. What an MCP server claims is a claim.
 *
 * @since 0.1.0
 * @category models
 */
export interface Hints {
  /** Changes nothing: may run without a person's word. */
  readonly readOnly: boolean
  /** May destroy something. */
  readonly destructive: boolean
  /** Running it twice is running it once. */
  readonly idempotent: boolean
}

/**
 * @since 0.1.0
 * @category models
 */
export interface RunOptions {
  /** How long the call may take; the tool keeps to it. */
  readonly timeout: Duration.Duration
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined
}

/**
 * What a call gave, for the model. `isError`: the text says what went wrong and what the model can do about it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolResult {
  readonly isError: boolean
  readonly text: string
  readonly content: ReadonlyArray<ContentBlock>
  readonly structuredContent?: unknown
  /** What is wrong with the result and does not keep it from being used. For the person: the model is not told. */
  readonly warnings?: ReadonlyArray<string> | undefined
}

/**
 * Why a tool that there is must not be offered.
 *
 * @since 0.1.0
 * @category models
 */
export interface Withheld {
  readonly reason: string
  /** How it differs from what a person has accepted. */
  readonly differences: ReadonlyArray<Difference>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Tool {
  /** Unique in the registry: `read_file`, `mcp__everything__echo`. */
  readonly name: string
  readonly title?: string | undefined
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject | undefined
  readonly origin: Origin
  readonly hints: Hints
  /**
   * Whether the model has to search for the tool before it is offered it: always, never, or (`auto`, the default) when there
   * are more tools of servers than its context has room for.
   */
  readonly defer?: boolean | "auto" | undefined
  /** How long a call may take when the caller does not say; default: the registry's 60 seconds. */
  readonly timeout?: Duration.Duration | undefined
  /** Keeps the tool from being offered and called. */
  readonly withheld?: Withheld | undefined
  /** Total: every failure is a result with `isError`. Interrupting it stops the work. */
  readonly run: (args: JsonObject, options: RunOptions) => Effect.Effect<ToolResult>
}

/**
 * A result that is one text.
 *
 * @since 0.1.0
 * @category constructors
 */
export const text = (value: string): ToolResult => ({
  isError: false,
  text: value,
  content: [{ type: "text", text: value }]
})

/**
 * A failure that the model is told about.
 *
 * @since 0.1.0
 * @category constructors
 */
export const failure = (message: string): ToolResult => ({ ...text(message), isError: true })
