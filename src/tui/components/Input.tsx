/**
 * The input: the text being edited between two rules, with the terminal's own cursor in it.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import * as TextBuffer from "../TextBuffer.ts"
import { useCursor } from "./CursorContext.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface InputProps {
  readonly buffer: TextBuffer.TextBuffer
  /** How wide the text may be. */
  readonly width: number
  /** How many rows of it are shown. */
  readonly height: number
  readonly placeholder: string
  /** How many rows of the screen follow. */
  readonly below: number
  readonly plain: boolean
}

/**
 * @since 0.1.0
 * @category components
 */
export const Input = ({ below, buffer, height, placeholder, plain, width }: InputProps) => {
  const layout = TextBuffer.layout(buffer, width)
  const first = Math.max(0, Math.min(layout.row - height + 1, layout.rows.length - height))
  const rows = layout.rows.slice(first, first + height)
  const rule = plain ? 0 : 1
  useCursor({ up: below + rule + rows.length - (layout.row - first), column: layout.column + 2 })
  return (
    <Box flexDirection="column">
      {!plain && <Rule width={width + 3} />}
      {rows.map((row, index) => (
        <Text key={row.start} {...(buffer.text === "" ? { wrap: "truncate-end" as const } : {})}>
          <Text bold>{first + index === 0 ? "› " : "  "}</Text>
          {buffer.text === "" ? <Text dimColor>{placeholder}</Text> : row.shown}
        </Text>
      ))}
      {!plain && <Rule width={width + 3} />}
    </Box>
  )
}

const Rule = ({ width }: { readonly width: number }) => <Text dimColor>{"─".repeat(width)}</Text>
