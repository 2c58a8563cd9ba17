/** A conversation as the model is sent it, and its changes. Every state is one that a model's API takes: each call has its result. */
import * as Prompt from "@effect/ai/Prompt"
import type { ToolResult } from "../../tool/Tool.ts"
import type { ToolSet } from "../../tool/ToolRegistry.ts"
import type { Medium } from "../model/ModelInfo.ts"
import type { ModelCall } from "./Answer.ts"
import * as Note from "./Note.ts"
import * as ResultMedia from "./ResultMedia.ts"

export interface History {
  readonly messages: ReadonlyArray<Prompt.Message>
  /** What the model is told with the next prompt. */
  readonly pending: ReadonlyArray<string>
  /** Notices that the model has been told. */
  readonly told: ReadonlySet<string>
  /** The tools of the last turn. */
  readonly offered: ToolSet | undefined
}

export const empty: History = { messages: [], pending: [], told: new Set(), offered: undefined }

export const addPending =
  (text: string) =>
  (self: History): History => ({ ...self, pending: [...self.pending, text] })

/** The person's next prompt, after what was waiting for it, what is attached to it, and what was said beforehand. */
export const addPrompt =
  (
    prompt: string,
    attached: ReadonlyArray<string> = [],
    before: ReadonlyArray<{ readonly role: "user" | "assistant"; readonly text: string }> = []
  ) =>
  (self: History): History => ({
    ...self,
    messages: [
      ...self.messages,
      ...before.map(({ role, text }) =>
        role === "user"
          ? userMessage([text])
          : Prompt.makeMessage("assistant", { content: [Prompt.makePart("text", { text })] })
      ),
      userMessage([...self.pending.map(Note.make), ...attached, prompt])
    ],
    pending: []
  })

/** Tells the model something at the start of a turn, and remembers that it was told. */
export const addNotices =
  (notices: ReadonlyArray<string>) =>
  (self: History): History =>
    notices.length === 0
      ? self
      : {
          ...self,
          messages: [...self.messages, userMessage(notices.map(Note.make))],
          told: new Set([...self.told, ...notices])
        }

export const addAnswer =
  (parts: ReadonlyArray<Prompt.AssistantMessagePart>) =>
  (self: History): History =>
    parts.length === 0
      ? self
      : { ...self, messages: [...self.messages, Prompt.makeMessage("assistant", { content: parts })] }

/** The results of a turn's calls, in the order of the calls, and then their images and sounds. */
export const addResults =
  (calls: ReadonlyArray<ModelCall>, resultOf: (call: ModelCall) => ToolResult) =>
  (self: History): History => {
    const media = ResultMedia.message(calls, resultOf)
    return {
      ...self,
      messages: [
        ...self.messages,
        Prompt.makeMessage("tool", { content: calls.map((call) => resultPart(call, resultOf(call))) }),
        ...(media === undefined ? [] : [media])
      ]
    }
  }

export const setOffered =
  (offered: ToolSet) =>
  (self: History): History => ({ ...self, offered })

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

const resultPart = (call: ModelCall, result: ToolResult): Prompt.ToolResultPart =>
  Prompt.makePart("tool-result", {
    id: call.id,
    name: call.name,
    isFailure: result.isError,
    // Not every API has a mark for a failed call, so the text says it.
    result: result.isError && !/^error\b/i.test(result.text) ? `Error: ${result.text}` : result.text,
    providerExecuted: false
  })
