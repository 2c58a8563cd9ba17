/**
 * A full-screen view: a title, the rows in sight, and the key hints.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import { memo } from "react"
import { oneLine, visible } from "../../mcp/VisibleText.ts"
import type { Panel } from "../Panel.ts"
import { isSelectable, type PanelRow, toolName } from "../PanelRow.ts"
import * as ServerView from "../ServerView.ts"
import * as Theme from "../Theme.ts"
import type { Message } from "../UiState.ts"
import * as Width from "../Width.ts"
import { useCursor } from "./CursorContext.ts"
import { type Hint, KeyHints } from "./KeyHints.tsx"

/**
 * @since 0.1.0
 * @category models
 */
export interface PanelViewProps {
  readonly panel: Panel
  readonly title: string
  /** In a few words beside the title. */
  readonly summary: string
  readonly rows: ReadonlyArray<PanelRow>
  readonly empty: string
  readonly columns: number
  readonly height: number
  readonly hints: ReadonlyArray<Hint>
  readonly message: Message | undefined
}

/**
 * @since 0.1.0
 * @category components
 */
export const PanelView = (props: PanelViewProps) => {
  const { columns, empty, height, hints, message, panel, rows, summary, title } = props
  const { offset } = panel
  const window = rows.slice(offset, offset + height)
  return (
    <Box flexDirection="column">
      <Box justifyContent="space-between" width={columns - 1}>
        <Text wrap="truncate-end">
          <Text bold>{title}</Text>
          <Text dimColor>{`  ${summary}`}</Text>
        </Text>
        <Text dimColor>{position(offset, window.length, rows.length)}</Text>
      </Box>
      <Filter panel={panel} columns={columns} height={height} />
      <Box flexDirection="column" height={height} width={columns - 1}>
        {rows.length === 0 && <Text dimColor>{`  ${empty}`}</Text>}
        {window.map((row, index) => (
          // A row that scrolls stays the same, and one that leaves is taken for one that comes.
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={(offset + index) % height}
            row={row}
            selected={offset + index === panel.selected && isSelectable(row)}
          />
        ))}
      </Box>
      <KeyHints hints={hints} message={message} />
    </Box>
  )
}

const position = (offset: number, shown: number, total: number): string =>
  shown < total ? `${offset + 1}–${offset + shown} of ${total.toLocaleString("en")}` : ""

/** Stands above the rows and the key hints. */
const Filter = ({ columns, height, panel }: Pick<PanelViewProps, "panel" | "columns" | "height">) => {
  const { filtering, folding } = panel
  const shown = Width.endOf(visible(folding.filter), columns - 4)
  useCursor(filtering ? { up: height + 2, column: 2 + Width.of(shown) } : undefined)
  return filtering || folding.filter !== "" ? (
    <Text>
      <Text color={Theme.color.accent}>{"/ "}</Text>
      {shown}
    </Text>
  ) : (
    <Text> </Text>
  )
}

const Row = memo(({ row, selected }: { readonly row: PanelRow; readonly selected: boolean }) => {
  const gutter = selected ? "› " : "  "
  switch (row._tag) {
    case "Server":
      return <Server gutter={gutter} row={row} />
    case "Tool":
      return (
        <Text wrap="truncate-end" {...(selected ? { color: Theme.color.accent, bold: true } : {})}>
          {`${gutter}  · ${toolName(row)}`}
        </Text>
      )
    case "Session":
      return (
        <Text wrap="truncate-end" {...(selected ? { color: Theme.color.accent, bold: true } : {})}>
          {`${gutter}${row.text}`}
        </Text>
      )
    case "More":
      return (
        <Text wrap="truncate-end" dimColor={!selected} {...(selected ? { color: Theme.color.accent } : {})}>
          {`${gutter}  … ${ServerView.counted(row.count, "more tool")} (Enter)`}
        </Text>
      )
    case "Line":
      return <Line row={row} />
    case "Link":
      return <Text color={Theme.color.accent}>{link(row.text, row.href)}</Text>
  }
})

const Server = (props: { readonly gutter: string; readonly row: Extract<PanelRow, { readonly _tag: "Server" }> }) => {
  const { detail, status } = props.row
  const { label, mark, name, tone } = ServerView.make(status)
  const color = Theme.tone[tone]
  const tint = color === undefined ? { dimColor: true } : { color }
  return (
    <Text wrap="truncate-end">
      {props.gutter}
      <Text {...tint}>{mark}</Text>
      <Text bold>{` ${name}`}</Text>
      <Text {...tint}>{`  ${label}`}</Text>
      <Text dimColor>{detail === "" ? "" : `  ${detail}`}</Text>
    </Text>
  )
}

const tones = {
  plain: {},
  muted: { dimColor: true },
  bad: { color: Theme.color.error },
  heading: { bold: true }
} as const

/** A terminal that knows links opens the whole address, on whichever of its lines it is clicked. */
const link = (text: string, href: string): string => `\x1b]8;;${href}\x07${text}\x1b]8;;\x07`

/** Long lines are cut before they are measured: a description may be of any length. */
const longest = 1_000

const Line = ({ row }: { readonly row: Extract<PanelRow, { readonly _tag: "Line" }> }) => (
  <Text wrap="truncate-end" {...tones[row.tone]}>
    {`  ${" ".repeat(row.indent)}${row.tone === "muted" ? oneLine(row.text.slice(0, longest)) : row.text}` || " "}
  </Text>
)
