/**
 * The status bar: model, directory, tokens, and what the engine is doing.
 *
 * @since 0.1.0
 */
import { Text } from "ink"
import stringWidth from "string-width"
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
  readonly columns: number
}

/**
 * @since 0.1.0
 * @category components
 */
export const StatusBar = (props: StatusBarProps) => {
  const model = oneLine(props.model)
  return (
    <Text wrap="truncate-end">
      <Text bold>{model}</Text>
      <Text dimColor>{separator + details(props, props.columns - 1 - stringWidth(model + separator))}</Text>
    </Text>
  )
}

const separator = "  ·  "

/** What fits: where it is narrow, the number of tools goes first, then the beginning of the directory. */
const details = ({ activity, directory, inputTokens, outputTokens, tools }: StatusBarProps, width: number): string => {
  const used = `↑${tokens(inputTokens)} ↓${tokens(outputTokens)} tokens`
  const place = oneLine(directory)
  const all = [place, used, `${tools.toLocaleString("en")} tools`, activity].join(separator)
  if (stringWidth(all) <= width) return all
  const fewer = [used, activity].join(separator)
  const room = Math.max(8, width - stringWidth(separator + fewer))
  const short =
    stringWidth(place) <= room
      ? place
      : `…${Array.from(place)
          .slice(1 - room)
          .join("")}`
  return [short, fewer].join(separator)
}

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
