/**
 * Which tools the clients of the gateway may call: all that the configuration and the lock leave, but for those that a rule forbids.
 * Where a rule says that a person is to be asked nobody is there to answer, so that it forbids as well.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as PermissionPattern from "../engine/PermissionPattern.ts"
import * as Settings from "../engine/Settings.ts"
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
 * The rules of these settings.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ files }: Pick<Settings.Settings, "files">, directory = process.cwd()): Rules => {
  const rules = files.flatMap(({ content: { permissions = {} }, path }) =>
    [...(permissions.deny ?? []), ...(permissions.ask ?? [])].flatMap((source) => {
      const pattern = PermissionPattern.parse(source)
      return pattern === undefined ? [] : [{ pattern, path }]
    })
  )
  return {
    isOffered: (tool) =>
      !rules.some(
        ({ pattern }) =>
          pattern.argument === undefined && PermissionPattern.matches(pattern, { tool, arguments: {} }, directory)
      ),
    forbids: (tool, args) => {
      const rule = rules.find(({ pattern }) => PermissionPattern.matches(pattern, { tool, arguments: args }, directory))
      return rule && `the rule "${rule.pattern.source}" of ${rule.path} does not allow it`
    }
  }
}

/**
 * The rules of the settings in force. Fails with the place when a file cannot be understood: what it forbids would not be kept.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load: Effect.Effect<Rules, McpError, FileSystem.FileSystem> = Effect.map(Settings.load(), (settings) =>
  make(settings)
)
