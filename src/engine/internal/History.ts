/**
 * A conversation as the model is sent it: what its events add up to. Every state is one that a model's API takes: each call has its
 * result.
 */
import * as Prompt from "@effect/ai/Prompt"
import * as Tool from "../../tool/Tool.ts"
import type { Medium } from "../model/ModelInfo.ts"
import type { AnswerPart, OfType, SessionEvent } from "../SessionEvent.ts"
import type { ModelCall } from "./Answer.ts"
import * as Note from "./Note.ts"
import * as ResultMedia from "./ResultMedia.ts"
import * as TokenEstimate from "./TokenEstimate.ts"
import type * as ToolChanges from "./ToolChanges.ts"

export interface History {
  readonly messages: ReadonlyArray<Prompt.Message>
  /** What the model is told with the next prompt. */
  readonly pending: ReadonlyArray<string>
  /** Notices that the model has been told. */
  readonly told: ReadonlySet<string>
  /** The tools of the last turn. */
  readonly offered: ToolChanges.Known | undefined
  /** The names of tools that stay on offer, the least recently used first. */
  readonly recent: ReadonlyArray<string>
  /** The answer whose calls have not all returned. */
  readonly open: Open | undefined
  /** The prompt of the run under way. */
  readonly task: string | undefined
  /** About what the messages take of a model's context. */
  readonly tokens: number
}

interface Open {
  readonly parts: ReadonlyArray<AnswerPart>
  readonly results: ReadonlyMap<string, Tool.ToolResult>
}

export const empty: History = {
  messages: [],
  pending: [],
  told: new Set(),
  offered: undefined,
  recent: [],
  open: undefined,
  task: undefined,
  tokens: 0
}

export const fromEvents = (events: ReadonlyArray<SessionEvent>): History => events.reduce(apply, empty)

export const apply = (self: History, event: SessionEvent): History => {
  switch (event.type) {
    case "prompted":
      return onPrompt(closed(self), event)
    case "noticed":
      return {
        ...add(self, userMessage(event.notices.map(Note.make))),
        told: new Set([...self.told, ...event.notices])
      }
    case "offered":
      return { ...self, offered: new Map(event.tools.map((tool) => [tool.name, tool])) }
    case "recent":
      return { ...self, recent: event.tools }
    case "answered":
      return onAnswer(closed(self), event)
    case "returned":
      return onReturn(self, event)
    case "noted":
      return { ...self, pending: [...self.pending, event.text] }
    case "compacted":
      return onCompaction(closed(self), event)
    case "cleared":
      return empty
    case "ended": {
      const isCut = event.reason === "cancelled" || event.reason === "error"
      return { ...closed(self), task: undefined, pending: isCut ? [...self.pending, cutNote] : self.pending }
    }
  }
}

const cutNote = "The run before this message was stopped before it was complete."

/** What stands for the result of a call after which nothing more was heard. */
const lost = Tool.failure(
  "harness9 was stopped before this call had its result. Whether it was carried out is not known: look before you call it again."
)

const add = (self: History, ...messages: ReadonlyArray<Prompt.Message>): History => ({
  ...self,
  messages: [...self.messages, ...messages],
  tokens: self.tokens + TokenEstimate.ofMessages(messages)
})

/** What was waiting for the prompt comes first, then what is attached to it. A run that has no end was cut off. */
const onPrompt = (self: History, { attached = [], before = [], prompt }: OfType<"prompted">): History => {
  const pending = self.task === undefined ? self.pending : [...self.pending, cutNote]
  const said = before.map(({ role, text }) =>
    role === "user"
      ? userMessage([text])
      : Prompt.makeMessage("assistant", { content: [Prompt.makePart("text", { text })] })
  )
  const now = add(self, ...said, userMessage([...pending.map(Note.make), ...attached, prompt]))
  return { ...now, pending: [], task: prompt }
}

