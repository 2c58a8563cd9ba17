/** A conversation in the messages of the chat completions API. */
import type * as Prompt from "@effect/ai/Prompt"
import * as Encoding from "effect/Encoding"
import type { JsonObject } from "../../mcp/JsonRpc.ts"

/** Messages of one role that follow each other become one: many models' templates want roles in turn. */
export const fromPrompt = (prompt: Prompt.Prompt): ReadonlyArray<JsonObject> => {
  const messages: Array<JsonObject> = []
  for (const message of prompt.content.flatMap(toMessages)) {
    const last = messages.at(-1)
    if (message.role === "user" && last?.role === "user") {
      messages[messages.length - 1] = { role: "user", content: joined(last.content, message.content) }
    } else messages.push(message)
  }
  return messages
}

const toMessages = (message: Prompt.Message): ReadonlyArray<JsonObject> => {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }]
    case "user":
      return [{ role: "user", content: userContent(message.content) }]
    case "assistant":
      return [assistant(message.content)]
    case "tool":
      return message.content.map(({ id, result }) => ({
        role: "tool",
        tool_call_id: id,
        content: typeof result === "string" ? result : JSON.stringify(result)
      }))
  }
}

/** Plain text where there is nothing else: not every server reads parts. */
const userContent = (parts: Prompt.UserMessage["content"]): unknown => {
  if (parts.every((part) => part.type === "text")) return parts.map((part) => part.text).join("\n\n")
  return parts.map((part) => (part.type === "text" ? { type: "text", text: part.text } : filePart(part)))
}

const filePart = ({ data, mediaType }: Prompt.FilePart): JsonObject => {
  if (data instanceof URL) return { type: "image_url", image_url: { url: data.href } }
  const base64 = typeof data === "string" ? data : Encoding.encodeBase64(data)
  if (!mediaType.startsWith("audio/")) {
    return { type: "image_url", image_url: { url: `data:${mediaType};base64,${base64}` } }
  }
  return { type: "input_audio", input_audio: { data: base64, format: /wav/i.test(mediaType) ? "wav" : "mp3" } }
}

const joined = (left: unknown, right: unknown): unknown =>
  typeof left === "string" && typeof right === "string" ? `${left}\n\n${right}` : [...toParts(left), ...toParts(right)]

const toParts = (content: unknown): ReadonlyArray<unknown> =>
  Array.isArray(content) ? content : [{ type: "text", text: content }]

const assistant = (parts: Prompt.AssistantMessage["content"]): JsonObject => {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
  const calls = parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{ id: part.id, type: "function", function: { name: part.name, arguments: JSON.stringify(part.params) } }]
      : []
  )
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls })
  }
}
