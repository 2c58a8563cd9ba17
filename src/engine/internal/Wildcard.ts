/**
 * Texts against patterns with `*`, `**` and `**` with a slash, in time that grows with the length of both: the text is written by a model, and
 * a pattern that backtracks could be made to take for ever.
 */

/** What a wildcard may stand for: which characters, and which of them as its first. */
export interface Span {
  readonly allows: (text: string, index: number) => boolean
  readonly begins?: (text: string, index: number) => boolean
}

/** What one star, two stars, and two stars with a slash stand for. */
export interface Wildcards {
  readonly one: Span
  readonly many: Span
  /** Ends in the slash, or stands for nothing. */
  readonly folders: Span
}

/** Whether the whole text fits. A backslash makes the next character of the pattern literal. */
export const matches = (pattern: string, text: string, wildcards: Wildcards): boolean => {
  let reached = new Uint8Array(text.length + 1)
  reached[0] = 1
  for (const [token, escaped] of pattern.matchAll(/\\([\s\S])|\*\*\/|\*+|[^\\*]+|\\$/g)) {
    if (escaped !== undefined) reached = over(escaped, text, reached)
    else if (token === "**/") reached = either(reached, afterSlash(text, across(wildcards.folders, text, reached)))
    else if (token.startsWith("*")) reached = across(token === "*" ? wildcards.one : wildcards.many, text, reached)
    else reached = over(token, text, reached)
  }
  return reached[text.length] === 1
}

/** From each place that was reached, over this text. */
const over = (literal: string, text: string, from: Uint8Array): Uint8Array<ArrayBuffer> => {
  const to = new Uint8Array(from.length)
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + 1)) {
    if (from[at] === 1) to[at + literal.length] = 1
  }
  return to
}

/** From each place that was reached, over any number of characters that the wildcard stands for. */
const across = ({ allows, begins }: Span, text: string, from: Uint8Array): Uint8Array<ArrayBuffer> => {
  const to = Uint8Array.from(from)
  let running = false
  for (let index = 0; index < text.length; index += 1) {
    const starts = from[index] === 1 && (begins === undefined || begins(text, index))
    running = (running || starts) && allows(text, index)
    if (running) to[index + 1] = 1
  }
  return to
}

const afterSlash = (text: string, reached: Uint8Array): Uint8Array =>
  reached.map((value, index) => (text.charAt(index - 1) === "/" ? value : 0))

const either = (one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(one, (value, index) => value | (other[index] ?? 0))
