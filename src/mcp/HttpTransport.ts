/**
 * A server reached over Streamable HTTP: each message is a POST, the reply comes as JSON or as an event stream.
 *
 * HTTP has no connection that could be lost: `closed` fails when the Scope closes, and not before. A server that is gone
 * fails each request by itself, at once, and is used again when it is back. One that has forgotten the session fails
 * requests with kind `session-lost`; the next `initialize` then opens a new session on the same transport.
 *
 * Revisions with a handshake: the session id comes from the reply to `initialize`, the revision from `negotiated`; both go
 * with every later message. After `notifications/initialized` the server's own stream is kept open, if it has one. A reply whose
 * stream breaks off is resumed where the server allows it, and never asked for a second time. Closing the Scope ends
 * the session.
 *
 * Stateless revisions: there is none of that. A message is sent so when its `mcp-protocol-version` header, or else the
 * revision in its own `_meta`, or else the negotiated revision is a stateless one, so a client can ask `server/discover`
 * before anything is agreed on; the standard headers are derived from the message.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import * as FiberId from "effect/FiberId"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Connection from "./internal/Connection.ts"
import type * as HttpConnection from "./internal/http/HttpConnection.ts"
import * as HttpEndpoint from "./internal/http/HttpEndpoint.ts"
import * as HttpFields from "./internal/http/HttpFields.ts"
import * as HttpReply from "./internal/http/HttpReply.ts"
import * as HttpSession from "./internal/http/HttpSession.ts"
import * as ServerStream from "./internal/http/ServerStream.ts"
import * as JsonRpc from "./JsonRpc.ts"
import { McpError, type Phase } from "./McpError.ts"
import * as McpTransport from "./McpTransport.ts"

/**
 * Where the server is, and what goes with every message to it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends HttpEndpoint.Options {}

/** A request under way: how to end it, and whether ending it is all that the server needs to know. */
interface Open {
  readonly abort: () => void
  readonly stateless: boolean
}

