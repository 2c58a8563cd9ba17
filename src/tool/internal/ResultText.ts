/**
 * An MCP result as the model reads it: text as it is, and a line in its place for everything that is no text.
 */
import { isObject } from "../../mcp/JsonRpc.ts"
import type { ContentBlock, ToolCallResult } from "../../mcp/McpSchema.ts"
import * as VisibleText from "../../mcp/VisibleText.ts"
import type { ToolResult } from "../Tool.ts"

/** The result for the model: what is usable as text, else the structured content, media as placeholders, in order. */
export const toToolResult = (result: ToolCallResult): ToolResult => {
  const content = result.content.map(usable)
  const lines = content.map(line)
  const hasText = content.some((block) => textOf(block).trim() !== "")
  if (!hasText && result.structuredContent !== undefined && result.structuredContent !== null) {
    const json = structured(result.structuredContent, content)
    if (json !== undefined) lines.push(json)
  }
  const text = lines.join("\n")
  return {
    isError: result.isError,
    text: text.trim() !== "" ? text : result.isError ? "The tool failed and did not say why." : "(no output)",
    content,
    ...(result.structuredContent === undefined ? undefined : { structuredContent: result.structuredContent }),
    ...(result.warnings === undefined ? undefined : { warnings: result.warnings })
  }
}

/** A block whose bytes are no base64 would make a model's API refuse the request: it is kept as an unknown one. */
const usable = (block: ContentBlock): ContentBlock => {
  if (block.type !== "image" && block.type !== "audio") return block
  const data = /\s/.test(block.data) ? block.data.replace(/\s+/g, "") : block.data
  return isBase64(data) ? { ...block, data } : { type: "unknown", block }
}

const textOf = (block: ContentBlock): string =>
  block.type === "text" ? block.text : block.type === "resource" ? (block.resource.text ?? "") : ""

const line = (block: ContentBlock): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "image":
    case "audio":
      return `[${block.type} ${label(block.mimeType)}, ${bytes(block.data)}]`
    case "resource": {
      const { blob, mimeType, text, uri } = block.resource
      if (text !== undefined) return text
      const size = blob === undefined ? "empty" : isBase64(blob) ? bytes(blob) : "not readable"
      return `[resource ${label(uri)}${mimeType === undefined ? "" : ` ${label(mimeType)}`}, ${size}]`
    }
    case "resource_link": {
      const facts = [block.mimeType, block.size === undefined ? undefined : `${block.size} bytes`].filter(Boolean)
      const kind = facts.length === 0 ? "" : ` (${label(facts.join(", "))})`
      const about = block.description === undefined ? "" : `: ${label(block.description)}`
      return `[resource link ${label(block.title ?? block.name)} ${label(block.uri)}${kind}${about}]`
    }
    case "unknown":
      return unknownLine(block.block)
  }
}

const unknownLine = (block: unknown): string => {
  if (!isObject(block) || typeof block.type !== "string") return "[block of no known type]"
  if (block.type !== "image" && block.type !== "audio") return `[${label(block.type)}]`
  const mimeType = typeof block.mimeType === "string" ? ` ${label(block.mimeType)}` : ""
  return `[${block.type}${mimeType}, not readable]`
}

/** The structured content as JSON, without the bytes of media; nothing when it only repeats a block of the content. */
const structured = (value: unknown, content: ReadonlyArray<ContentBlock>): string | undefined => {
  const media = new Set(
    content.flatMap((block) => (block.type === "image" || block.type === "audio" ? [block.data] : []))
  )
  let mirrors = false
  const json = JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== "string") return item
    if (media.has(item)) mirrors = true
    const data = item.length > 2000 ? item.replace(/^data:[^,]{0,200};base64,/, "") : ""
    return data !== "" && isBase64(data) ? `[${bytes(data)} in base64]` : item
  })
  return mirrors ? undefined : json
}

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]*={0,2}$/.test(text)

const bytes = (base64: string): string => {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0
  return `${Math.floor(((base64.length - padding) * 3) / 4)} bytes`
}

/** Foreign words in a line of ours: one line, bounded. */
const label = (text: string): string => {
  const shown = VisibleText.oneLine(text)
  return shown.length > 300 ? `${shown.slice(0, 300)}…` : shown
}
