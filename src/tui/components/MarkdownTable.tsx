/**
 * A table, its columns as wide as what they hold and no wider than the screen.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import type { Tokens } from "marked"
import stringWidth from "string-width"
import { Inline } from "./MarkdownInline.tsx"

const gap = 2

/**
 * @since 0.1.0
 * @category components
 */
export const Table = ({ table, width }: { readonly table: Tokens.Table; readonly width: number }) => {
  const widths = columnWidths(
    [table.header, ...table.rows].map((row) => row.map(({ text }) => stringWidth(text))),
    width
  )
  return (
    <Box flexDirection="column">
      <Row cells={table.header} widths={widths} bold />
      <Text dimColor>{widths.map((column) => "─".repeat(column)).join("  ")}</Text>
      {table.rows.map((cells, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table have no identity but their place
        <Row key={index} cells={cells} widths={widths} />
      ))}
    </Box>
  )
}

interface RowProps {
  readonly cells: ReadonlyArray<Tokens.TableCell>
  readonly widths: ReadonlyArray<number>
  readonly bold?: boolean
}

const Row = ({ bold = false, cells, widths }: RowProps) => (
  <Box columnGap={gap}>
    {cells.map((cell, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: cells of a row have no identity but their place
      <Box key={index} width={widths[index] ?? 1} flexShrink={0} justifyContent={alignment[cell.align ?? "left"]}>
        <Text bold={bold}>
          <Inline tokens={cell.tokens} />
        </Text>
      </Box>
    ))}
  </Box>
)

const alignment = { left: "flex-start", center: "center", right: "flex-end" } as const

/**
 * The widths of the columns: each as wide as its widest cell; when that is too much, the widest ones give way.
 *
 * @since 0.1.0
 * @category formatting
 */
export const columnWidths = (cells: ReadonlyArray<ReadonlyArray<number>>, width: number): ReadonlyArray<number> => {
  const count = Math.max(...cells.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, column) => Math.max(3, ...cells.map((row) => row[column] ?? 0)))
  const room = Math.max(count * 3, width - gap * (count - 1))
  let excess = widths.reduce((sum, column) => sum + column, 0) - room
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths))
    const next = Math.max(3, ...widths.filter((_, column) => column !== widest))
    const cut = Math.max(1, Math.min(excess, (widths[widest] ?? 0) - next))
    widths[widest] = (widths[widest] ?? 0) - cut
    excess -= cut
  }
  return widths
}
