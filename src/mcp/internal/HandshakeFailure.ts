/**
 * Why a server could not be connected, as far as the transport knows: what the server wrote last to stderr, and what it wrote
 * where messages were expected.
 */
import * as Effect from "effect/Effect"
import { McpError, type Phase, withHint, withStderr } from "../McpError.ts"
import type * as McpTransport from "../McpTransport.ts"

/** How much of a server's stderr goes into an error. */
const tailLength = 2000

export const timedOut =
  (server: string, phase: Phase, method: string) =>
  (allowed: string): McpError =>
    new McpError({ server, phase, kind: "timeout", message: `no answer to ${method} within ${allowed}` })

/** The failure, with what the transport knows about it. */
export const explained =
  (transport: McpTransport.Service) =>
  <A, R>(effect: Effect.Effect<A, McpError, R>): Effect.Effect<A, McpError, R> =>
    Effect.catchAll(effect, (error) =>
      Effect.flatMap(transport.diagnostics, ({ skipped, stderr }) => {
        const told = withStderr(tail(stderr))(error)
        const noise = skipped[0]
        return Effect.fail(error.kind === "timeout" && noise !== undefined ? withHint(hint(noise))(told) : told)
      })
    )

const hint = (noise: string) =>
  `The server wrote something that is no MCP message: ${noise} (a server must keep its logs off stdout).`

/** The last whole lines. */
const tail = (stderr: string): string => {
  const text = stderr.trimEnd()
  if (text.length <= tailLength) return text
  const cut = text.slice(-tailLength)
  return cut.slice(cut.indexOf("\n") + 1)
}
