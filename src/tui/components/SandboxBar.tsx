/**
 * The sandbox bar: where the built-in tools run, and what confines them.
 *
 * @since 0.1.0
 */
import { Text } from "ink"
import { oneLine } from "../../mcp/VisibleText.ts"

/**
 * @since 0.1.0
 * @category components
 */
export const SandboxBar = ({ sandbox }: { readonly sandbox: string }) => (
  <Text wrap="truncate-end" dimColor>
    [Sandbox] {oneLine(sandbox)}
  </Text>
)
