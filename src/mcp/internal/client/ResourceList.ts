/**
 * Resources as servers tell of them, read by hand: one malformed entry costs that entry.
 */
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import type { Annotations, Resource, ResourceContents, ResourceTemplate } from "../../McpSchema.ts"
import * as Field from "../Field.ts"
import * as Icons from "./Icons.ts"
import { readResourceContents } from "./ToolResult.ts"

/** Reads an entry of `resources/list`; undefined when it cannot be used. */
export const readResource = (entry: JsonObject): Resource | undefined => {
  const { uri } = entry
  if (typeof uri !== "string" || uri === "") return undefined
  return { uri, ...described(entry, uri), size: Field.number(entry.size) }
}

/** Reads an entry of `resources/templates/list`; undefined when it cannot be used. */
export const readTemplate = (entry: JsonObject): ResourceTemplate | undefined => {
  const { uriTemplate } = entry
  if (typeof uriTemplate !== "string" || uriTemplate === "") return undefined
  return { uriTemplate, ...described(entry, uriTemplate) }
}

const described = (entry: JsonObject, address: string) => ({
  name: Field.string(entry.name) ?? address,
  title: Field.string(entry.title),
  description: Field.string(entry.description),
  mimeType: Field.string(entry.mimeType),
  annotations: isObject(entry.annotations) ? readAnnotations(entry.annotations) : undefined,
  icons: Icons.read(entry.icons),
  _meta: Field.object(entry._meta)
})

const readAnnotations = (annotations: JsonObject): Annotations => ({
  audience: Field.strings(annotations.audience)?.filter((role) => role === "user" || role === "assistant"),
  priority: Field.number(annotations.priority),
  lastModified: Field.string(annotations.lastModified)
})

/** Reads the answer to `resources/read`; undefined when it holds no contents at all. */
export const readContents = (result: unknown): ReadonlyArray<ResourceContents> | undefined => {
  if (!isObject(result) || !Array.isArray(result.contents)) return undefined
  return result.contents.flatMap((contents) => readResourceContents(contents) ?? [])
}
