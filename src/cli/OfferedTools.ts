/**
 * Servers connected once, and what of their tools the model would be offered.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { McpManager } from "../mcp/McpManager.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import * as McpToolAdapter from "../tool/McpToolAdapter.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as ServerView from "./output/servers.ts"
import * as ToolView from "./output/tools.ts"
import * as Servers from "./Servers.ts"
import * as ToolCache from "./ToolCache.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface OfferedTools {
  readonly servers: ReadonlyArray<ServerView.Server>
  readonly tools: ReadonlyArray<ToolView.ToolRow>
  readonly set: ToolRegistry.ToolSet
}

/**
 * Connects the servers, lists their tools, and lets go of them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const list = (
  configs: ReadonlyArray<ServerConfig>,
  options: Servers.Options
): Effect.Effect<OfferedTools, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const manager = yield* McpManager
    const registry = yield* ToolRegistry.ToolRegistry
    yield* manager.start
    yield* McpToolAdapter.sync(manager, registry)
    const statuses = yield* manager.statuses
    yield* ToolCache.remember(configs, statuses)
    const set = yield* registry.snapshot
    return {
      servers: ServerView.pair(yield* manager.servers, statuses),
      tools: ToolView.fromSet(set, statuses),
      set
    }
  }).pipe(Effect.provide(Layer.merge(Servers.layer(configs, options), ToolRegistry.layer)))
