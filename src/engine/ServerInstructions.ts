/**
 * What connected servers say about their use, for whoever uses their tools: each under its name in the configuration, and bounded.
 *
 * @since 0.1.0
 */
import type { ServerStatus } from "../mcp/ServerStatus.ts"

/**
 * What a server says of itself, if it is connected and says anything.
 *
 * @since 0.1.0
 * @category getters
 */
export const of = (status: ServerStatus): ReadonlyArray<string> =>
  status._tag === "Connected" && status.instructions !== undefined
    ? [`The MCP server "${status.name}" says of itself:\n${bounded(status.instructions)}`]
    : []

/** No server may crowd out what the others say. */
const longest = 5_000

const bounded = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest)}\n[cut: ${text.length} characters in all]`
