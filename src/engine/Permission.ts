/**
 * Whether a tool call may run: what runs by itself, what needs a person's word, and who is asked.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type { Tool } from "../tool/Tool.ts"

/**
 * A call that waits for a decision.
 *
 * @since 0.1.0
 * @category models
 */
export interface PermissionRequest {
  readonly id: string
  readonly tool: Tool
  readonly arguments: JsonObject
}

/**
 * The answer. `reason` is told to the model when the call is denied.
 *
 * @since 0.1.0
 * @category models
 */
export type Decision = { readonly _tag: "Allow" } | { readonly _tag: "Deny"; readonly reason: string }

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly decide: (request: PermissionRequest) => Effect.Effect<Decision>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Permission extends Context.Tag("harness9/Permission")<Permission, Service>() {}
