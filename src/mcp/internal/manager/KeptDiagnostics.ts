/**
 * What a server's connections have told of it, one after the other: what it wrote to stderr is kept over restarts, so that
 * the reason of a crash is still there when the next process has begun.
 */
import * as Effect from "effect/Effect"
import type { Diagnostics } from "../../McpTransport.ts"
import type { Redaction } from "../Redact.ts"

const maxLength = 64 * 1024

export interface KeptDiagnostics {
  readonly get: Effect.Effect<Diagnostics>
  /** From now on of this connection, what was written before it kept. */
  readonly follow: (connection: Effect.Effect<Diagnostics>) => Effect.Effect<void>
}

export const make = (redaction: Redaction): KeptDiagnostics => {
  let earlier = ""
  let present: Effect.Effect<Diagnostics> = Effect.succeed({ stderr: "", skipped: [] })

  const get = Effect.map(
    Effect.suspend(() => present),
    (now): Diagnostics => redaction.diagnostics({ ...now, stderr: joined(earlier, now.stderr) })
  )

  return {
    get,
    follow: (connection) =>
      Effect.map(get, ({ stderr }) => {
        earlier = stderr
        present = connection
      })
  }
}

const joined = (earlier: string, now: string): string => {
  if (earlier === "" || now === "") return earlier + now
  return (earlier.endsWith("\n") ? earlier + now : `${earlier}\n${now}`).slice(-maxLength)
}
