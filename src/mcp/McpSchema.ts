/**
 * The payloads of MCP that a host reads, of every revision it speaks. Each says since which revision it exists; a field that is
 * younger than the rest says so itself.
 *
 * These are the shapes after reading: `null` at an optional place is read as absent, an entry that cannot be used is left
 * out and reported. Readers live beside the operation that needs them.
 *
 * @see https://modelcontextprotocol.io/specification
 * @since 0.1.0
 */
import type { ContentBlock, Icon } from "./ContentSchema.ts"
import type { JsonObject } from "./JsonRpc.ts"

export type {
  Annotations,
  BlockHints,
  ContentBlock,
  Icon,
  Resource,
  ResourceContents,
  ResourceTemplate
} from "./ContentSchema.ts"
export type {
  Completion,
  CompletionReference,
  Prompt,
  PromptArgument,
  PromptMessage,
  PromptResult
} from "./PromptSchema.ts"

/**
 * Name and version of a client or server (2024-11-05). Nothing vouches for them: they are for people and logs.
 *
 * @since 0.1.0
 * @category models
 */
export interface Implementation {
  /** For programs; shown where there is no title. */
  readonly name: string
  /** Of the program, in whatever form it counts. */
  readonly version: string
  /** 2025-06-18: the name for people. */
  readonly title?: string | undefined
  /** 2025-11-25: what it does. */
  readonly description?: string | undefined
  /** 2025-11-25: where people can read about it. */
  readonly websiteUrl?: string | undefined
  /** 2025-11-25: images that stand for it. */
  readonly icons?: ReadonlyArray<Icon> | undefined
}

/**
 * What a server says it can do (2024-11-05). A feature that is not declared is not asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServerCapabilities {
  /** It has tools. `listChanged`: it tells when others are there. */
  readonly tools?: { readonly listChanged?: boolean | undefined } | undefined
  /** It has resources. `listChanged`: it tells when others are there; `subscribe`: and when one that is subscribed to has changed. */
  readonly resources?:
    | { readonly listChanged?: boolean | undefined; readonly subscribe?: boolean | undefined }
    | undefined
  /** It has prompts. `listChanged`: it tells when others are there. */
  readonly prompts?: { readonly listChanged?: boolean | undefined } | undefined
  /** It sends log messages. Deprecated from 2026-07-28. */
  readonly logging?: JsonObject | undefined
  /** 2025-03-26: it completes arguments. Servers of 2024-11-05 may without saying so. */
  readonly completions?: JsonObject | undefined
  /** 2025-11-25 alone, experimental: which requests can run as tasks (`requests`), and whether tasks can be listed and cancelled. */
  readonly tasks?: JsonObject | undefined
  /** 2026-07-28: the extensions that it has, by their ids, with their settings. */
  readonly extensions?: JsonObject | undefined
  /** What no revision describes. */
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
  /** The name for people, older than the tool's own `title`, which goes before it. */
  readonly title?: string | undefined
  /** It changes nothing. Default: false. */
  readonly readOnlyHint?: boolean | undefined
  /** It may remove or overwrite, and not only add; of a tool that is not read-only. Default: true. */
  readonly destructiveHint?: boolean | undefined
  /** The same call again has no further effect; of a tool that is not read-only. Default: false. */
  readonly idempotentHint?: boolean | undefined
  /** It reaches beyond a closed domain: the web, say, and not a memory of its own. Default: true. */
  readonly openWorldHint?: boolean | undefined
}

/**
 * A tool as a server lists it (2024-11-05). `inputSchema` and `outputSchema` are kept as the server sent them.
 *
 * @since 0.1.0
 * @category models
 */
export interface McpTool {
  /** The server's own name for it: what goes on the wire. */
  readonly name: string
  /** 2025-06-18: the name for people. */
  readonly title?: string | undefined
  /** What it does, for the model; empty where the server says nothing. */
  readonly description: string
  /** The arguments as a JSON Schema of an object: of 2020-12 where it does not say otherwise (2025-11-25). */
  readonly inputSchema: JsonObject
  /** 2025-06-18: the `structuredContent` of its results as a JSON Schema; of an object before 2026-07-28. */
  readonly outputSchema?: JsonObject | undefined
  /** 2025-03-26: what the server claims of it. */
  readonly annotations?: ToolAnnotations | undefined
  /** 2025-11-25: images that stand for it. */
  readonly icons?: ReadonlyArray<Icon> | undefined
  /** 2025-11-25 alone (`execution.taskSupport`): whether a call may, must or must not run as a task. Default: it must not. */
  readonly taskSupport?: "forbidden" | "optional" | "required" | undefined
  /** 2025-06-18: what server and client may have agreed on beside the protocol. */
  readonly _meta?: JsonObject | undefined
}

/**
 * What a tool call gave (2024-11-05). `isError` is the tool's own failure: a result for the model, not a broken connection.
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolCallResult {
  /** Whether the tool failed; `content` then says why. */
  readonly isError: boolean
  /** The text blocks, joined by newline: what a model without other media is given. */
  readonly text: string
  /** What it gave, in order. */
  readonly content: ReadonlyArray<ContentBlock>
  /** The blocks as the server sent them. */
  readonly raw: ReadonlyArray<unknown>
  /** 2025-06-18: the result for programs, an object; any JSON value from 2026-07-28. */
  readonly structuredContent?: unknown
  /** What server and client may have agreed on beside the protocol. */
  readonly _meta?: JsonObject | undefined
  /** What is wrong with the result and does not keep it from being used: content that does not fit the tool's `outputSchema`. */
  readonly warnings?: ReadonlyArray<string> | undefined
}

/**
 * How far a request has come: `notifications/progress` (2024-11-05).
 *
 * @since 0.1.0
 * @category models
 */
export interface Progress {
  /** Grows from one to the next. */
  readonly progress: number
  /** What it grows to, if the server knows. */
  readonly total?: number | undefined
  /** 2025-03-26: the same in words for a person. */
  readonly message?: string | undefined
}

/**
 * How much a log message matters, as in syslog (RFC 5424), from the least to the most (2024-11-05).
 *
 * @since 0.1.0
 * @category models
 */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency"

/**
 * What a server logs: `notifications/message` (2024-11-05; deprecated from 2026-07-28).
 *
 * @since 0.1.0
 * @category models
 */
export interface LogMessage {
  /** How much it matters. */
  readonly level: LogLevel
  /** The part of the server that speaks. */
  readonly logger?: string | undefined
  /** A text as a rule; any JSON value. */
  readonly data: unknown
}
