/**
 * The conversation: what is finished is written once, into the terminal's scrollback; what still moves is drawn below it.
 *
 * @since 0.1.0
 */
import { Box, Static, Text } from "ink"
import { type ComponentType, memo } from "react"
import { visible } from "../../mcp/VisibleText.ts"
import * as LiveTail from "../LiveTail.ts"
import { counted } from "../ServerView.ts"
import type { Item, Transcript } from "../Transcript.ts"
import { HistoryItem } from "./HistoryItem.tsx"
import type { MarkdownProps } from "./Markdown.tsx"
import { ToolCall } from "./ToolCall.tsx"

/**
 * @since 0.1.0
 * @category models
 */
export interface HistoryProps {
  readonly items: ReadonlyArray<Item>
  readonly columns: number
  readonly Markdown: ComponentType<MarkdownProps>
}

/**
 * What is finished. An item is drawn once: a frame costs the same however many there are.
 *
 * @since 0.1.0
 * @category components
 */
export const History = memo(({ Markdown, columns, items }: HistoryProps) => (
  <Static items={items as Array<Item>} style={{ width: columns }}>
    {(item, index) => <HistoryItem key={index} item={item} columns={columns} Markdown={Markdown} />}
  </Static>
))

/**
 * @since 0.1.0
 * @category models
 */
export interface LiveProps {
  readonly transcript: Transcript
  readonly now: number
  readonly columns: number
  /** How many rows there are for it. */
  readonly height: number
  readonly plain: boolean
  readonly Markdown: ComponentType<MarkdownProps>
}

/**
 * What still moves: the end of the answer, and the calls that run.
 *
 * @since 0.1.0
 * @category components
 */
export const Live = ({ Markdown, columns, height, now, plain, transcript }: LiveProps) => {
  if (height < 1) return null
  const { calls, text, thought } = transcript
  const limit = Math.max(1, Math.floor(height / 2))
  const shownCalls = calls.length > limit ? calls.slice(calls.length - limit + 1) : calls
  const hiddenCalls = calls.length - shownCalls.length
  const room = height - Math.min(calls.length, limit) - 1
  return (
    <Box flexDirection="column">
      {thought !== "" && text === "" && room > 0 && (
        <Box paddingLeft={2} marginBottom={1}>
          <Text dimColor italic>
            {visible(LiveTail.cut(thought.trim(), Math.min(3, room), columns - 3), { newlines: true })}
          </Text>
        </Box>
      )}
      {text.trim() !== "" && room > 0 && (
        <Box paddingLeft={2} marginBottom={1}>
          <Markdown text={LiveTail.cut(text, room, columns - 3)} width={columns - 3} />
        </Box>
      )}
      {hiddenCalls > 0 && <Text dimColor>{`  … ${counted(hiddenCalls, "more call")}`}</Text>}
      {shownCalls.map((call, index) => (
        // Ids come from the model: nothing says that they differ.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <ToolCall key={index} call={{ ...call, outcome: undefined }} now={now} plain={plain} />
      ))}
    </Box>
  )
}
