/**
 * A server reached over the HTTP+SSE of revision 2024-11-05: one event stream that the server names an address on, to which
 * each message is posted; every reply comes on the stream.
 *
 * When the stream ends, the connection is gone: there is no way to resume it.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Connection from "./internal/Connection.ts"
import * as HttpEndpoint from "./internal/http/HttpEndpoint.ts"
import type * as HttpFields from "./internal/http/HttpFields.ts"
import * as ServerStream from "./internal/http/ServerStream.ts"
import * as JsonRpc from "./JsonRpc.ts"
import { inPhase, type Kind, McpError, type Phase } from "./McpError.ts"
import * as McpTransport from "./McpTransport.ts"
import type { ProtocolVersion } from "./ProtocolVersion.ts"
import * as VisibleText from "./VisibleText.ts"

/**
 * Where the server is, and what goes with every message to it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends HttpEndpoint.Options {
  /** How long the server may take to name the address for messages. Default: 15 seconds. */
  readonly endpointTimeout?: Duration.Duration | undefined
}

/**
 * Connects to a server over HTTP+SSE. Does not wait for the stream: messages do.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Effect.Effect<McpTransport.Service, McpError, Scope.Scope> = Effect.fnUntraced(
  function* ({ endpointTimeout = Duration.seconds(15), ...options }) {
    const { server } = options
    const endpoint = yield* HttpEndpoint.make(options)
    const run = yield* FiberSet.makeRuntime<never>()
    const address = yield* Deferred.make<URL, McpError>()
    let version: ProtocolVersion | undefined
    let refusal: McpError | undefined

    const failure = (kind: Kind, message: string) => new McpError({ server, phase: "connect", kind, message })

    const connection: Connection.Connection = yield* Connection.make({
      server,
      messagesPerSecond: options.messagesPerSecond,
      write: (body, request) => {
        const phase = request?.options?.phase ?? "call"
        const posted = Effect.flatMap(target(phase), (url) =>
          endpoint.post({ url, body, phase, fields: fieldsOf(request?.options?.headers), session: false })
        )
        // A notification that goes this way tells of a request that was given up: nobody waits to hear how it fared.
        run(request === undefined ? Effect.ignore(posted) : Effect.catchAll(posted, failed(request.id)))
      }
    })

    const failed = (id: number) => (error: McpError) => Effect.sync(() => connection.fail(id, error))

    const target = (phase: Phase) => Effect.mapError(Deferred.await(address), inPhase(phase))

    const fieldsOf = (own?: HttpFields.Fields): HttpFields.Fields => ({
      ...(version === undefined ? undefined : { "mcp-protocol-version": version }),
      ...own
    })

    const deliver = (phase: Phase, encode: () => string, own?: HttpFields.Fields) =>
      Effect.flatMap(connection.encoded(phase, encode), (body) =>
        Effect.flatMap(target(phase), (url) =>
          endpoint.deliver({ url, body, phase, fields: fieldsOf(own), session: false })
        )
      )

    const close = (reason: McpError) => {
      connection.close(reason)
      Deferred.unsafeDone(address, Effect.fail(reason))
    }

    const onAddress = (text: string) => {
      const url = URL.canParse(text, endpoint.url.href) ? new URL(text, endpoint.url.href) : undefined
      if (url?.origin === endpoint.url.origin) return Deferred.unsafeDone(address, Effect.succeed(url))
      refusal =
        url === undefined
          ? failure("protocol", "the server names an address for messages that cannot be read")
          : failure(
              "protocol",
              `the server wants messages at another origin, ${VisibleText.oneLine(url.origin)}; refused`
            )
    }

    const stream = ServerStream.read(endpoint, {
      phase: "connect",
      fields: fieldsOf,
      session: () => false,
      rest: connection.rest,
      isDone: () => refusal !== undefined,
      onOversize: () => connection.receive(`(a message over the limit of ${endpoint.maxBodyBytes} bytes)`),
      onEvent: ({ data, event }) => {
        if (event === "endpoint") onAddress(data)
        else if (event === "message" && data !== "") connection.receive(data)
      }
    }).pipe(Effect.flatMap(() => Effect.fail(refusal ?? failure("network", "the server ended the event stream"))))

    const named = Deferred.await(address).pipe(
      Effect.timeoutFail({
        duration: endpointTimeout,
        onTimeout: () =>
          failure(
            "timeout",
            `no address for messages came on the event stream within ${Duration.format(endpointTimeout)}`
          )
      }),
      Effect.zipRight(Effect.never)
    )

    yield* Effect.raceFirst(stream, named).pipe(
      Effect.catchAll((reason) => Effect.sync(() => close(reason))),
      Effect.forkScoped
    )
    yield* Effect.addFinalizer(() => Effect.sync(() => close(failure("closed", "the connection was closed"))))

    return {
      kind: "sse",
      server,
      request: (method, params, options) => connection.request(method, params, options),
      notify: (method, params, options) =>
        deliver(options?.phase ?? "call", () => JsonRpc.encodeNotification(method, params), options?.headers),
      respond: (id, reply) =>
        Effect.ensuring(
          deliver("call", () => JsonRpc.encodeReply(id, reply)),
          Effect.sync(() => connection.answered(id))
        ),
      inbound: connection.inbound,
      closed: connection.closed,
      negotiated: (agreed) =>
        Effect.sync(() => {
          version = agreed
        }),
      diagnostics: connection.diagnostics
    }
  }
)

/**
 * A server over HTTP+SSE as the transport.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<McpTransport.McpTransport, McpError> =>
  Layer.scoped(McpTransport.McpTransport, make(options))
