/**
 * Requests that outlive a session: when the server no longer knows it (an HTTP server was restarted, or has forgotten), a new
 * handshake is made, once for all requests that found out, and each of them is sent again. A request refused so was not
 * run, so sending it again runs it once. A request that comes meanwhile waits for the new session.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { McpError } from "../../McpError.ts"
import type * as McpTransport from "../../McpTransport.ts"

type Request = McpTransport.Service["request"]

/** `handshake` opens a new session on the same transport. */
export const renewing = Effect.fnUntraced(function* (
  request: Request,
  handshake: Effect.Effect<unknown, McpError>
): Effect.fn.Return<Request, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const runFork = Runtime.runFork(yield* Effect.runtime<never>())
  let session = 1
  let renewal: Effect.Effect<void, McpError> | undefined

  /** Done when there is a newer session than the lost one. Giving up the wait does not stop the handshake: others wait too. */
  const renew = (lost: number, reason: McpError) =>
    Effect.suspend(() => {
      if (session !== lost) return Effect.void
      renewal ??= joined(
        reason,
        runFork(
          handshake.pipe(
            Effect.tap(() => Effect.sync(() => session++)),
            Effect.ensuring(
              Effect.sync(() => {
                renewal = undefined
              })
            ),
            Effect.asVoid
          ),
          { scope, immediate: false }
        )
      )
      return renewal
    })

  return (method, params, options) =>
    Effect.suspend(() => {
      const send = request(method, params, options)
      if (renewal !== undefined) return Effect.zipRight(renewal, send)
      const used = session
      return Effect.catchAll(send, (error) =>
        error.kind === "session-lost" ? Effect.zipRight(renew(used, error), send) : Effect.fail(error)
      )
    })
})

/** The handshake's outcome. It is interrupted by the end of its connection, which is a failure of those who wait and no interruption. */
const joined = ({ phase, server }: McpError, handshake: Fiber.Fiber<void, McpError>): Effect.Effect<void, McpError> =>
  Effect.flatMap(Fiber.await(handshake), (exit) =>
    Exit.isInterrupted(exit)
      ? Effect.fail(
          new McpError({
            server,
            phase,
            kind: "closed",
            message: "the connection was closed before it had a new session"
          })
        )
      : exit
  )
