/** About how much of a model's context a text takes: what a provider counts is known only afterwards, and not from each of them. */
import type * as Prompt from "@effect/ai/Prompt"

const charactersPerToken = 4

/** What the APIs count for an image of usual size. */
const tokensPerFile = 1_500

export const ofText = (text: string): number => Math.ceil(text.length / charactersPerToken)

export const ofMessages = (messages: ReadonlyArray<Prompt.Message>): number =>
  messages.reduce((sum, message) => sum + ofMessage(message), 0)

const ofMessage = (message: Prompt.Message): number =>
  message.role === "system" ? ofText(message.content) : message.content.reduce((sum, part) => sum + ofPart(part), 0)

const ofPart = (part: Prompt.Part): number => {
  switch (part.type) {
    case "text":
    case "reasoning":
      return ofText(part.text)
    case "file":
      return tokensPerFile
    case "tool-call":
      return ofText(part.name) + ofText(JSON.stringify(part.params))
    case "tool-result":
      return ofText(part.name) + ofText(String(part.result))
  }
}
