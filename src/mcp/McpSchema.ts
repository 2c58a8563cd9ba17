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
  /** 2025-11-25. */
  readonly icons?: ReadonlyArray<Icon> | undefined
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
  /** The background it is made for. */
  readonly theme?: "light" | "dark" | undefined
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
  /** What is wrong with the result and does not keep it from being used: content that does not fit the tool's `outputSchema`. */
  readonly warnings?: ReadonlyArray<string> | undefined
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

/**
 * For whom a block or resource is meant, how much it matters and how old it is: hints of the server.
 *
 * @since 0.1.0
 * @category models
 */
export interface Annotations {
  readonly audience?: ReadonlyArray<"user" | "assistant"> | undefined
  /** From 0 (may be left out) to 1 (needed). */
  readonly priority?: number | undefined
  /** 2025-06-18: ISO 8601. */
  readonly lastModified?: string | undefined
}

/**
 * A resource as a server lists it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Resource {
  readonly uri: string
  readonly name: string
  /** 2025-06-18. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
  /** In bytes, before any encoding (2024-11-05). */
  readonly size?: number | undefined
  readonly annotations?: Annotations | undefined
  /** 2025-11-25. */
  readonly icons?: ReadonlyArray<Icon> | undefined
  /** 2025-06-18. */
  readonly _meta?: JsonObject | undefined
}

/**
 * A family of resources: a URI with variables (RFC 6570), which `complete` helps to fill in.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  /** 2025-06-18. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
  readonly annotations?: Annotations | undefined
  /** 2025-11-25. */
  readonly icons?: ReadonlyArray<Icon> | undefined
  /** 2025-06-18. */
  readonly _meta?: JsonObject | undefined
}

/**
 * A prompt as a server lists it: a template for messages, meant to be chosen by a person.
 *
 * @since 0.1.0
 * @category models
 */
export interface Prompt {
  readonly name: string
  /** 2025-06-18. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly arguments: ReadonlyArray<PromptArgument>
  /** 2025-11-25. */
  readonly icons?: ReadonlyArray<Icon> | undefined
  /** 2025-06-18. */
  readonly _meta?: JsonObject | undefined
}

/**
 * What a prompt asks for. Every value is a text.
 *
 * @since 0.1.0
 * @category models
 */
export interface PromptArgument {
  readonly name: string
  /** 2025-06-18. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly required: boolean
}

/**
 * A prompt, filled in: messages for the model.
 *
 * @since 0.1.0
 * @category models
 */
export interface PromptResult {
  readonly description?: string | undefined
  readonly messages: ReadonlyArray<PromptMessage>
  readonly _meta?: JsonObject | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface PromptMessage {
  readonly role: "user" | "assistant"
  readonly content: ContentBlock
}

/**
 * What an argument can be completed of: a prompt, or the URI template of resources (2024-11-05).
 *
 * @since 0.1.0
 * @category models
 */
export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string }

/**
 * What an argument may be, best first: 100 values at most.
 *
 * @since 0.1.0
 * @category models
 */
export interface Completion {
  readonly values: ReadonlyArray<string>
  /** How many there are in all. */
  readonly total?: number | undefined
  readonly hasMore: boolean
}

/**
 * How much a log message matters, as in syslog (RFC 5424).
 *
 * @since 0.1.0
 * @category models
 */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency"

/**
 * What a server logs (`notifications/message`).
 *
 * @since 0.1.0
 * @category models
 */
export interface LogMessage {
  readonly level: LogLevel
  /** The part of the server that speaks. */
  readonly logger?: string | undefined
  /** A text as a rule; any JSON value. */
  readonly data: unknown
}
