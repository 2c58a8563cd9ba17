/**
 * The gateway for any number of clients, over streamable HTTP: those of every revision at one address, `/mcp`.
 *
 * @since 0.1.0
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { isLegacyRequest } from "@modelcontextprotocol/server"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { McpError } from "../mcp/McpError.ts"
import * as Clients from "./Clients.ts"
import * as Gateway from "./Gateway.ts"
import * as Access from "./internal/http/Access.ts"
import * as NodeExchange from "./internal/http/NodeExchange.ts"
import * as Sessions from "./internal/http/Sessions.ts"
import * as Stateless from "./internal/http/Stateless.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The address to listen on. Beyond the machine itself, a token is required. */
  readonly host: string
  /** Zero for one that is free. */
  readonly port: number
  /** What clients have to send as `Authorization: Bearer …`. */
  readonly token?: string | undefined
  /** Further names that clients may know the gateway by. */
  readonly hosts?: ReadonlyArray<string> | undefined
  /** How many sessions there may be. Default: 200. */
  readonly maxSessions?: number | undefined
  /** How many requests a client's address may have open. Default: 200. */
  readonly maxRequests?: number | undefined
  /** How long a session that asks nothing is kept. Default: 30 minutes. */
  readonly idle?: Duration.Duration | undefined
  /** The largest message. Default: 4 MiB. */
  readonly maxBytes?: number | undefined
}

/**
 * Listens as long as the Scope is open; gives the URL for clients.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<string, McpError, Gateway.Gateway | Clients.Clients | Scope.Scope> {
  const { host, hosts = [], idle = Duration.minutes(30), maxSessions = 200, port, token } = options
  if (token === undefined && !Access.isLoopback(host)) return yield* withoutToken(host)
  const gateway = yield* Gateway.Gateway
  const clients = yield* Clients.Clients
  const exchange = answering({
    ...options,
    access: Access.make({ host, hosts, token }),
    sessions: yield* Sessions.make({ gateway, clients, maxSessions, idle }),
    stateless: yield* Stateless.make({ gateway, clients })
  })
  const fork = Runtime.runFork(yield* Effect.runtime<never>())
  const server = createServer((incoming, outgoing) => {
    fork(exchange(incoming, outgoing))
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  yield* Effect.async<void, McpError>((resume) => {
    server.once("error", (error) => resume(Effect.fail(cannotListen(host, port, error))))
    server.listen(port, host, () => resume(Effect.void))
  })
  // A listening TCP server has an address with a port.
  const bound = (server.address() as AddressInfo).port
  return `http://${host.includes(":") ? `[${host}]` : host}:${bound}/mcp`
})

interface Parts extends Pick<Options, "maxRequests" | "maxBytes"> {
  readonly access: Access.Access
  readonly sessions: Sessions.Sessions
  readonly stateless: Stateless.Stateless
}

/** Answers one exchange to its end. */
const answering = ({ access, maxBytes = 4 * 1024 * 1024, maxRequests = 200, sessions, stateless }: Parts) => {
  const open = new Map<string, number>()

  const answer = Effect.fnUntraced(function* (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    request: Request,
    from: string
  ) {
    const refused = access(incoming)
    if (refused !== undefined) {
      const headers = refused.status === 401 ? { "www-authenticate": "Bearer" } : undefined
      return yield* NodeExchange.respond(
        outgoing,
        NodeExchange.refusal(refused.status, -32000, refused.message, headers)
      )
    }
    const { pathname } = new URL(request.url)
    if (pathname !== "/mcp")
      return yield* NodeExchange.respond(outgoing, NodeExchange.refusal(404, -32000, "Not found"))
    if ((open.get(from) ?? 0) > maxRequests) {
      return yield* NodeExchange.respond(
        outgoing,
        NodeExchange.refusal(429, -32000, `more than ${maxRequests} requests are open`)
      )
    }
    const text = request.method === "POST" ? yield* NodeExchange.body(incoming, maxBytes) : ""
    if (text === undefined) {
      return yield* NodeExchange.respond(
        outgoing,
        NodeExchange.refusal(413, -32000, `the message is larger than ${maxBytes} bytes`)
      )
    }
    const body = parsed(text)
    if (request.method === "POST" && body === undefined) {
      return yield* NodeExchange.respond(outgoing, NodeExchange.refusal(400, -32700, "Parse error: no JSON"))
    }
    const legacy = request.method !== "POST" || (yield* Effect.promise(() => isLegacyRequest(request, body)))
    const side = legacy ? sessions : stateless
    yield* side.handle(request, body, from).pipe(
      Effect.flatMap((response) => NodeExchange.respond(outgoing, response)),
      Effect.ensuring(side.done(request))
    )
  })

  return (incoming: IncomingMessage, outgoing: ServerResponse): Effect.Effect<void> =>
    Effect.suspend(() => {
      const from = incoming.socket.remoteAddress ?? "unknown"
      const gone = new AbortController()
      outgoing.on("close", () => gone.abort())
      open.set(from, (open.get(from) ?? 0) + 1)
      return Effect.suspend(() => answer(incoming, outgoing, NodeExchange.request(incoming, gone.signal), from)).pipe(
        Effect.catchAllCause(() =>
          Effect.sync(() => {
            if (!outgoing.headersSent) outgoing.writeHead(400)
            outgoing.end()
          })
        ),
        Effect.ensuring(
          Effect.sync(() => {
            const left = (open.get(from) ?? 1) - 1
            if (left > 0) open.set(from, left)
            else open.delete(from)
          })
        )
      )
    })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const failure = (message: string, hint: string): McpError =>
  new McpError({ server: "", phase: "config", kind: "config", message, hint })

const withoutToken = (host: string): McpError =>
  failure(`${host} can be reached from other machines`, "Name a variable that holds a token: --token-env NAME")

const cannotListen = (host: string, port: number, error: NodeJS.ErrnoException): McpError =>
  failure(
    `${host}:${port} cannot be listened on: ${error.code ?? error.message}`,
    "Choose another port, or 0 for a free one"
  )
