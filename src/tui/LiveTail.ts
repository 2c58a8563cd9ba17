/**
 * The end of an answer that is still being written, as much of it as there is room for: what is drawn anew with each frame
 * must never be taller than the screen.
 *
 * @since 0.1.0
 */
import * as Width from "./Width.ts"

/** Breaking between words takes more rows than the width of a text says. */
const waste = 0.85

/**
 * The last lines of Markdown that take no more rows than given. Cut inside a fenced block, its opening line takes the
 * place of the first one, so that the rest is still shown as code.
 *
 * @since 0.1.0
 * @category formatting
 */
export const cut = (text: string, rows: number, width: number): string => {
  const lines = text.split("\n")
  let room = rows
  let first = lines.length
  while (first > 0) {
    const needed = Math.max(1, Math.ceil(Width.of(lines[first - 1] ?? "") / Math.max(1, width * waste)))
    if (needed > room) break
    room -= needed
    first -= 1
  }
  if (first === lines.length) return Width.endOf(lines.at(-1) ?? "", Math.floor(rows * width * waste))
  if (first === 0) return text
  const fence = openFence(lines.slice(0, first))
  const tail = lines.slice(first)
  return (fence === undefined || tail.length < 2 ? tail : [fence, ...tail.slice(1)]).join("\n")
}

const openFence = (lines: ReadonlyArray<string>): string | undefined =>
  lines.reduce<string | undefined>((open, line) => {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (marks === undefined) return open
    if (open === undefined) return line
    return marks.startsWith(/^\s*(`{3,}|~{3,})/.exec(open)?.[1] ?? marks) ? undefined : open
  }, undefined)
