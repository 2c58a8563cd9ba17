/**
 * Models fill optional arguments with `null`, which servers refuse. A `null` that the schema does not allow, at a place that
 * is not required, is left out before the call.
 */
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import { follow } from "./JsonPointer.ts"

const maxDepth = 32

/** The arguments without such nulls; the same object when there are none. */
export const drop = (document: JsonObject, args: JsonObject): JsonObject =>
  holdsNull(args, 0) ? (dropFrom(document, document, args, 0) as JsonObject) : args

/** How many schemas are looked at for one null: combinators whose references lead on multiply with each level. */
const maxSchemas = 1000

/** Most arguments do not: then there is nothing to look up. */
const holdsNull = (value: unknown, depth: number): boolean => {
  if (typeof value !== "object" || value === null) return value === null
  return depth <= maxDepth && Object.values(value).some((item) => holdsNull(item, depth + 1))
}

const dropFrom = (document: JsonObject, schema: unknown, value: unknown, depth: number): unknown => {
  if (typeof value !== "object" || value === null || depth > maxDepth) return value
  const target = follow(document, schema)
  if (!isObject(target)) return value
  if (Array.isArray(value))
    return sameOr(
      value,
      value.map((item) => dropFrom(document, target.items, item, depth + 1))
    )
  const properties = isObject(target.properties) ? target.properties : {}
  const required = Array.isArray(target.required) ? target.required : []
  let changed = false
  const kept = Object.entries(value).flatMap(([key, item]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (
      item === null &&
      property !== undefined &&
      !required.includes(key) &&
      !allowsNull(document, property, { left: maxSchemas }, 0)
    ) {
      changed = true
      return []
    }
    const cleaned = property === undefined ? item : dropFrom(document, property, item, depth + 1)
    if (cleaned !== item) changed = true
    return [[key, cleaned] as const]
  })
  return changed ? Object.fromEntries(kept) : value
}

const sameOr = (before: ReadonlyArray<unknown>, after: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  after.every((item, index) => item === before[index]) ? before : after

/** Whether the schema allows `null`, as far as types and values say; in doubt it does. */
const allowsNull = (document: JsonObject, schema: unknown, budget: { left: number }, depth: number): boolean => {
  const target = follow(document, schema)
  if (!isObject(target) || depth > 8 || budget.left-- <= 0) return target !== false
  if (target.nullable === true) return true
  if (target.type !== undefined && ![target.type].flat().includes("null")) return false
  if (Array.isArray(target.enum) && !target.enum.includes(null)) return false
  if ("const" in target && target.const !== null) return false
  return [target.anyOf, target.oneOf].every(
    (branches) => !Array.isArray(branches) || branches.some((branch) => allowsNull(document, branch, budget, depth + 1))
  )
}
