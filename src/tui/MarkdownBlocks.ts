/**
 * Where Markdown that is still being written can be cut: what stands before will not change any more.
 *
 * @since 0.1.0
 */

/**
 * The blocks that are complete, and what may still grow.
 *
 * @since 0.1.0
 * @category models
 */
export interface Blocks {
  readonly stable: string
  readonly rest: string
}

/**
 * Cuts at the last blank line that stands outside of a fenced block and is followed by the beginning of a new block: what is
 * indented belongs to the list item before it, and the items of one list stay together.
 *
 * @since 0.1.0
 * @category parsing
 */
export const split = (text: string): Blocks => {
  let cut = 0
  let offset = 0
  let fence: string | undefined
  let list = false
  let blank = false
  for (const line of text.split("\n")) {
    const isLast = offset + line.length >= text.length
    const marks = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(line)
    const begins = fence === undefined && blank && /^\S/.test(line) && !(isLast && couldBecomeItem(line))
    if (begins && !(list && item)) cut = offset
    if (fence === undefined) {
      if (marks !== null) fence = marks[1]
      if (line.trim() !== "") list = item || (list && (!blank || /^\s/.test(line)))
    } else if (marks?.[1]?.startsWith(fence) && marks[2]?.trim() === "") fence = undefined
    blank = line.trim() === ""
    offset += line.length + 1
  }
  return { stable: text.slice(0, cut), rest: text.slice(cut) }
}

/** The last line may be the beginning of a list item whose mark is not whole yet. */
const couldBecomeItem = (line: string): boolean => /^(?:[-*+]|\d{1,9}[.)]?)$/.test(line)
