/**
 * The clients of the gateway and the calls that they have open: who is asked what a server asks, and who is told what it tells.
 *
 * A connection to a server is shared. What a server asks in the middle of a call, or logs, belongs to the one client that has a call
 * open there. Where several have, nobody could say whose it is: then a question is refused and a log message dropped, so that no
 * client ever sees what is another's.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as ClientFeatures from "../mcp/ClientFeatures.ts"
import { ErrorCode, type ErrorObject, type JsonObject } from "../mcp/JsonRpc.ts"
import type { Era } from "../mcp/ProtocolVersion.ts"
import * as LogLevels from "./internal/LogLevels.ts"

/**
 * One client, from its first message to its last.
 *
 * @since 0.1.0
 * @category models
 */
export interface Client {
  /** For people and the audit: what it calls itself, and which of those it is. */
  readonly name: () => string
  readonly era: Era
  /** The least serious log messages that it has asked for; unset until it has. */
  logLevel: unknown
  /** The resources that it wants to be told of, and the server of each. */
  readonly subscriptions: Map<string, string>
  /** Tells it something that belongs to no request of its. */
  readonly notify: (method: string, params?: JsonObject) => void
}

/**
 * A request of a client, while it is open.
 *
 * @since 0.1.0
 * @category models
 */
export interface Call {
  readonly client: Client
  /** What the client can do. */
  readonly capabilities: JsonObject
  /** The log messages that it wants with this request. */
  readonly logLevel: unknown
  /** Asks the client; interrupting it takes the question back. */
  readonly ask: (method: string, params: JsonObject | undefined) => Effect.Effect<unknown, ErrorObject>
  /** Tells the client something that belongs to the request. Runs synchronously, so that it comes before the result. */
  readonly notify: (method: string, params: JsonObject) => void
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly all: ReadonlySet<Client>
  readonly add: (client: Client) => void
  readonly remove: (client: Client) => void
  /** Runs the work as part of the call: what the server asks meanwhile is asked of its client. */
  readonly during: <A, E, R>(call: Call, server: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Tells every client. */
  readonly tell: (method: string, params?: JsonObject) => void
  readonly relay: ClientFeatures.Relay
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Clients extends Context.Tag("harness9/serve/Clients")<Clients, Service>() {}

/**
 * No client yet.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<Service> = Effect.sync(() => {
  const all = new Set<Client>()
  const open = new Map<string, Set<Call>>()
  /** Which client was asked to visit a page, by server and the server's id for it. */
  const visits = new Map<string, Client>()

  const track = (call: Call, server: string): Effect.Effect<void> =>
    Effect.sync(() => {
      const calls = open.get(server) ?? new Set()
      calls.add(call)
      open.set(server, calls)
    })

  const release = (call: Call, server: string): Effect.Effect<void> =>
    Effect.sync(() => {
      const calls = open.get(server)
      if (calls?.delete(call) === true && calls.size === 0) open.delete(server)
    })

  /** The latest call of the only client that has one open there. */
  const callOn = (server: string): Call | undefined => {
    const calls = [...(open.get(server) ?? [])]
    return new Set(calls.map(({ client }) => client)).size === 1 ? calls.at(-1) : undefined
  }

  const logged = (params: JsonObject, server: string) => {
    const call = callOn(server)
    if (call !== undefined) {
      const wanted = call.client.era === "modern" ? call.logLevel : (call.client.logLevel ?? "debug")
      if (LogLevels.covers(wanted, params.level)) call.notify("notifications/message", params)
      return
    }
    const [only, ...others] = all
    if (open.has(server) || only === undefined || others.length > 0 || only.era === "modern") return
    if (LogLevels.covers(only.logLevel ?? "debug", params.level)) only.notify("notifications/message", params)
  }

  const remember = (params: JsonObject | undefined, server: string, client: Client) => {
    if (typeof params?.elicitationId !== "string") return
    visits.set(`${server}\n${params.elicitationId}`, client)
    if (visits.size <= maxVisits) return
    for (const oldest of visits.keys()) return visits.delete(oldest)
  }

  const tell: Service["tell"] = (method, params) => {
    for (const client of all) client.notify(method, params)
  }

  return {
    all,
    add: (client) => all.add(client),
    remove: (client) => all.delete(client),
    during: (call, server, work) =>
      Effect.acquireUseRelease(
        track(call, server),
        () => Effect.locally(work, current, Option.some(call)),
        () => release(call, server)
      ),
    tell,
    relay: {
      capabilities: { sampling: { tools: {}, context: {} }, elicitation: { form: {}, url: {} } },
      answer: (method, params, { server }) =>
        Effect.flatMap(FiberRef.get(current), (own) => {
          const call = Option.getOrElse(own, () => callOn(server))
          if (call === undefined) return Effect.fail(nobody(method))
          if (!canBeAsked(call.capabilities, method, params)) return Effect.fail(incapable(method))
          remember(params, server, call.client)
          return call.ask(method, params)
        }),
      told: ({ method, params = {} }, { server }) =>
        Effect.sync(() => {
          switch (method) {
            case "notifications/message":
              return logged(params, server)
            case "notifications/resources/updated":
              for (const client of all) if (isSubscribed(client, server, params.uri)) client.notify(method, params)
              return
            case "notifications/prompts/list_changed":
            case "notifications/resources/list_changed":
              return tell(method)
            case "notifications/elicitation/complete":
              return visits.get(`${server}\n${String(params.elicitationId)}`)?.notify(method, params)
          }
        })
    }
  }
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Clients> = Layer.effect(Clients, make)

/** The call that a fiber works for. */
const current: FiberRef.FiberRef<Option.Option<Call>> = FiberRef.unsafeMake(Option.none())

/** How many visits of pages are remembered, for the word that one is over. */
const maxVisits = 1000

/** A server may tell of something below what was subscribed to. */
const isSubscribed = ({ subscriptions }: Client, server: string, uri: unknown): boolean => {
  if (typeof uri !== "string") return false
  if (subscriptions.get(uri) === server) return true
  return [...subscriptions].some(([above, of]) => of === server && uri.startsWith(`${above.replace(/\/$/, "")}/`))
}

const canBeAsked = (capabilities: JsonObject, method: string, params: JsonObject | undefined): boolean => {
  switch (method) {
    case "sampling/createMessage":
      return capabilities.sampling !== undefined
    case "elicitation/create":
      return canElicit(capabilities.elicitation, params?.mode === "url" ? "url" : "form")
    case "roots/list":
      return capabilities.roots !== undefined
    default:
      return false
  }
}

/** Without a mode, a client that can be asked at all can be asked by forms. */
const canElicit = (elicitation: unknown, mode: "form" | "url"): boolean => {
  if (typeof elicitation !== "object" || elicitation === null) return false
  return mode in elicitation || (mode === "form" && !("url" in elicitation))
}

const nobody = (method: string): ErrorObject => ({
  code: ErrorCode.MethodNotFound,
  message: `${method} cannot be answered: it is not known which client it is for`
})

const incapable = (method: string): ErrorObject => ({
  code: ErrorCode.MethodNotFound,
  message: `${method} is not supported by the client`
})
