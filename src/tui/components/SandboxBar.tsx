/**
 * The sandbox bar: where the built-in tools run, what confines them, and which servers are confined.
 *
 * @since 0.1.0
 */
import { Text } from "ink"
import type { ServerConfig } from "../../mcp/ServerConfig.ts"
import { oneLine } from "../../mcp/VisibleText.ts"

/**
 * @since 0.1.0
 * @category components
 */
export const SandboxBar = (props: {
  readonly sandbox: string
  readonly configs: ReadonlyMap<string, ServerConfig>
}) => {
  const confined = [...props.configs.values()].filter(
    ({ disabled, transport }) => !disabled && transport._tag === "stdio" && transport.sandbox !== undefined
  )
  const servers = confined.length === 0 ? [] : [`confined servers: ${confined.map(({ name }) => name).join(", ")}`]
  return (
    <Text wrap="truncate-end" dimColor>
      [Sandbox] {oneLine([props.sandbox, ...servers].join(" · "))}
    </Text>
  )
}
