/**
 * Every tool that the model may be offered, built-in and MCP alike, in one registry with one order.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type { Progress } from "../mcp/McpSchema.ts"
import type { Tool, ToolResult } from "./Tool.ts"

/**
 * A tool that cannot be offered, and why.
 *
 * @since 0.1.0
 * @category models
 */
export interface Skipped {
  readonly tool: Tool
  readonly reason: string
}

/**
 * The registry at one moment: what a turn of the model sees. Built-ins first, then by server and tool name: the same in every run.
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolSet {
  readonly tools: ReadonlyArray<Tool>
  readonly skipped: ReadonlyArray<Skipped>
  /** By registry name. */
  readonly byName: ReadonlyMap<string, Tool>
}

/**
 * Where a set of tools comes from, and its place when two tools meet in one name: the lowest rank wins.
 *
 * @since 0.1.0
 * @category models
 */
export interface Source {
  /** `builtin`, or `mcp:` and the server's name. */
  readonly id: string
  /** Built-ins -1, a server its index in the configuration. */
  readonly rank: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ExecuteOptions {
  /** Default: 60 seconds. */
  readonly timeout?: Duration.Duration | undefined
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined
  /** The set that the caller has offered; default: the present one. */
  readonly from?: ToolSet | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Puts these tools in place of all that the source had before, in one step. */
  readonly register: (source: Source, tools: ReadonlyArray<Tool>) => Effect.Effect<void>
  readonly unregister: (sourceId: string) => Effect.Effect<void>
  readonly snapshot: Effect.Effect<ToolSet>
  /** The present set, then each new one. */
  readonly changes: Stream.Stream<ToolSet>
  /** Runs a tool by name. Total: an unknown name, unusable arguments, a failure or a defect is a result with `isError`. */
  readonly execute: (name: string, args: JsonObject, options?: ExecuteOptions) => Effect.Effect<ToolResult>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class ToolRegistry extends Context.Tag("harness9/ToolRegistry")<ToolRegistry, Service>() {}
