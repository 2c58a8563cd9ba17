/**
 * The payloads of MCP that a host reads, of every revision it speaks. A field says since which revision it exists.
 *
 * These are the shapes after reading: `null` at an optional place is read as absent, an entry that cannot be used is left
 * out and reported. Readers live beside the operation that needs them.
 *
 * @since 0.1.0
 */
import type { JsonObject } from "./JsonRpc.ts"

/**
 * Name and version of a client or server.
 *
 * @since 0.1.0
 * @category models
 */
export interface Implementation {
  readonly name: string
  readonly version: string
  /** 2025-06-18. */
  readonly title?: string | undefined
  /** 2025-11-25. */
  readonly description?: string | undefined
  /** 2025-11-25. */
  readonly websiteUrl?: string | undefined
}

/**
 * What a server says it can do. A feature that is not declared is not asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean | undefined } | undefined
  readonly resources?:
    | { readonly listChanged?: boolean | undefined; readonly subscribe?: boolean | undefined }
    | undefined
  readonly prompts?: { readonly listChanged?: boolean | undefined } | undefined
  readonly logging?: JsonObject | undefined
  /** 2025-03-26. */
  readonly completions?: JsonObject | undefined
  /** 2025-11-25, experimental. */
  readonly tasks?: JsonObject | undefined
  /** 2026-07-28: by extension id. */
  readonly extensions?: JsonObject | undefined
  readonly experimental?: JsonObject | undefined
}

/**
 * What a server claims about a tool's behaviour (2025-03-26). Claims are not proof: they inform, and never widen a permission
 * that a person has withheld.
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolAnnotations {
  readonly title?: string | undefined
  readonly readOnlyHint?: boolean | undefined
  readonly destructiveHint?: boolean | undefined
  readonly idempotentHint?: boolean | undefined
  readonly openWorldHint?: boolean | undefined
}

/**
 * An image that stands for a server, tool, resource or prompt (2025-11-25).
 *
 * @since 0.1.0
 * @category models
 */
export interface Icon {
  readonly src: string
  readonly mimeType?: string | undefined
  readonly sizes?: ReadonlyArray<string> | undefined
}

/**
 * A tool as a server lists it. `inputSchema` and `outputSchema` are kept as the server sent them.
 *
 * @since 0.1.0
 * @category models
 */
export interface McpTool {
  /** The server's own name for it: what goes on the wire. */
  readonly name: string
  /** 2025-06-18. */
  readonly title?: string | undefined
  readonly description: string
  readonly inputSchema: JsonObject
  /** 2025-06-18. */
  readonly outputSchema?: JsonObject | undefined
  readonly annotations?: ToolAnnotations | undefined
  /** 2025-11-25. */
  readonly icons?: ReadonlyArray<Icon> | undefined
  /** 2025-11-25: whether a call may, must or must not run as a task. */
  readonly taskSupport?: "forbidden" | "optional" | "required" | undefined
  readonly _meta?: JsonObject | undefined
}

/**
 * A block of a tool result, prompt message or sampling message.
 *
 * `Unknown` holds a block of a kind that harness9 does not know, so that nothing is lost.
 *
 * @since 0.1.0
 * @category models
 */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string; readonly annotations?: JsonObject; readonly _meta?: JsonObject }
  | {
      readonly type: "image"
      readonly data: string
      readonly mimeType: string
      readonly annotations?: JsonObject
      readonly _meta?: JsonObject
    }
  /** 2025-03-26. */
  | {
      readonly type: "audio"
      readonly data: string
      readonly mimeType: string
      readonly annotations?: JsonObject
      readonly _meta?: JsonObject
    }
  | {
      readonly type: "resource"
      readonly resource: ResourceContents
      readonly annotations?: JsonObject
      readonly _meta?: JsonObject
    }
  /** 2025-06-18. */
  | {
      readonly type: "resource_link"
      readonly uri: string
      readonly name: string
      readonly title?: string
      readonly description?: string
      readonly mimeType?: string
      readonly size?: number
      readonly annotations?: JsonObject
      readonly _meta?: JsonObject
    }
  | { readonly type: "unknown"; readonly block: unknown }

/**
 * The contents of a resource: text, or bytes in base64.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResourceContents {
  readonly uri: string
  readonly mimeType?: string | undefined
  readonly text?: string | undefined
  readonly blob?: string | undefined
  readonly _meta?: JsonObject | undefined
}

/**
 * What a tool call gave. `isError` is the tool's own failure: a result for the model, not a broken connection.
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolCallResult {
  readonly isError: boolean
  /** The text blocks, joined by newline: what a model without other media is given. */
  readonly text: string
  readonly content: ReadonlyArray<ContentBlock>
  /** The blocks as the server sent them. */
  readonly raw: ReadonlyArray<unknown>
  /** 2025-06-18; any JSON value from 2026-07-28. */
  readonly structuredContent?: unknown
  readonly _meta?: JsonObject | undefined
}

/**
 * How far a request has come (`notifications/progress`).
 *
 * @since 0.1.0
 * @category models
 */
export interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  /** 2025-03-26. */
  readonly message?: string | undefined
}
