/**
 * The result of a tool call, read by hand: this is the hot path, and no shape of a result may throw.
 */
import { isObject } from "../../JsonRpc.ts"
import type { ContentBlock, ResourceContents, ToolCallResult } from "../../McpSchema.ts"
import * as Field from "../Field.ts"

/** Reads a result. Total: a block that cannot be used is kept as `unknown`. */
export const read = (result: unknown): ToolCallResult => {
  if (!isObject(result))
    return { isError: false, text: "", content: [], raw: [], structuredContent: result ?? undefined }
  const raw = rawBlocks(result.content)
  const content = raw.map(readBlock)
  return {
    isError: result.isError === true,
    text: joinText(content),
    content,
    raw,
    // `toolResult` is what servers older than the first published revision answer.
    structuredContent: result.structuredContent ?? result.toolResult ?? undefined,
    _meta: Field.object(result._meta)
  }
}

/** A bare string stands for one text block: some servers answer so. */
const rawBlocks = (content: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(content)) return content
  return typeof content === "string" ? [{ type: "text", text: content }] : []
}

const joinText = (content: ReadonlyArray<ContentBlock>): string => {
  const first = content[0]
  if (content.length === 1 && first?.type === "text") return first.text
  const texts: Array<string> = []
  for (const block of content) if (block.type === "text") texts.push(block.text)
  return texts.join("\n")
}

/** Reads one content block. Total. */
export const readBlock = (block: unknown): ContentBlock => {
  if (!isObject(block)) return { type: "unknown", block }
  switch (block.type) {
    case "text":
      return typeof block.text === "string"
        ? annotated({ type: "text", text: block.text }, block)
        : { type: "unknown", block }
    case "image":
    case "audio":
      return typeof block.data === "string"
        ? annotated({ type: block.type, data: block.data, mimeType: Field.string(block.mimeType) ?? anyBytes }, block)
        : { type: "unknown", block }
    case "resource": {
      const resource = readResourceContents(block.resource)
      return resource === undefined ? { type: "unknown", block } : annotated({ type: "resource", resource }, block)
    }
    case "resource_link":
      return typeof block.uri === "string"
        ? annotated(resourceLink(block.uri, block), block)
        : { type: "unknown", block }
    default:
      return { type: "unknown", block }
  }
}

/** Reads the contents of a resource; undefined when they name no resource. */
export const readResourceContents = (value: unknown): ResourceContents | undefined => {
  if (!isObject(value) || typeof value.uri !== "string") return undefined
  return {
    uri: value.uri,
    mimeType: Field.string(value.mimeType),
    text: Field.string(value.text),
    blob: Field.string(value.blob),
    _meta: Field.object(value._meta)
  }
}

type Block<Type extends ContentBlock["type"]> = Extract<ContentBlock, { readonly type: Type }>

const anyBytes = "application/octet-stream"

const resourceLink = (uri: string, block: Fields): Block<"resource_link"> => ({
  type: "resource_link",
  uri,
  name: Field.string(block.name) ?? uri,
  ...(typeof block.title === "string" ? { title: block.title } : undefined),
  ...(typeof block.description === "string" ? { description: block.description } : undefined),
  ...(typeof block.mimeType === "string" ? { mimeType: block.mimeType } : undefined),
  ...(typeof block.size === "number" ? { size: block.size } : undefined)
})

type Fields = { readonly [key: string]: unknown }

const annotated = (read: ContentBlock, { _meta, annotations }: Fields): ContentBlock =>
  isObject(annotations) || isObject(_meta)
    ? {
        ...read,
        ...(isObject(annotations) ? { annotations } : undefined),
        ...(isObject(_meta) ? { _meta } : undefined)
      }
    : read
