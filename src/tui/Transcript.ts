/**
 * The conversation on the screen: what is finished and belongs to the scrollback, and what still moves.
 *
 * Finished items are only ever added. Text that streams in is handed over to them block by block, and tool calls in the
 * order in which they were made, so that what still moves stays small however long the answer is.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type { EngineEvent, Reason } from "../engine/EngineEvent.ts"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import * as MarkdownBlocks from "./MarkdownBlocks.ts"

/**
 * A tool call, running or done.
 *
 * @since 0.1.0
 * @category models
 */
export interface Call {
  readonly id: string
  readonly name: string
  readonly server: string | undefined
  readonly arguments: JsonObject
  readonly startedAt: number
  /** How far it has come, in words. */
  readonly progress: string | undefined
  /** The same as a share of the whole, from 0 to 1, where that is known. */
  readonly share?: number | undefined
  readonly outcome: Outcome | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Outcome {
  readonly isError: boolean
  readonly denied: boolean
  /** What the tool gave; cut when it is longer than what a person would read. */
  readonly text: string
  /** What is wrong with it and does not keep it from being used. */
  readonly warnings?: ReadonlyArray<string> | undefined
  readonly durationMs: number
}

/**
 * Something finished.
 *
 * @since 0.1.0
 * @category models
 */
export type Item = Data.TaggedEnum<{
  User: { readonly text: string }
  Answer: { readonly text: string; readonly first: boolean }
  Thought: { readonly text: string }
  Tool: { readonly call: Call }
  Notice: { readonly text: string; readonly tone: "info" | "error" }
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const Item = Data.taggedEnum<Item>()

/**
 * @since 0.1.0
 * @category models
 */
export interface Transcript {
  readonly items: ReadonlyArray<Item>
  /** The part of the answer that may still change. */
  readonly text: string
  /** Whether a block of this answer is among the items already. */
  readonly begun: boolean
  readonly thought: string
  readonly calls: ReadonlyArray<Call>
  /** The run under way. */
  readonly run: Run | undefined
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of the last turn: how many tools the model was offered, of how many that it can find. */
  readonly offer: { readonly tools: number; readonly of: number } | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Run {
  readonly startedAt: number
  readonly activity: string
  readonly cancelling: boolean
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const empty: Transcript = {
  items: [],
  text: "",
  begun: false,
  thought: "",
  calls: [],
  run: undefined,
  inputTokens: 0,
  outputTokens: 0,
  offer: undefined
}

/** What a person can look through; a model may be given more. */
const outcomeLimit = 256 * 1024

/**
 * Adds something finished.
 *
 * @since 0.1.0
 * @category transitions
 */
export const add = (transcript: Transcript, ...items: ReadonlyArray<Item>): Transcript =>
  items.length === 0 ? transcript : { ...transcript, items: [...transcript.items, ...items] }

/**
 * A run begins.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onRun = (transcript: Transcript, startedAt: number, activity: string): Transcript => ({
  ...transcript,
  run: { startedAt, activity, cancelling: false }
})

/**
 * A person has asked the run to stop.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onCancelling = (transcript: Transcript): Transcript =>
  transcript.run === undefined
    ? transcript
    : { ...transcript, run: { ...transcript.run, activity: "cancelling", cancelling: true } }

/**
 * The run is over: nothing moves any more.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onEnd = (transcript: Transcript, now: number, notice?: Item): Transcript => {
  const ended = endText(transcript)
  const stopped = ended.calls.map((call) =>
    Item.Tool({ call: { ...call, outcome: call.outcome ?? interrupted(call, now) } })
  )
  return add({ ...ended, calls: [], run: undefined }, ...stopped, ...(notice === undefined ? [] : [notice]))
}

const interrupted = (call: Call, now: number): Outcome => ({
  isError: true,
  denied: false,
  text: "cancelled",
  durationMs: now - call.startedAt
})

/**
 * The transcript after an event of the engine.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onEngineEvent = (transcript: Transcript, event: EngineEvent, now: number): Transcript => {
  switch (event._tag) {
    case "TurnStarted":
      return active(
        { ...endText(transcript), offer: { tools: event.tools, of: event.of } },
        event.turn === 1 ? "thinking" : `thinking, turn ${event.turn}`
      )
    case "Notice":
      return add(endText(transcript), Item.Notice({ text: event.message, tone: "info" }))
    case "TextDelta":
      return active(onText(endThought(transcript), event.text), "answering")
    case "ReasoningDelta":
      return active({ ...transcript, thought: transcript.thought + event.text }, "thinking")
    case "ModelRetry":
      return active(transcript, `model: ${event.reason}; attempt ${event.attempt} in ${seconds(event.delayMs)}`)
    case "ToolStarted":
      return onCall(endText(transcript), {
        id: event.id,
        name: event.name,
        server: event.server,
        arguments: event.arguments,
        startedAt: now,
        progress: undefined,
        outcome: undefined
      })
    case "ToolProgress":
      return changeCall(transcript, event.id, (call) => ({
        ...call,
        progress: progressOf(event),
        share: shareOf(event)
      }))
    case "ToolFinished":
      return onFinished(transcript, event.id, {
        isError: event.result.isError,
        denied: event.denied,
        text: bounded(event.result.text),
        warnings: event.result.warnings,
        durationMs: event.durationMs
      })
    case "CompactionStarted":
      return active(endText(transcript), "summing up the conversation")
    case "Compacted":
      return add(endText(transcript), Item.Notice({ text: compacted(event), tone: "info" }))
    case "Usage":
      return {
        ...transcript,
        inputTokens: transcript.inputTokens + event.inputTokens,
        outputTokens: transcript.outputTokens + event.outputTokens
      }
    case "Done":
      return onEnd(transcript, now, endNotice(event))
  }
}

/**
 * A call begins.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onCall = (transcript: Transcript, call: Call): Transcript =>
  active({ ...transcript, calls: [...transcript.calls, call] }, "running tools")

/**
 * A call is done. It leaves the moving part once those made before it have.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onFinished = (transcript: Transcript, id: string, outcome: Outcome): Transcript => {
  const changed = changeCall(transcript, id, (call) => ({ ...call, progress: undefined, outcome }))
  const running = changed.calls.findIndex((call) => call.outcome === undefined)
  const done = running < 0 ? changed.calls : changed.calls.slice(0, running)
  return add({ ...changed, calls: changed.calls.slice(done.length) }, ...done.map((call) => Item.Tool({ call })))
}

const changeCall = (transcript: Transcript, id: string, change: (call: Call) => Call): Transcript => ({
  ...transcript,
  calls: transcript.calls.map((call) => (call.id === id ? change(call) : call))
})

const active = (transcript: Transcript, activity: string): Transcript =>
  transcript.run === undefined || transcript.run.cancelling || transcript.run.activity === activity
    ? transcript
    : { ...transcript, run: { ...transcript.run, activity } }

const onText = (transcript: Transcript, delta: string): Transcript => {
  const { rest, stable } = MarkdownBlocks.split(transcript.text + delta)
  if (stable === "") return { ...transcript, text: rest }
  return add({ ...transcript, text: rest, begun: true }, Item.Answer({ text: stable, first: !transcript.begun }))
}

const endThought = (transcript: Transcript): Transcript =>
  transcript.thought === ""
    ? transcript
    : add({ ...transcript, thought: "" }, Item.Thought({ text: transcript.thought.trim() }))

const endText = (transcript: Transcript): Transcript => {
  const { begun, text } = transcript
  const rest = text.trim() === "" ? [] : [Item.Answer({ text, first: !begun })]
  return add(endThought({ ...transcript, text: "", begun: false }), ...rest)
}

const compacted = ({ summary, tokensAfter, tokensBefore }: EngineEvent & { readonly _tag: "Compacted" }): string =>
  `summed up: about ${tokensBefore.toLocaleString("en")} tokens became ${tokensAfter.toLocaleString("en")}\n${summary}`

/**
 * What a person should know of the end of a run.
 *
 * @since 0.1.0
 * @category constructors
 */
export const endNotice = (event: {
  readonly reason: Reason
  readonly turns: number
  readonly error?: string | undefined
}): Item | undefined => {
  if (event.reason === "answer") return undefined
  if (event.reason === "error")
    return Item.Notice({ text: event.error ?? "the model could not be asked", tone: "error" })
  const text = event.reason === "max-turns" ? `stopped after ${event.turns} turns` : "cancelled"
  return Item.Notice({ text, tone: "info" })
}

/**
 * A result as a person can look through it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const bounded = (text: string): string =>
  text.length > outcomeLimit ? `${text.slice(0, outcomeLimit)}\n… ${text.length - outcomeLimit} more characters` : text

type Progress = EngineEvent & { readonly _tag: "ToolProgress" }

const shareOf = ({ progress, total }: Progress): number | undefined =>
  total === undefined || total <= 0 ? undefined : Math.max(0, Math.min(1, progress / total))

const progressOf = (event: Progress): string => {
  const { message, progress } = event
  const share = shareOf(event)
  const words = share === undefined ? String(progress) : `${Math.round(100 * share)} %`
  return message === undefined ? words : `${words} ${message}`
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`
