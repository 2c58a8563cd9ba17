/**
 * Which tools the clients of the gateway may call: all that the configuration and the lock leave, but for those that a rule forbids.
 * Where a rule says that a person is to be asked nobody is there to answer, so that it forbids as well.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as PermissionRules from "../engine/PermissionRules.ts"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type { McpError } from "../mcp/McpError.ts"
import type { Tool } from "../tool/Tool.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Rules {
  /** Whether some call of the tool may run. */
  readonly isOffered: (tool: Tool) => boolean
  /** Why the call must not run, if so. */
  readonly forbids: (tool: Tool, args: JsonObject) => string | undefined
}

/**
 * The gateway's part of these rules.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ rules }: Pick<PermissionRules.PermissionRules, "rules">, directory = process.cwd()): Rules => {
  const forbidding = rules.filter(({ action }) => action !== "allow")
  const ofWholeTools = forbidding.filter(({ pattern }) => pattern.argument === undefined)
  const deciding = (among: ReadonlyArray<PermissionRules.Rule>, tool: Tool, args: JsonObject) =>
    PermissionRules.deciding(among, { tool, arguments: args }, { directory })
  return {
    isOffered: (tool) => deciding(ofWholeTools, tool, {}) === undefined,
    forbids: (tool, args) => {
      const rule = deciding(forbidding, tool, args)
      return rule && `a rule forbids it: ${PermissionRules.shown(rule)}`
    }
  }
}

/**
 * The rules in force. Fails with the place when a file cannot be understood: what it forbids would not be kept.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load: Effect.Effect<Rules, McpError, FileSystem.FileSystem> = Effect.map(PermissionRules.load(), (rules) =>
  make(rules)
)
