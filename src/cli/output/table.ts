/**
 * Rows of text in columns, measured as a terminal shows them.
 *
 * @since 0.1.0
 */
import stringWidth from "string-width"

const gap = 2

/**
 * The rows as lines, each column as wide as its widest cell. Cells hold no line ends; the last one of a row runs on.
 *
 * @since 0.1.0
 * @category formatting
 */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths: Array<number> = []
  for (const row of rows) {
    row.slice(0, -1).forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, stringWidth(cell))
    })
  }
  const padded = (cell: string, column: number): string =>
    cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)) + gap)
  return rows
    .map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : padded(cell, column))).join(""))
    .map((line) => line.trimEnd())
    .join("\n")
}

/**
 * As much of a text as fits into so many columns, with an ellipsis where something is left out. The text has no colours in it.
 *
 * @since 0.1.0
 * @category formatting
 */
export const shortened = (text: string, columns: number): string => {
  if (text.length <= columns && stringWidth(text) <= columns) return text
  let width = 1
  let kept = ""
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment)
    if (width > columns) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

const graphemes = new Intl.Segmenter()
