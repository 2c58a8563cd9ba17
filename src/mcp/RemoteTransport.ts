/**
 * A server reached over HTTP, whichever of MCP's two ways it speaks: Streamable HTTP, or the HTTP+SSE of 2024-11-05.
 *
 * Which one is found out by the first `initialize`, as the specification says: it is posted, and only a server that answers 400,
 * 404 or 405 is tried as an old one. A login, a failing server, a timeout or a dead address never lead there, since that
 * would hide what is the matter.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as HttpTransport from "./HttpTransport.ts"
import { ErrorCode } from "./JsonRpc.ts"
import { McpError } from "./McpError.ts"
import * as McpTransport from "./McpTransport.ts"
import * as SseTransport from "./SseTransport.ts"

/**
 * Where the server is, and what goes with every message to it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends SseTransport.Options {}

/**
 * Connects to a server over HTTP. Nothing is sent before the first message.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Effect.Effect<McpTransport.Service, McpError, Scope.Scope> = Effect.fnUntraced(
  function* (options) {
    const scope = yield* Effect.scope
    const http = yield* HttpTransport.make(options)
    const old = yield* Deferred.make<McpTransport.Service>()
    let current = http

    const initializeOld = Effect.fnUntraced(function* (
      initialize: (transport: McpTransport.Service) => Effect.Effect<unknown, McpError>,
      refusal: McpError
    ) {
      const attempt = yield* Scope.fork(scope, ExecutionStrategy.sequential)
      return yield* SseTransport.make(options).pipe(
        Scope.extend(attempt),
        Effect.flatMap((sse) =>
          Effect.tap(initialize(sse), () => {
            current = sse
            return Deferred.succeed(old, sse)
          })
        ),
        Effect.onError((cause) => Scope.close(attempt, Exit.failCause(cause))),
        Effect.mapError((error) => both(refusal, error))
      )
    })

    const whenOld = <A, E>(use: (sse: McpTransport.Service) => Effect.Effect<A, E>) =>
      Effect.flatMap(Deferred.await(old), use)

    return {
      get kind() {
        return current.kind
      },
      server: options.server,
      request: (method, params, requestOptions) => {
        const send = (transport: McpTransport.Service) => transport.request(method, params, requestOptions)
        return method === "initialize" && current === http
          ? Effect.catchIf(send(http), mayBeOld, (refusal) => initializeOld(send, refusal))
          : send(current)
      },
      notify: (method, params, notifyOptions) => current.notify(method, params, notifyOptions),
      respond: (id, reply) => current.respond(id, reply),
      inbound: Stream.merge(http.inbound, Stream.unwrap(whenOld((sse) => Effect.succeed(sse.inbound))), {
        haltStrategy: "left"
      }),
      closed: Effect.raceFirst(
        http.closed,
        whenOld((sse) => sse.closed)
      ),
      negotiated: (version) => current.negotiated(version),
      diagnostics: Effect.suspend(() => current.diagnostics)
    }
  }
)

/**
 * A server over HTTP as the transport.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<McpTransport.McpTransport, McpError> =>
  Layer.scoped(McpTransport.McpTransport, make(options))

/** The answers of an old server to a POST, and not those of a stateless one. */
const mayBeOld = ({ code, status }: McpError): boolean =>
  (status === 400 || status === 404 || status === 405) &&
  code !== ErrorCode.HeaderMismatch &&
  code !== ErrorCode.MissingClientCapability &&
  code !== ErrorCode.UnsupportedProtocolVersion

/** The refusal of the POST is the error; that the old way failed too is told with it. */
const both = (refusal: McpError, old: McpError): McpError =>
  new McpError({
    server: refusal.server,
    phase: refusal.phase,
    kind: refusal.kind,
    message: `${refusal.message}; nor does it speak the old HTTP+SSE (${old.message})`,
    hint: refusal.hint,
    code: refusal.code,
    data: refusal.data,
    status: refusal.status,
    challenge: refusal.challenge
  })
