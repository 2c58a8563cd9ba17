/**
 * Something finished in the conversation.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import type { ComponentType } from "react"
import { visible } from "../../mcp/VisibleText.ts"
import * as Theme from "../Theme.ts"
import type { Item } from "../Transcript.ts"
import type { MarkdownProps } from "./Markdown.tsx"
import { ToolCall } from "./ToolCall.tsx"

/**
 * @since 0.1.0
 * @category models
 */
export interface HistoryItemProps {
  readonly item: Item
  readonly columns: number
  readonly Markdown: ComponentType<MarkdownProps>
}

/**
 * @since 0.1.0
 * @category components
 */
export const HistoryItem = ({ Markdown, columns, item }: HistoryItemProps) => {
  switch (item._tag) {
    case "User":
      return <Said text={item.text} />
    case "Answer":
      return (
        <Box paddingLeft={2} marginBottom={1}>
          <Markdown text={item.text} width={columns - 3} />
        </Box>
      )
    case "Thought":
      return (
        <Box paddingLeft={2} marginBottom={1}>
          <Text dimColor italic>
            {visible(item.text, { newlines: true })}
          </Text>
        </Box>
      )
    case "Tool":
      return (
        <Box marginBottom={1}>
          <ToolCall call={item.call} now={0} plain />
        </Box>
      )
    case "Notice":
      return (
        <Box paddingLeft={2} marginBottom={1}>
          <Text {...(item.tone === "error" ? { color: Theme.color.error } : { dimColor: true })}>
            {`${item.tone === "error" ? "✗ " : ""}${visible(item.text, { newlines: true })}`}
          </Text>
        </Box>
      )
  }
}

const shownLines = 12

const Said = ({ text }: { readonly text: string }) => {
  const lines = text.split("\n")
  const shown = lines.length > shownLines ? lines.slice(0, shownLines - 2) : lines
  return (
    <Box marginBottom={1}>
      <Text bold color={Theme.color.accent}>
        {"› "}
      </Text>
      <Text bold>
        {visible(shown.join("\n"), { newlines: true })}
        {lines.length > shown.length && <Text dimColor>{`\n… ${lines.length - shown.length} more lines`}</Text>}
      </Text>
    </Box>
  )
}

/**
 * Text as it is, until the renderer of Markdown is there.
 *
 * @since 0.1.0
 * @category components
 */
export const PlainMarkdown = ({ text }: MarkdownProps) => <Text>{visible(text.trimEnd(), { newlines: true })}</Text>
