/**
 * How deep JSON may be nested. Everything that looks into a value calls itself for each level, down to the language's own
 * `JSON.stringify`, and some thousand levels are more than it can: one message would bring the program down.
 */

/** More than any schema or result needs. */
export const maxLevels = 200

/** Whether a JSON text is nested deeper than that. Looks at no string, and at no text that is too short for it. */
export const isTooDeep = (json: string): boolean => {
  if (json.length <= 2 * maxLevels) return false
  let level = 0
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = endOfString(json, at)
        break
      case openBrace:
      case openBracket:
        level += 1
        if (level > maxLevels) return true
        break
      case closeBrace:
      case closeBracket:
        level -= 1
    }
  }
  return false
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

const endOfString = (json: string, start: number): number => {
  let end = json.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end === -1 ? json.length : end
}

const isEscaped = (json: string, at: number): boolean => {
  let backslashes = 0
  while (json.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1
  return backslashes % 2 === 1
}
