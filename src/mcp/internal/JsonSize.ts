/**
 * How large a JSON value is, near enough, without making its text.
 */
import { isObject } from "../JsonRpc.ts"

/** The characters of its JSON text, or any number over the limit once it is over it. */
export const upTo = (value: unknown, limit: number): number => {
  let size = 0
  const rest: Array<unknown> = [value]
  while (rest.length > 0 && size <= limit) {
    const next = rest.pop()
    if (typeof next === "string") size += next.length + 2
    else if (Array.isArray(next)) {
      size += 2 + next.length
      for (const item of next) rest.push(item)
    } else if (isObject(next)) {
      size += 2
      for (const [key, item] of Object.entries(next)) {
        size += key.length + 4
        rest.push(item)
      }
    } else size += 4
  }
  return size
}
