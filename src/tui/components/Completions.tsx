/**
 * The list below the input: what Tab puts in, with a word on each.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import { oneLine } from "../../mcp/VisibleText.ts"
import type { Candidate } from "../Completion.ts"
import * as Theme from "../Theme.ts"
import * as Width from "../Width.ts"

/**
 * @since 0.1.0
 * @category components
 */
export const Completions = (props: {
  readonly candidates: ReadonlyArray<Candidate>
  readonly index: number
  readonly height: number
}) => {
  const { candidates, height, index } = props
  const first = Math.max(0, Math.min(index - height + 1, candidates.length - height))
  const shown = candidates.slice(first, first + height)
  const width = Math.min(40, Math.max(...shown.map(({ text }) => Width.of(oneLine(text)))))
  return (
    <Box flexDirection="column">
      {shown.map((candidate, row) => (
        <Text key={candidate.text} wrap="truncate-end">
          <Text {...(first + row === index ? { color: Theme.color.accent, bold: true } : {})}>
            {`${first + row === index ? "› " : "  "}${Width.padEnd(oneLine(candidate.text), width)}  `}
          </Text>
          <Text dimColor>{candidate.help}</Text>
        </Text>
      ))}
    </Box>
  )
}
