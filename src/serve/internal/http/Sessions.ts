/**
 * The sessions of clients with a handshake: each has its own connection to the gateway, and ends when the client says so or has
 * been idle for long.
 */
import { randomUUID } from "node:crypto"
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type * as Clients from "../../Clients.ts"
import type * as Gateway from "../../Gateway.ts"
import * as ClientServer from "../ClientServer.ts"
import * as NodeExchange from "./NodeExchange.ts"

export interface Options {
  readonly gateway: Gateway.Service
  readonly clients: Clients.Service
  readonly maxSessions: number
  /** How long a session without an open request is kept. */
  readonly idle: Duration.Duration
}

export interface Sessions {
  /** Answers a request of a session, or the one that begins it. */
  readonly handle: (request: Request, body: unknown, from: string) => Effect.Effect<Response>
  /** A request of the session is answered, and its stream closed. */
  readonly done: (request: Request) => Effect.Effect<void>
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  open: number
  lastUsed: number
}

/** Every session ends with the Scope. */
export const make = Effect.fnUntraced(function* ({
  clients,
  gateway,
  idle,
  maxSessions
}: Options): Effect.fn.Return<Sessions, never, Scope.Scope> {
  const runtime = yield* Effect.runtime<never>()
  const sessions = new Map<string, Session>()
  const ofRequest = new WeakMap<Request, Session>()

  const close = ({ transport }: Session) => Effect.promise(() => transport.close())

  const sweep = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const session of sessions.values()) {
      if (session.open === 0 && now - session.lastUsed > Duration.toMillis(idle)) yield* close(session)
    }
  })
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(Duration.min(idle, Duration.minutes(1)))))
  yield* Effect.addFinalizer(() => Effect.forEach([...sessions.values()], close, { discard: true }))

  const begin = Effect.fnUntraced(function* (from: string) {
    const instructions = yield* gateway.instructions
    const now = yield* Clock.currentTimeMillis
    const { client, server } = ClientServer.make({ gateway, runtime, instructions, era: "legacy", from })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, session)
      },
      onsessionclosed: () => transport.close()
    })
    const session: Session = { transport, open: 0, lastUsed: now }
    server.oninitialized = () => clients.add(client)
    server.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId)
      Runtime.runFork(runtime)(gateway.leave(client))
    }
    yield* Effect.promise(() => server.connect(transport))
    return session
  })

  const find = (request: Request, body: unknown, from: string): Effect.Effect<Session | Response> =>
    Effect.suspend(() => {
      const id = request.headers.get("mcp-session-id")
      if (id !== null) {
        const known = sessions.get(id)
        return Effect.succeed(known ?? NodeExchange.refusal(404, -32001, "Session not found"))
      }
      if (!isInitializeRequest(body)) {
        return Effect.succeed(NodeExchange.refusal(400, -32000, "Bad Request: Mcp-Session-Id header is required"))
      }
      return sessions.size < maxSessions
        ? begin(from)
        : Effect.succeed(NodeExchange.refusal(503, -32000, `more than ${maxSessions} sessions are open`))
    })

  return {
    handle: (request, body, from) =>
      Effect.flatMap(find(request, body, from), (session) => {
        if (session instanceof Response) return Effect.succeed(session)
        session.open += 1
        ofRequest.set(request, session)
        return Effect.promise(() =>
          session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body })
        )
      }),
    done: (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.sync(() => {
          const session = ofRequest.get(request)
          if (session === undefined) return
          session.open -= 1
          session.lastUsed = now
        })
      )
  }
})
