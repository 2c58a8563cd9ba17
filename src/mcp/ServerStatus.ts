/**
 * What a server is doing, as a person or a program sees it: a tagged union, told through the Manager's stream of changes.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type { McpError } from "./McpError.ts"
import type { Implementation, McpTool, ServerCapabilities } from "./McpSchema.ts"
import type { Negotiation, ProtocolVersion } from "./ProtocolVersion.ts"

/**
 * - `Pending`: being connected for the first time, or again by a person's wish
 * - `Connected`: usable; `tools` are the offered ones, after the entry's filters, in the server's order
 * - `Failed`: not usable; `error` says why
 * - `Reconnecting`: was lost; attempt `attempt` (from 1) begins at `nextTryAt` (milliseconds since the epoch)
 * - `NeedsAuth`: waits for a login
 * - `NeedsApproval`: a project's entry that nobody has agreed to yet
 * - `Disabled`: switched off; never started or contacted
 *
 * @since 0.1.0
 * @category models
 */
export type ServerStatus = Data.TaggedEnum<{
  Pending: { readonly name: string }
  Connected: {
    readonly name: string
    readonly protocolVersion: ProtocolVersion
    /** Why this revision is spoken. */
    readonly negotiation?: Negotiation | undefined
    readonly serverInfo: Implementation
    readonly capabilities: ServerCapabilities
    readonly instructions: string | undefined
    readonly tools: ReadonlyArray<McpTool>
    /** How long connecting took, handshake and first list included, in milliseconds. */
    readonly connectMs: number
  }
  Failed: { readonly name: string; readonly error: McpError }
  Reconnecting: {
    readonly name: string
    readonly error: McpError
    readonly attempt: number
    readonly nextTryAt: number
  }
  NeedsAuth: { readonly name: string; readonly error: McpError }
  NeedsApproval: { readonly name: string }
  Disabled: { readonly name: string }
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const ServerStatus = Data.taggedEnum<ServerStatus>()

/**
 * The word of the JSON contract for each state.
 *
 * @since 0.1.0
 * @category formatting
 */
export const word = ServerStatus.$match({
  Pending: () => "pending" as const,
  Connected: () => "connected" as const,
  Failed: () => "failed" as const,
  Reconnecting: () => "reconnecting" as const,
  NeedsAuth: () => "needs-auth" as const,
  NeedsApproval: () => "needs-approval" as const,
  Disabled: () => "disabled" as const
})

/**
 * Whether the server has come to rest: nothing more happens without a person or a timer.
 *
 * @since 0.1.0
 * @category guards
 */
export const isSettled = (status: ServerStatus): boolean => status._tag !== "Pending"

/**
 * The cell of the MCP bar: `context7 ● 2 tools`. The name comes from the configuration: sanitise before showing.
 *
 * @since 0.1.0
 * @category formatting
 */
export const summary: (status: ServerStatus) => string = ServerStatus.$match({
  Pending: ({ name }) => `${name} ○ connecting`,
  Connected: ({ name, tools }) => `${name} ● ${tools.length} ${tools.length === 1 ? "tool" : "tools"}`,
  Failed: ({ name }) => `${name} ✗ failed`,
  Reconnecting: ({ attempt, name }) => `${name} ✗ reconnecting (${attempt})`,
  NeedsAuth: ({ name }) => `${name} ○ needs login`,
  NeedsApproval: ({ name }) => `${name} ○ needs approval`,
  Disabled: ({ name }) => `${name} – disabled`
})
