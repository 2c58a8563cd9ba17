/**
 * JSON in one form only: what is the same has the same text, and so the same digest, whatever the order of its keys.
 */
import { createHash } from "node:crypto"
import { isObject } from "../JsonRpc.ts"

/** The text, with the keys of every object in the order of their code units. What JSON does not know is left out. */
export const stringify = (value: unknown): string => JSON.stringify(sorted(value)) ?? "null"

/** SHA-256 of that text, with the name of the function before it. */
export const digest = (value: unknown): string =>
  `sha256:${createHash("sha256").update(stringify(value)).digest("hex")}`

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, item]) => [key, sorted(item)])
  )
}
