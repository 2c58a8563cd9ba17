/**
 * Whether a connection that says nothing still lives: a ping now and then while nothing else is under way, and several at
 * once when a request could not reach the server. HTTP has no connection that could break, so there this is what a loss is.
 *
 * Any answer is a sign of life, a refusal too. Silence counts only from a server that has answered a ping before: some
 * never do, and work.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { inPhase, McpError } from "../../McpError.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as Supervision from "../../Supervision.ts"

/** How many pings in a row must fail. */
const maxMissed = 3
/** How long to wait after the first of them; twice as long after the second. */
const pause = Duration.seconds(1)

export interface Health {
  /** The transport, with an eye on requests that do not reach the server. */
  readonly transport: McpTransport.Service
  /** Fails when the server does not live any more; never succeeds. */
  readonly watch: (options: {
    /** Not there where the revision has none. */
    readonly ping: Effect.Effect<void, McpError> | undefined
    readonly interval: Duration.Duration | "off"
  }) => Effect.Effect<never, McpError>
}

export const make: (transport: McpTransport.Service) => Effect.Effect<Health> = Effect.fnUntraced(
  function* (transport) {
    const suspicion = yield* Effect.makeLatch(false)
    let unreached: McpError | undefined

    const request: McpTransport.Service["request"] = (method, params, options) =>
      Effect.tapError(transport.request(method, params, options), (error) => {
        if (Supervision.cause(error) !== "unreachable") return Effect.void
        unreached = error
        return suspicion.open
      })

    const isIdle = Effect.map(transport.diagnostics, ({ openRequests = 0 }) => openRequests === 0)

    const watch: Health["watch"] = Effect.fnUntraced(function* ({ interval, ping }) {
      const nextLook = interval === "off" ? suspicion.await : Effect.race(suspicion.await, Effect.sleep(interval))
      let hasAnswered = false
      while (true) {
        yield* nextLook
        yield* suspicion.close
        const suspected = unreached
        unreached = undefined
        if (ping === undefined) {
          if (suspected !== undefined) return yield* inPhase("connect")(suspected)
        } else if (suspected !== undefined || (yield* isIdle)) {
          hasAnswered = yield* examined(transport.server, ping, hasAnswered)
        }
      }
    })

    // The end of a program is told by its pipes. The kind of an HTTP transport may change in the handshake.
    const observed: McpTransport.Service =
      transport.kind === "stdio"
        ? transport
        : {
            ...transport,
            get kind() {
              return transport.kind
            },
            request
          }
    return { transport: observed, watch }
  }
)

/** Pings until one is answered, and fails when none is; says whether the server has ever answered one. */
const examined = Effect.fnUntraced(function* (
  server: string,
  ping: Effect.Effect<void, McpError>,
  hasAnswered: boolean
): Effect.fn.Return<boolean, McpError> {
  for (let missed = 1; ; missed++) {
    const outcome = yield* Effect.either(ping)
    if (Either.isRight(outcome)) return true
    const { left: error } = outcome
    const isSilent = error.kind === "timeout"
    if (isSilent ? !hasAnswered : Supervision.cause(error) !== "unreachable") return hasAnswered
    if (missed === maxMissed) return yield* isSilent ? silent(server, error) : inPhase("connect")(error)
    yield* Effect.sleep(Duration.times(pause, missed))
  }
})

const silent = (server: string, { hint }: McpError) =>
  new McpError({
    server,
    phase: "connect",
    kind: "timeout",
    message: `the server does not answer any more: ${maxMissed} pings in a row`,
    hint
  })
