/**
 * Why a server could not be connected, as far as its transport knows: what the server wrote last to stderr, and what it wrote
 * where messages were expected.
 */
import { type McpError, withHint, withStderr } from "../../McpError.ts"
import type { Diagnostics } from "../../McpTransport.ts"

/** How much of a server's stderr goes into an error. */
const tailLength = 2000

/** The failure, with what the transport knows about it. */
export const explain = (error: McpError, { skipped, stderr }: Diagnostics): McpError => {
  const told = withStderr(tail(stderr))(error)
  const noise = skipped[0]
  return error.kind === "timeout" && noise !== undefined ? withHint(hint(noise))(told) : told
}

const hint = (noise: string) =>
  `The server wrote something that is no MCP message: ${noise} (a server must keep its logs off stdout).`

/** The last whole lines. */
const tail = (stderr: string): string => {
  const text = stderr.trimEnd()
  if (text.length <= tailLength) return text
  const cut = text.slice(-tailLength)
  return cut.slice(cut.indexOf("\n") + 1)
}
