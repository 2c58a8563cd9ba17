/**
 * Prompts of servers, and the completion of arguments. The payloads of `McpSchema`, which exports them too; how they are to be
 * read is said there.
 *
 * @since 0.1.0
 */
import type { ContentBlock, Icon } from "./ContentSchema.ts"
import type { JsonObject } from "./JsonRpc.ts"

/**
 * A prompt as a server lists it (2024-11-05): a template for messages, meant to be chosen by a person.
 *
 * @since 0.1.0
 * @category models
 */
export interface Prompt {
  /** What `getPrompt` is asked for; shown where there is no title. */
  readonly name: string
  /** 2025-06-18: the name for people. */
  readonly title?: string | undefined
  /** What it is for. */
  readonly description?: string | undefined
  /** What it is filled in with, in the server's order. */
  readonly arguments: ReadonlyArray<PromptArgument>
  /** 2025-11-25: images that stand for it. */
  readonly icons?: ReadonlyArray<Icon> | undefined
  /** 2025-06-18: what server and client may have agreed on beside the protocol. */
  readonly _meta?: JsonObject | undefined
}

/**
 * What a prompt asks for (2024-11-05). Every value is a text.
 *
 * @since 0.1.0
 * @category models
 */
export interface PromptArgument {
  /** The key of the value. */
  readonly name: string
  /** 2025-06-18: the name for people. */
  readonly title?: string | undefined
  /** What to write. */
  readonly description?: string | undefined
  /** Whether the prompt cannot do without it. */
  readonly required: boolean
}

/**
 * A prompt, filled in (2024-11-05): messages for the model.
 *
 * @since 0.1.0
 * @category models
 */
export interface PromptResult {
  /** What the prompt is for. */
  readonly description?: string | undefined
  /** What to put before the model, in order. */
  readonly messages: ReadonlyArray<PromptMessage>
  /** What server and client may have agreed on beside the protocol. */
  readonly _meta?: JsonObject | undefined
}

/**
 * A message of a prompt (2024-11-05).
 *
 * @since 0.1.0
 * @category models
 */
export interface PromptMessage {
  /** Whose words they are to be. */
  readonly role: "user" | "assistant"
  /** One block: a message of several is several messages. */
  readonly content: ContentBlock
}

/**
 * What an argument can be completed of (2024-11-05): the prompt of that name, or the resource template of that URI.
 *
 * @since 0.1.0
 * @category models
 */
export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string }

/**
 * What an argument may be (2024-11-05).
 *
 * @since 0.1.0
 * @category models
 */
export interface Completion {
  /** The best first: 100 at most. */
  readonly values: ReadonlyArray<string>
  /** How many there are in all, if the server knows. */
  readonly total?: number | undefined
  /** Whether there are more than these. */
  readonly hasMore: boolean
}
