/**
 * The images and sounds of tool results as a model is given them: in a message after the results, since not every API takes them
 * within one. Where the model cannot be given one, a note in its place says which, and why: one bad image would have every further
 * request of the conversation refused.
 */
import * as Prompt from "@effect/ai/Prompt"
import type { ContentBlock } from "../../mcp/McpSchema.ts"
import type { ToolResult } from "../../tool/Tool.ts"
import type { Medium } from "../model/ModelInfo.ts"
import type { ModelCall } from "./Answer.ts"
import * as ImageHeader from "./ImageHeader.ts"
import * as Note from "./Note.ts"

/** What the strictest API takes of one image, encoded: 5 MB. */
const longestData = 5_000_000
/** The greatest width or height that every API takes. */
const greatestSide = 8000
/** How many a request holds; with more of them, large ones are refused. The newest count most. */
const most = 20

/** The media of a turn's results, in the order of the calls; undefined when there are none. */
export const message = (
  calls: ReadonlyArray<ModelCall>,
  resultOf: (call: ModelCall) => ToolResult
): Prompt.UserMessage | undefined => {
  const content = calls.flatMap((call) => {
    const parts = resultOf(call).content.flatMap((block) =>
      block.type === "image" || block.type === "audio" ? [partOf(block)] : []
    )
    return parts.length === 0 ? [] : [textPart(Note.make(`From the result of ${call.name}:`)), ...parts]
  })
  return content.length === 0 ? undefined : Prompt.makeMessage("user", { content })
}

/** The messages for a model that takes these media. */
export const fit = (
  messages: ReadonlyArray<Prompt.Message>,
  takes: ReadonlyArray<Medium>
): ReadonlyArray<Prompt.Message> => {
  let left = most
  const fitPart = (part: Prompt.UserMessagePart): Prompt.UserMessagePart => {
    if (part.type !== "file") return part
    const medium: Medium = part.mediaType.startsWith("image/") ? "image" : "audio"
    if (!takes.includes(medium)) return leftOut(part.mediaType, `this model takes no ${plural[medium]}`)
    left -= 1
    return left >= 0 ? part : leftOut(part.mediaType, "newer ones have taken its place")
  }
  // From the end, so that the newest are kept.
  return messages
    .toReversed()
    .map((message) =>
      message.role === "user" && message.content.some(({ type }) => type === "file")
        ? { ...message, content: message.content.toReversed().map(fitPart).reverse() }
        : message
    )
    .reverse()
}

const plural = { image: "images", audio: "sounds" } as const

type MediaBlock = Extract<ContentBlock, { readonly type: "image" | "audio" }>

const partOf = (block: MediaBlock): Prompt.UserMessagePart => {
  const { data, mimeType } = block
  if (data.length > longestData) return leftOut(mimeType, "it is larger than 5 MB")
  const bytes = Buffer.from(data, "base64")
  if (block.type === "audio") {
    return sounds.test(mimeType)
      ? Prompt.makePart("file", { mediaType: mimeType, data: bytes })
      : leftOut(mimeType, "it is neither WAV nor MP3")
  }
  const header = ImageHeader.read(bytes)
  if (header === undefined) return leftOut(mimeType, "it is no PNG, JPEG, GIF or WebP image")
  const { height, mediaType, width } = header
  return Math.max(width, height) > greatestSide
    ? leftOut(mediaType, `its ${width} × ${height} pixels are too many`)
    : Prompt.makePart("file", { mediaType, data: bytes })
}

const sounds = /^audio\/(?:x-)?(?:wave?|mpeg|mp3)$/i

const leftOut = (mediaType: string, why: string): Prompt.TextPart =>
  textPart(Note.make(`${/^[\w./+-]{1,100}$/.test(mediaType) ? mediaType : "Media"} left out: ${why}.`))

const textPart = (text: string): Prompt.TextPart => Prompt.makePart("text", { text })
