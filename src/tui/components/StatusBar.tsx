/**
 * The status bar: model, directory, tokens, and what the engine is doing.
 *
 * @since 0.1.0
 */
import { Text } from "ink"
import { oneLine } from "../../mcp/VisibleText.ts"
import * as Width from "../Width.ts"

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
  /** Where the model is not offered every tool: how many, of how many. */
  readonly offer?: { readonly tools: number; readonly of: number } | undefined
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
      <Text dimColor>{separator + details(props, props.columns - 1 - Width.of(model + separator))}</Text>
    </Text>
  )
}

const separator = "  ·  "

/** What fits: where it is narrow, the number of tools goes first, then the beginning of the directory. */
const details = (props: StatusBarProps, width: number): string => {
  const { activity, directory, inputTokens, outputTokens } = props
  const used = `↑${tokens(inputTokens)} ↓${tokens(outputTokens)} tokens`
  const place = oneLine(directory)
  const all = [place, used, offered(props), activity].join(separator)
  if (Width.of(all) <= width) return all
  const fewer = [used, activity].join(separator)
  const room = Math.max(8, width - Width.of(separator + fewer))
  const short = Width.of(place) <= room ? place : `…${Width.endOf(place, room - 1)}`
  return [short, fewer].join(separator)
}

const offered = ({ offer, tools }: StatusBarProps): string => {
  if (offer === undefined || offer.tools >= offer.of) return `${tools.toLocaleString("en")} tools`
  return `${offer.tools.toLocaleString("en")} of ${offer.of.toLocaleString("en")} tools`
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
