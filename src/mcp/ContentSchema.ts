/**
 * What servers send as content, and the resources that it can be read from. The payloads of `McpSchema`, which exports them too;
 * how they are to be read is said there.
 *
 * @since 0.1.0
 */
import type { JsonObject } from "./JsonRpc.ts"

/**
 * For whom a block or resource is meant, how much it matters and how old it is: hints of the server (2024-11-05).
 *
 * @since 0.1.0
 * @category models
 */
export interface Annotations {
  /** Whom it is for: the person, the model, or both. */
  readonly audience?: ReadonlyArray<"user" | "assistant"> | undefined
  /** From 0 (may be left out) to 1 (needed). */
  readonly priority?: number | undefined
  /** 2025-06-18: when it was last changed, ISO 8601. */
  readonly lastModified?: string | undefined
}

/**
 * An image that stands for a server, tool, resource or prompt (2025-11-25).
 *
 * @since 0.1.0
 * @category models
 */
export interface Icon {
  /** Where the image is: an `https:` or `data:` address. */
  readonly src: string
  /** In place of the type that the image is served with. */
  readonly mimeType?: string | undefined
  /** The sizes that it can be shown in: `48x48`, or `any` for one that scales. */
  readonly sizes?: ReadonlyArray<string> | undefined
  /** The background it is made for; without it for any. */
  readonly theme?: "light" | "dark" | undefined
}

/**
 * What every kind of content block can have beside its content.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockHints {
  /** 2024-11-05: `Annotations` as the server sent them, not checked. */
  readonly annotations?: JsonObject
  /** 2025-06-18: what server and client may have agreed on beside the protocol. */
  readonly _meta?: JsonObject
}

/**
 * A block of a tool result, prompt message or sampling message.
 *
 * - `text` (2024-11-05): the text
 * - `image` (2024-11-05), `audio` (2025-03-26): `data` are the bytes in base64, `mimeType` what they are
 * - `resource` (2024-11-05): the contents of a resource, embedded
 * - `resource_link` (2025-06-18): a resource that can be read; it need not be among those that the server lists. `size` in bytes
 * - `unknown`: a block of a kind that harness9 does not know, or of a known kind without what it needs, so that nothing is lost
 *
 * @since 0.1.0
 * @category models
 */
export type ContentBlock =
  | ({ readonly type: "text"; readonly text: string } & BlockHints)
  | ({ readonly type: "image"; readonly data: string; readonly mimeType: string } & BlockHints)
  | ({ readonly type: "audio"; readonly data: string; readonly mimeType: string } & BlockHints)
  | ({ readonly type: "resource"; readonly resource: ResourceContents } & BlockHints)
  | ({
      readonly type: "resource_link"
      readonly uri: string
      readonly name: string
      readonly title?: string
      readonly description?: string
      readonly mimeType?: string
      readonly size?: number
    } & BlockHints)
  | { readonly type: "unknown"; readonly block: unknown }

/**
 * The contents of a resource: text, or bytes (2024-11-05).
 *
 * @since 0.1.0
 * @category models
 */
export interface ResourceContents {
  /** Of what was read; another one than was asked for where that is a folder, say. */
  readonly uri: string
  /** What kind of text or bytes it is, if the server knows. */
  readonly mimeType?: string | undefined
  /** The text, of a resource that is one. */
  readonly text?: string | undefined
  /** The bytes in base64, of a resource that is no text. */
  readonly blob?: string | undefined
  /** 2025-06-18: what server and client may have agreed on beside the protocol. */
  readonly _meta?: JsonObject | undefined
}

/**
 * A resource as a server lists it (2024-11-05).
 *
 * @since 0.1.0
 * @category models
 */
export interface Resource {
  /** What `readResource` is asked for. Any scheme: the server alone knows what it means. */
  readonly uri: string
  /** For programs; shown where there is no title. */
  readonly name: string
  /** 2025-06-18: the name for people. */
  readonly title?: string | undefined
  /** What it is, for a model to decide whether to read it. */
  readonly description?: string | undefined
  /** What kind of text or bytes it is, if the server knows. */
  readonly mimeType?: string | undefined
  /** In bytes, before any encoding. */
  readonly size?: number | undefined
  /** Hints of the server. */
  readonly annotations?: Annotations | undefined
  /** 2025-11-25: images that stand for it. */
  readonly icons?: ReadonlyArray<Icon> | undefined
  /** 2025-06-18: what server and client may have agreed on beside the protocol. */
  readonly _meta?: JsonObject | undefined
}

/**
 * A family of resources (2024-11-05): a URI with variables, which `complete` helps to fill in.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResourceTemplate {
  /** By RFC 6570: `file:///{path}`. */
  readonly uriTemplate: string
  /** For programs; shown where there is no title. */
  readonly name: string
  /** 2025-06-18: the name for people. */
  readonly title?: string | undefined
  /** What the resources of the family are. */
  readonly description?: string | undefined
  /** Of all of them, if they are of one kind. */
  readonly mimeType?: string | undefined
  /** Hints of the server. */
  readonly annotations?: Annotations | undefined
  /** 2025-11-25: images that stand for it. */
  readonly icons?: ReadonlyArray<Icon> | undefined
  /** 2025-06-18: what server and client may have agreed on beside the protocol. */
  readonly _meta?: JsonObject | undefined
}
