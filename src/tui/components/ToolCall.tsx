/**
 * A tool call: its name and arguments in short, how long it takes, and the beginning of what it gave.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import type { JsonObject } from "../../mcp/JsonRpc.ts"
import { oneLine, visible } from "../../mcp/VisibleText.ts"
import { duration } from "../Elapsed.ts"
import * as Theme from "../Theme.ts"
import type { Call, Outcome } from "../Transcript.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface ToolCallProps {
  readonly call: Call
  readonly now: number
  readonly plain: boolean
}

/**
 * @since 0.1.0
 * @category components
 */
export const ToolCall = ({ call, now, plain }: ToolCallProps) => {
  const { outcome } = call
  const took = outcome?.durationMs ?? Math.max(0, now - call.startedAt)
  return (
    <Box flexDirection="column">
      <Text wrap="truncate-end">
        {"  "}
        <Mark outcome={outcome} spinner={plain ? "…" : Theme.spinner(now)} />
        <Text bold>{` ${oneLine(call.name)}`}</Text>
        <Text dimColor>{`  ${duration(took)}  `}</Text>
        {call.share !== undefined && outcome === undefined && !plain && (
          <Text color={Theme.color.warning}>{`${bar(call.share)} `}</Text>
        )}
        {call.progress !== undefined && <Text color={Theme.color.warning}>{`${oneLine(call.progress)}  `}</Text>}
        <Text dimColor>{inShort(call.arguments)}</Text>
      </Text>
      {outcome !== undefined && <Result outcome={outcome} />}
    </Box>
  )
}

const cells = 10

const bar = (share: number): string => {
  const full = Math.round(share * cells)
  return "█".repeat(full) + "░".repeat(cells - full)
}

const Mark = ({ outcome, spinner }: { readonly outcome: Outcome | undefined; readonly spinner: string }) => {
  if (outcome === undefined) return <Text color={Theme.color.warning}>{spinner}</Text>
  if (outcome.denied) return <Text color={Theme.color.warning}>⊘</Text>
  return outcome.isError ? <Text color={Theme.color.error}>✗</Text> : <Text color={Theme.color.success}>✓</Text>
}

const shownLines = 3

const Result = ({ outcome: { denied, isError, text, warnings = [] } }: { readonly outcome: Outcome }) => {
  const lines = text.trimEnd().split("\n")
  const shown = lines.length === shownLines + 1 ? lines : lines.slice(0, shownLines)
  const props = isError && !denied ? { color: Theme.color.error } : { dimColor: true }
  return (
    <Box flexDirection="column">
      {shown.map((line, index) => (
        // Lines of a text have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Text key={index} wrap="truncate-end" {...props}>
          {`    ${index === 0 ? "└ " : "  "}${visible(line.slice(0, 500).replaceAll("\t", "  ").trimEnd())}`}
        </Text>
      ))}
      {lines.length > shown.length && (
        <Text dimColor>{`      … ${(lines.length - shown.length).toLocaleString("en")} more lines (Ctrl+O)`}</Text>
      )}
      {warnings.map((warning) => (
        <Text key={warning} wrap="truncate-end" color={Theme.color.warning}>
          {`      ! ${oneLine(warning)}`}
        </Text>
      ))}
    </Box>
  )
}

/**
 * The arguments of a call on a line.
 *
 * @since 0.1.0
 * @category formatting
 */
export const inShort = (args: JsonObject): string =>
  Object.entries(args)
    .map(([name, value]) => `${oneLine(name)}: ${shortened(typeof value === "string" ? value : JSON.stringify(value))}`)
    .join("  ")

const longest = 80

const shortened = (text: string): string => {
  const line = oneLine(text.slice(0, 4 * longest))
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}