const onAnswer = (self: History, { parts, tokens }: OfType<"answered">): History => {
  if (parts.length === 0) return self
  const counted = tokens === undefined ? self : { ...self, tokens: Math.max(tokens, self.tokens) }
  return parts.some(({ type }) => type === "tool-call")
    ? { ...counted, open: { parts, results: new Map() } }
    : add(counted, answerMessage(parts))
}

const onReturn = (self: History, { id, isError, media = [], text }: OfType<"returned">): History => {
  if (self.open === undefined) return self
  const results = new Map(self.open.results).set(id, { isError, text, content: media })
  const now = { ...self, open: { ...self.open, results } }
  return callsOf(self.open).every((call) => results.has(call.id)) ? closed(now) : now
}

/** The last answer and the results of its calls, in the order of the calls, and then their images and sounds. */
const closed = (self: History): History => {
  const { open } = self
  if (open === undefined) return self
  const calls = callsOf(open)
  const resultOf = (call: ModelCall) => open.results.get(call.id) ?? lost
  const media = ResultMedia.message(calls, resultOf)
  return add(
    { ...self, open: undefined },
    answerMessage(open.parts),
    Prompt.makeMessage("tool", { content: calls.map((call) => resultPart(call, resultOf(call))) }),
    ...(media === undefined ? [] : [media])
  )
}

const callsOf = ({ parts }: Open): ReadonlyArray<ModelCall> =>
  parts.flatMap((part) => (part.type === "tool-call" ? [part] : []))

const onCompaction = (self: History, { kept, summary, task }: OfType<"compacted">): History => {
  const start = userMessage([Note.make(summary), ...(task === undefined ? [] : [task])])
  const messages = [start, ...self.messages.slice(self.messages.length - kept)]
  return { ...self, messages, tokens: TokenEstimate.ofMessages(messages) }
}

/** Whether a call of the conversation has the id. */
export const hasCall = (self: History, id: string): boolean =>
  self.messages.some(
    (message) =>
      message.role === "assistant" && message.content.some((part) => part.type === "tool-call" && part.id === id)
  )

/**
 * The request to a model that takes these media: system prompt, then the messages. The end of both is marked for Anthropic's
 * prompt cache, so that a turn pays for what is new in it.
 */
export const toPrompt = (self: History, system: string, takes: ReadonlyArray<Medium> = []): Prompt.Prompt => {
  const messages = ResultMedia.fit(self.messages, takes)
  const last = messages.at(-1)
  return Prompt.fromMessages([
    Prompt.makeMessage("system", { content: system, options: cached }),
    ...messages.slice(0, -1),
    ...(last === undefined ? [] : [{ ...last, options: { ...last.options, ...cached } }])
  ])
}

const cached = { anthropic: { cacheControl: { type: "ephemeral" } } } as const

const userMessage = (texts: ReadonlyArray<string>): Prompt.Message =>
  Prompt.makeMessage("user", { content: texts.map((text) => Prompt.makePart("text", { text })) })

const answerMessage = (parts: ReadonlyArray<AnswerPart>): Prompt.Message =>
  Prompt.makeMessage("assistant", { content: parts.map(promptPart) })

const promptPart = (part: AnswerPart): Prompt.AssistantMessagePart => {
  if (part.type !== "tool-call") return Prompt.makePart(part.type, { text: part.text, options: part.options })
  const { arguments: params, id, name, options } = part
  return Prompt.makePart("tool-call", { id, name, params, providerExecuted: false, options })
}

const resultPart = (call: ModelCall, result: Tool.ToolResult): Prompt.ToolResultPart =>
  Prompt.makePart("tool-result", {
    id: call.id,
    name: call.name,
    isFailure: result.isError,
    // Not every API has a mark for a failed call, so the text says it.
    result: result.isError && !/^error\b/i.test(result.text) ? `Error: ${result.text}` : result.text,
    providerExecuted: false
  })
