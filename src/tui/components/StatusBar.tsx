/**
 * The status bar: model, directory, tokens, and what the engine is doing.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import { oneLine } from "../../mcp/VisibleText.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface StatusBarProps {
  readonly model: string
  readonly directory: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly tools: number
  readonly activity: string
}

/**
 * @since 0.1.0
 * @category components
 */
export const StatusBar = ({ activity, directory, inputTokens, model, outputTokens, tools }: StatusBarProps) => (
  <Box>
    <Text wrap="truncate-end">
      <Text bold>{oneLine(model)}</Text>
      <Text dimColor>
        {[
          "",
          oneLine(directory),
          `↑${tokens(inputTokens)} ↓${tokens(outputTokens)} tokens`,
          `${tools.toLocaleString("en")} tools`,
          activity
        ].join("  ·  ")}
      </Text>
    </Text>
  </Box>
)

/**
 * A number of tokens in short: `340`, `1.2k`, `3.4M`.
 *
 * @since 0.1.0
 * @category formatting
 */
export const tokens = (count: number): string => {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}