/**
 * Connects to a server over Streamable HTTP. Nothing is sent before the first message.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Effect.Effect<McpTransport.Service, McpError, Scope.Scope> = Effect.fnUntraced(
  function* (options) {
    const { server } = options
    const endpoint = yield* HttpEndpoint.make(options)
    const run = yield* FiberSet.makeRuntime<never>()
    const serverStream = yield* FiberHandle.make()
    const open = new Map<number, Open>()
    const session = HttpSession.make()

    const connection: Connection.Connection = yield* Connection.make({
      server,
      messagesPerSecond: options.messagesPerSecond,
      write: (message, request) => {
        if (request !== undefined) send(message, request)
      },
      cancel: (requestId, reason) => {
        const given = open.get(requestId)
        open.delete(requestId)
        if (given?.stateless !== true) run(Effect.ignore(notify("notifications/cancelled", { requestId, reason })))
        given?.abort()
      }
    })

    const send = (body: string, { id, method, options, params }: Connection.Outgoing) => {
      const phase = options?.phase ?? "call"
      const { own, session: named, stateless } = session.of({ method, params }, options?.headers)
      const settled = () => open.delete(id)
      const fail = (error: McpError) => {
        settled()
        session.dropIfLost(error, named)
        connection.fail(id, error)
      }
      let exchange: HttpConnection.Exchange | undefined
      exchange = endpoint.send(
        { method: "POST", url: endpoint.url, headers: endpoint.fields("POST", own), body, phase },
        HttpReply.receiver(endpoint, {
          id,
          method,
          phase,
          own: options?.headers,
          session: named !== undefined,
          onHeaders: (headers) => {
            if (method === "initialize") session.offer(HttpFields.get(headers, "mcp-session-id"))
          },
          onMessage: connection.receive,
          rest: connection.rest,
          isOpen: () => connection.isOpen(id),
          onReplied: () => {
            settled()
            exchange?.finish()
          },
          onBroken: (at, error) => {
            if (!connection.isOpen(id)) return settled()
            if (stateless || at.lastEventId === undefined) return fail(error)
            const fiber = run(
              Effect.matchEffect(resume(id, phase, at, error), {
                onFailure: (failure) => Effect.sync(() => fail(failure)),
                onSuccess: () => Effect.sync(settled)
              })
            )
            open.set(id, { abort: () => fiber.unsafeInterruptAsFork(FiberId.none), stateless })
          },
          onFailure: (error) => {
            fail(error)
            exchange?.abort()
          }
        })
      )
      if (connection.isOpen(id)) open.set(id, { abort: exchange.abort, stateless })
    }

    const stream = (phase: Phase, isDone?: () => boolean) => (lastEventId: string | undefined) =>
      ServerStream.read(
        endpoint,
        {
          phase,
          fields: session.fields,
          session: session.isOpen,
          rest: connection.rest,
          onEvent: ({ data, event }) => {
            if (event === "message" && data !== "") connection.receive(data)
          },
          onOversize: () => connection.receive(`(a message over the limit of ${endpoint.maxBodyBytes} bytes)`),
          ...(isDone === undefined ? undefined : { isDone })
        },
        lastEventId
      )

    const resume = (id: number, phase: Phase, from: ServerStream.Position, error: McpError) => {
      const isDone = () => !connection.isOpen(id)
      return ServerStream.resume({ from, isDone, open: stream(phase, isDone), giveUp: () => error })
    }

    const post = (
      phase: Phase,
      encode: () => string,
      message: Parameters<typeof session.of>[0] = {},
      extra?: HttpFields.Fields
    ): Effect.Effect<void, McpError> =>
      Effect.flatMap(connection.encoded(phase, encode), (body) => {
        const { own, session: named } = session.of(message, extra)
        return endpoint
          .deliver({ url: endpoint.url, body, fields: own, phase, session: named !== undefined })
          .pipe(Effect.tapError((error) => Effect.sync(() => session.dropIfLost(error, named))))
      })

    const notify: McpTransport.Service["notify"] = (method, params, options) => {
      const encode = () => JsonRpc.encodeNotification(method, params)
      const sent = post(options?.phase ?? "call", encode, { method, params }, options?.headers)
      return method === "notifications/initialized" ? Effect.zipLeft(sent, listen) : sent
    }

    const listen = Effect.suspend(() =>
      session.isStateless()
        ? Effect.void
        : Effect.asVoid(FiberHandle.run(serverStream, ServerStream.keepOpen(stream("connect"))))
    )

    const request: McpTransport.Service["request"] = (method, params, options) => {
      const sent = endpoint.withLogin("POST", (login) =>
        connection.request(
          method,
          params,
          login === undefined ? options : { ...options, headers: HttpFields.join(options?.headers, login) }
        )
      )
      if (method === "initialize") return initialize(sent)
      return options?.silent === true ? Effect.ensuring(sent, abortGivenUp) : sent
    }

    /** A new session: what is left of an old one ends. */
    const initialize = (sent: Effect.Effect<unknown, McpError>) =>
      Effect.suspend(() => {
        session.begin()
        return Effect.zipRight(FiberHandle.clear(serverStream), sent)
      }).pipe(
        Effect.tap(() => Effect.sync(session.adopt)),
        Effect.ensuring(abortGivenUp)
      )

    /** A silent request that is given up is not told to `cancel`. */
    const abortGivenUp = Effect.sync(() => {
      for (const [id, given] of open) {
        if (connection.isOpen(id)) continue
        open.delete(id)
        given.abort()
      }
    })

    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        connection.close(
          new McpError({ server, phase: "connect", kind: "closed", message: "the connection was closed" })
        )
        for (const { abort } of open.values()) abort()
        yield* FiberHandle.clear(serverStream)
        if (session.isOpen()) yield* endpoint.endSession(session.fields())
      })
    )

    return {
      kind: "http",
      server,
      request,
      notify,
      respond: (id, reply) =>
        Effect.ensuring(
          post("call", () => JsonRpc.encodeReply(id, reply)),
          Effect.sync(() => connection.answered(id))
        ),
      inbound: connection.inbound,
      closed: connection.closed,
      negotiated: (version) => Effect.sync(() => session.agree(version)),
      diagnostics: connection.diagnostics
    }
  }
)

/**
 * A server over Streamable HTTP as the transport.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<McpTransport.McpTransport, McpError> =>
  Layer.scoped(McpTransport.McpTransport, make(options))
