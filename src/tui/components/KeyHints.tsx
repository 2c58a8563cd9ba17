/**
 * The last line: which keys do what here, or a word for the person.
 *
 * @since 0.1.0
 */
import { Text } from "ink"
import { visible } from "../../mcp/VisibleText.ts"
import * as Theme from "../Theme.ts"
import type { Message } from "../UiState.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Hint = readonly [key: string, meaning: string]

/**
 * @since 0.1.0
 * @category components
 */
export const KeyHints = (props: { readonly hints: ReadonlyArray<Hint>; readonly message: Message | undefined }) => {
  const { hints, message } = props
  if (message !== undefined) {
    return message.tone === "error" ? (
      <Text wrap="truncate-end" color={Theme.color.error}>
        {visible(message.text)}
      </Text>
    ) : (
      <Text wrap="truncate-end">{visible(message.text)}</Text>
    )
  }
  return (
    <Text wrap="truncate-end">
      {hints.map(([key, meaning], index) => (
        <Text key={key}>
          {index > 0 ? "  " : ""}
          {key}
          <Text dimColor>{` ${meaning}`}</Text>
        </Text>
      ))}
    </Text>
  )
}
