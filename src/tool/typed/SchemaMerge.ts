/**
 * Two JSON Schemas that hold at once as one, where that can be written down.
 */
import * as CanonicalJson from "../../mcp/internal/CanonicalJson.ts"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"

/** `undefined` when no single schema says the same. */
export const merge = (a: JsonObject, b: JsonObject): JsonObject | undefined => {
  const merged: Record<string, unknown> = { ...a, ...b }
  for (const key of Object.keys(b)) {
    if (!Object.hasOwn(a, key) || isSame(a[key], b[key]) || isRemark(key)) continue
    const value = mergers[key]?.(a[key], b[key])
    if (value === undefined) return undefined
    merged[key] = value
  }
  return merged
}

const isSame = (a: unknown, b: unknown): boolean => CanonicalJson.stringify(a) === CanonicalJson.stringify(b)

/** What says nothing about the type. */
const isRemark = (key: string): boolean => !shaping.has(key)

const shaping = new Set(
  "type properties required additionalProperties patternProperties items prefixItems additionalItems enum const anyOf oneOf allOf $ref nullable".split(
    " "
  )
)

/** Whether a schema says anything about the type. */
export const isShaping = (schema: JsonObject): boolean => Object.keys(schema).some((key) => shaping.has(key))

const both = (a: unknown, b: unknown): ReadonlyArray<unknown> | undefined => {
  const listed = [b].flat()
  const common = [a].flat().filter((one) => listed.some((other) => isSame(one, other)))
  return common.length === 0 ? undefined : common
}

const mergers: Readonly<Record<string, (a: unknown, b: unknown) => unknown>> = {
  type: (a, b) => {
    const common = both(a, b)
    return common?.length === 1 ? common[0] : common
  },
  enum: both,
  required: (a, b) => (Array.isArray(a) && Array.isArray(b) ? [...new Set([...a, ...b])] : undefined),
  properties: (a, b) => (isObject(a) && isObject(b) ? mergeProperties(a, b) : undefined),
  additionalProperties: (a, b) => (a === false || b === false ? false : a === true ? b : b === true ? a : undefined)
}

const mergeProperties = (a: JsonObject, b: JsonObject): JsonObject =>
  Object.fromEntries([
    ...Object.entries(a).map(([key, schema]) => [
      key,
      !Object.hasOwn(b, key) || isSame(schema, b[key]) ? schema : { allOf: [schema, b[key]] }
    ]),
    ...Object.entries(b).filter(([key]) => !Object.hasOwn(a, key))
  ])
