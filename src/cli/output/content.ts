/**
 * The result of a tool call for people: texts as they are, other blocks named.
 *
 * @since 0.1.0
 */
import type { ContentBlock, ResourceContents } from "../../mcp/McpSchema.ts"
import { oneLine, visible } from "../../mcp/VisibleText.ts"
import { prettyJson } from "./json.ts"

/**
 * What a call gave, as lines. A structured result stands for itself when no text says the same.
 *
 * @since 0.1.0
 * @category formatting
 */
export const lines = (content: ReadonlyArray<ContentBlock>, structured: unknown): string => {
  const hasText = content.some(({ type }) => type === "text")
  return [...content.map(block), ...(structured === undefined || hasText ? [] : [prettyJson(structured)])].join("\n")
}

/**
 * The contents of a resource, as lines: texts as they are, bytes by their type and size.
 *
 * @since 0.1.0
 * @category formatting
 */
export const ofResource = (contents: ReadonlyArray<ResourceContents>): string =>
  contents.length === 1 && contents[0]?.text !== undefined
    ? visible(contents[0].text, { newlines: true })
    : contents.map(resource).join("\n")

const block = (content: ContentBlock): string => {
  switch (content.type) {
    case "text":
      return visible(content.text, { newlines: true })
    case "image":
    case "audio":
      return `[${content.type} ${oneLine(content.mimeType)}, ${size(content.data)}]`
    case "resource":
      return resource(content.resource)
    case "resource_link":
      return `[resource ${oneLine(content.uri)}]`
    case "unknown":
      return prettyJson(content.block)
  }
}

const resource = ({ blob, mimeType, text, uri }: ResourceContents): string =>
  text === undefined
    ? `[resource ${oneLine([uri, mimeType ?? ""].join(" "))}, ${size(blob ?? "")}]`
    : `[resource ${oneLine(uri)}]\n${visible(text, { newlines: true })}`

/** The size of what a base64 text holds. */
const size = (base64: string): string => {
  const bytes = Math.floor((base64.replace(/=+$/, "").length * 3) / 4)
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`
}
