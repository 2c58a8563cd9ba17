/**
 * The MCP bar: every server's state, live.
 *
 * @since 0.1.0
 */
import { Text } from "ink"
import stringWidth from "string-width"
import type { ServerStatus } from "../../mcp/ServerStatus.ts"
import * as ServerView from "../ServerView.ts"
import * as Theme from "../Theme.ts"

const title = "[MCP] "

/**
 * Nothing without servers.
 *
 * @since 0.1.0
 * @category components
 */
export const McpBar = (props: { readonly statuses: ReadonlyArray<ServerStatus>; readonly columns: number }) => {
  if (props.statuses.length === 0) return null
  const width = props.columns - title.length - 1
  const { hidden, shown } = ServerView.fit(props.statuses.map(ServerView.make), width, stringWidth)
  return (
    <Text wrap="truncate-end">
      <Text dimColor>{title}</Text>
      {shown.map((view, index) => (
        <Text key={view.name}>
          {index > 0 && <Text dimColor> │ </Text>}
          {`${view.name} `}
          <Status view={view} />
        </Text>
      ))}
      {hidden > 0 && <Text dimColor>{`${shown.length > 0 ? " │ " : ""}+${hidden} more`}</Text>}
    </Text>
  )
}

const Status = ({ view: { label, mark, tone } }: { readonly view: ServerView.ServerView }) => {
  const color = Theme.tone[tone]
  return color === undefined ? (
    <Text dimColor>{`${mark} ${label}`}</Text>
  ) : (
    <Text color={color}>{`${mark} ${label}`}</Text>
  )
}
