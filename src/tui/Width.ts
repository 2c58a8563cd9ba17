/**
 * Texts by the columns that they take on a terminal, which is not how many characters they have: East Asian letters and emoji
 * take two each, combining marks none.
 *
 * @since 0.1.0
 */
import stringWidth from "string-width"

/**
 * The columns of a text.
 *
 * @since 0.1.0
 * @category getters
 */
export const of: (text: string) => number = stringWidth

/**
 * The text with blanks behind it, up to a width.
 *
 * @since 0.1.0
 * @category formatting
 */
export const padEnd = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - of(text)))

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/**
 * As much of the end of a text as is no wider than this.
 *
 * @since 0.1.0
 * @category formatting
 */
export const endOf = (text: string, width: number): string => {
  // No grapheme that is in use is longer than this, and the text may be of any length.
  const pieces = Array.from(graphemes.segment(text.slice(-Math.max(1, width) * 16)), ({ segment }) => segment)
  let room = width
  let first = pieces.length
  while (first > 0) {
    room -= of(pieces[first - 1] ?? "")
    if (room < 0) break
    first -= 1
  }
  return pieces.slice(first).join("")
}
