/**
 * Local references of a JSON Schema: `#`, `#/$defs/Node`, `#/properties/a`. Nothing is ever fetched.
 */
import * as Option from "effect/Option"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"

/** What a local reference points to; `undefined` when it is not local, or points nowhere. */
export const resolve = (document: JsonObject, ref: string): unknown => {
  if (ref === "#" || ref === "#/") return document
  if (!ref.startsWith("#/")) return undefined
  let target: unknown = document
  for (const segment of ref.slice(2).split("/")) {
    const key = unescape(segment)
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined
    target = (target as JsonObject)[key]
  }
  return target
}

/** The schema behind any chain of local references; `undefined` when it goes round in a circle or leads nowhere. */
export const follow = (document: JsonObject, schema: unknown): JsonObject | boolean | undefined => {
  let target = schema
  for (let hops = 0; hops < 16; hops++) {
    if (typeof target === "boolean") return target
    if (!isObject(target)) return undefined
    if (typeof target.$ref !== "string") return target
    target = resolve(document, target.$ref)
  }
  return undefined
}

/** The last segment of a reference. */
export const lastSegment = (ref: string): string => unescape(ref.slice(ref.lastIndexOf("/") + 1))

const unescape = (segment: string): string => {
  const plain = segment.replaceAll("~1", "/").replaceAll("~0", "~")
  return Option.getOrElse(decodePercent(plain), () => plain)
}

const decodePercent = Option.liftThrowable(decodeURIComponent)
