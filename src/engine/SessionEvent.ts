/**
 * What is kept of a conversation: an event for each thing that happened in it, in order. The events alone give back what the model
 * was sent and what a person saw, whichever servers and tools there are by then.
 *
 * Within a version, fields and kinds of events may be added, never changed: a reader passes over what it does not know.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The version of this format.
 *
 * @since 0.1.0
 * @category constants
 */
export const version = 1

/**
 * Marks of a model's provider, given back to it as they are: signatures, identifiers.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ProviderOptions = Schema.Record({
  key: Schema.String,
  value: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

/**
 * A piece of a model's answer.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AnswerPart = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("text", "reasoning"),
    text: Schema.String,
    options: Schema.optional(ProviderOptions)
  }),
  Schema.Struct({
    type: Schema.Literal("tool-call"),
    id: Schema.String,
    /** As the model's API was given it. */
    name: Schema.String,
    arguments: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
    options: Schema.optional(ProviderOptions)
  })
)

/**
 * @since 0.1.0
 * @category models
 */
export type AnswerPart = typeof AnswerPart.Type

/**
 * An image or a sound of a tool's result, in base64.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Media = Schema.Struct({
  type: Schema.Literal("image", "audio"),
  data: Schema.String,
  mimeType: Schema.String
})

/**
 * A tool that was on offer, and the server that it came from.
 *
 * @since 0.1.0
 * @category schemas
 */
export const OfferedTool = Schema.Struct({ name: Schema.String, server: Schema.optional(Schema.String) })

const Said = Schema.Struct({ role: Schema.Literal("user", "assistant"), text: Schema.String })

const Texts = Schema.Array(Schema.String)

/**
 * - `prompted`: the person's prompt, with what was attached to it and said before it; a run begins
 * - `noticed`: what person and model were told at the start of a turn
 * - `offered`: the tools that there were, where they are others than before
 * - `recent`: the tools that stay on offer because they were found or used, the least recently used first
 * - `answered`: an answer of the model, or what had come of it
 * - `returned`: the result of a call of the last answer
 * - `noted`: what the model is told with the next prompt
 * - `compacted`: a summary took the place of all messages but the last `kept`; `task` is the prompt that is being worked on
 * - `cleared`: everything before was forgotten
 * - `ended`: the run is over
 *
 * @since 0.1.0
 * @category schemas
 */
export const SessionEvent = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("prompted"),
    prompt: Schema.String,
    attached: Schema.optional(Texts),
    before: Schema.optional(Schema.Array(Said))
  }),
  Schema.Struct({ type: Schema.Literal("noticed"), notices: Texts }),
  Schema.Struct({ type: Schema.Literal("offered"), tools: Schema.Array(OfferedTool) }),
  Schema.Struct({ type: Schema.Literal("recent"), tools: Texts }),
  Schema.Struct({
    type: Schema.Literal("answered"),
    parts: Schema.Array(AnswerPart),
    /** Of the request and the answer together, where the provider tells. */
    tokens: Schema.optional(Schema.Number)
  }),
  Schema.Struct({
    type: Schema.Literal("returned"),
    id: Schema.String,
    text: Schema.String,
    isError: Schema.Boolean,
    denied: Schema.Boolean,
    durationMs: Schema.Number,
    media: Schema.optional(Schema.Array(Media))
  }),
  Schema.Struct({ type: Schema.Literal("noted"), text: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("compacted"),
    summary: Schema.String,
    task: Schema.optional(Schema.String),
    kept: Schema.Number,
    tokensBefore: Schema.Number,
    tokensAfter: Schema.Number
  }),
  Schema.Struct({ type: Schema.Literal("cleared") }),
  Schema.Struct({
    type: Schema.Literal("ended"),
    reason: Schema.Literal("answer", "max-turns", "cancelled", "error"),
    turns: Schema.Number,
    error: Schema.optional(Schema.String)
  })
)

/**
 * @since 0.1.0
 * @category models
 */
export type SessionEvent = typeof SessionEvent.Type

/**
 * An event of one kind.
 *
 * @since 0.1.0
 * @category models
 */
export type OfType<Type extends SessionEvent["type"]> = Extract<SessionEvent, { readonly type: Type }>

/**
 * What a session says of itself before its first event.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SessionHeader = Schema.Struct({
  type: Schema.Literal("session"),
  version: Schema.Number,
  id: Schema.String,
  /** The working directory that it was begun in. */
  directory: Schema.String,
  /** In ISO 8601, as is `at` in the lines that follow. */
  startedAt: Schema.String
})

/**
 * @since 0.1.0
 * @category models
 */
export type SessionHeader = typeof SessionHeader.Type
