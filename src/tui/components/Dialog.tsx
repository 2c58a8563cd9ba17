/**
 * What all questions look like: a frame, texts that can be longer than the room there is, and lines to choose from.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import * as Theme from "../Theme.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface FrameProps {
  readonly title: string
  /** How many more questions wait. */
  readonly waiting: number
  readonly columns: number
  readonly plain: boolean
  readonly children: ReactNode
}

/**
 * @since 0.1.0
 * @category components
 */
export const Frame = ({ children, columns, plain, title, waiting }: FrameProps) => {
  const frame = plain ? {} : { borderStyle: "round" as const, borderColor: Theme.color.warning, paddingX: 1 }
  return (
    <Box flexDirection="column" width={columns - 1} {...frame}>
      <Text wrap="truncate-end">
        <Text bold color={Theme.color.warning}>
          {title}
        </Text>
        {waiting > 0 && <Text dimColor>{`  ${waiting} more waiting`}</Text>}
      </Text>
      {children}
    </Box>
  )
}

/**
 * Lines with a window on them.
 *
 * @since 0.1.0
 * @category components
 */
export const Scrolled = (props: {
  readonly lines: ReadonlyArray<string>
  /** The first line that is wanted. */
  readonly scroll: number
  readonly height: number
}) => {
  const { lines } = props
  const height = lines.length > props.height ? Math.max(1, props.height - 1) : props.height
  const scroll = Math.max(0, Math.min(props.scroll, lines.length - height))
  const below = lines.length - scroll - height
  return (
    <Box flexDirection="column" marginY={1}>
      <Text>{lines.slice(scroll, scroll + height).join("\n")}</Text>
      {(below > 0 || scroll > 0) && (
        <Text dimColor>{`${scroll} lines above, ${Math.max(0, below)} below (PgUp PgDn)`}</Text>
      )}
    </Box>
  )
}

/**
 * A line to choose.
 *
 * @since 0.1.0
 * @category components
 */
export const Choice = ({ label, selected }: { readonly label: string; readonly selected: boolean }) => (
  <Text wrap="truncate-end" bold={selected} {...(selected ? { color: Theme.color.accent } : {})}>
    {`${selected ? "›" : " "} ${label}`}
  </Text>
)
