/**
 * The servers behind the gateway: a request finds its server also when that is being connected again, and what a connection was told
 * is told to the next one.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as ServerClients from "../engine/ServerClients.ts"
import * as Pages from "../mcp/internal/client/Pages.ts"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type * as McpClient from "../mcp/McpClient.ts"
import type { McpError } from "../mcp/McpError.ts"
import type * as McpManager from "../mcp/McpManager.ts"
import type { LogLevel, Progress, ServerCapabilities } from "../mcp/McpSchema.ts"
import { era } from "../mcp/ProtocolVersion.ts"
import type { ServerStatus } from "../mcp/ServerStatus.ts"
import * as McpToolAdapter from "../tool/McpToolAdapter.ts"
import type { Call } from "./Clients.ts"
import * as LogLevels from "./internal/LogLevels.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Forwarded {
  readonly result: unknown
  readonly client: McpClient.Service
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ForwardOptions {
  /** Whether the request may be made once more when its connection is lost. */
  readonly repeatable: boolean
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Upstreams {
  /** The servers that can be used or are being connected again, in the order of the configuration. */
  readonly present: Effect.Effect<ReadonlyArray<string>>
  /** An element each time that they are others. */
  readonly presentChanged: Stream.Stream<void>
  readonly forward: (
    server: string,
    method: string,
    params: JsonObject,
    call: Call,
    options: ForwardOptions
  ) => Effect.Effect<Forwarded, McpError>
  /** The entries of a server's list as the server wrote them; as last seen while the server is away, none where it has no such list. */
  readonly list: (server: string, list: List) => Effect.Effect<ReadonlyArray<unknown>>
  /** The same as last seen, without asking. */
  readonly seen: (server: string, list: List) => Effect.Effect<ReadonlyArray<unknown>>
  readonly subscribe: (server: string, uri: string) => Effect.Effect<void, McpError>
  readonly unsubscribe: (server: string, uri: string) => Effect.Effect<void, McpError>
  /** Somebody wants log messages from this level on. */
  readonly wantLogs: (level: unknown) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface List {
  readonly capability: keyof ServerCapabilities
  readonly method: string
  readonly field: string
}

/** How long a request waits for a server that is being connected. */
const patience = Duration.seconds(30)
/** How long a list may keep the lists of other servers. */
const listTimeout = Duration.seconds(15)

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  manager: McpManager.Service
): Effect.fn.Return<Upstreams, never, Scope.Scope> {
  const subscribed = new Map<string, Map<string, number>>()
  const seen = new Map<string, ReadonlyArray<unknown>>()
  let logLevel: LogLevel | undefined

  const connected = (server: string) =>
    Effect.catchAll(manager.client(server), (error) =>
      Stream.runHead(Stream.filter(manager.changes, (all) => hasSettled(all, server))).pipe(
        Effect.timeoutFail({ duration: patience, onTimeout: () => error }),
        Effect.zipRight(manager.client(server))
      )
    )

  const setLogLevel = (client: McpClient.Service) =>
    logLevel === undefined ? Effect.void : Effect.ignore(client.setLogLevel(logLevel))

  const renew = (client: McpClient.Service) =>
    Effect.gen(function* () {
      yield* setLogLevel(client)
      for (const uri of subscribed.get(client.server)?.keys() ?? []) {
        yield* Effect.ignore(client.subscribeResource(uri))
      }
      return yield* Effect.never
    })
  yield* Effect.forkScoped(ServerClients.forEach(manager, renew))

  const entries = (client: McpClient.Service, { capability, field, method }: List) =>
    client.capabilities[capability] === undefined
      ? Effect.succeed([])
      : Effect.map(
          Pages.collect({
            server: client.server,
            method,
            field,
            request: (method, params) => client.request(method, params, { phase: "list", timeout: listTimeout })
          }),
          (pages) => pages.entries
        )

  const present = Effect.gen(function* () {
    const usable = new Set((yield* manager.statuses).flatMap((status) => (isPresent(status) ? [status.name] : [])))
    return (yield* manager.servers).map(({ name }) => name).filter((name) => usable.has(name))
  })

  return {
    present,
    presentChanged: manager.changes.pipe(
      Stream.map((all) => all.flatMap((status) => (isPresent(status) ? [status.name] : [])).join("\n")),
      Stream.changes,
      Stream.drop(1),
      Stream.map(() => undefined)
    ),
    forward: (server, method, params, call, { onProgress, repeatable }) => {
      const once = Effect.flatMap(connected(server), (client) => {
        const answersItself = era(client.protocolVersion) === call.client.era
        const wanted = call.logLevel ?? call.client.logLevel
        const onBehalf = { capabilities: call.capabilities, logLevel: wanted, answersItself }
        return Effect.map(client.forward(method, params, { onProgress, onBehalf }), (result) => ({ result, client }))
      })
      return repeatable ? McpToolAdapter.repeatedOnce(once, patience) : once
    },
    list: (server, list) => {
      const key = `${server}\n${list.method}`
      return Effect.flatMap(manager.client(server), (client) => entries(client, list)).pipe(
        Effect.timeout(listTimeout),
        Effect.tap((found) => Effect.sync(() => seen.set(key, found))),
        Effect.catchAll(() => Effect.succeed(seen.get(key) ?? []))
      )
    },
    seen: (server, { method }) => Effect.sync(() => seen.get(`${server}\n${method}`) ?? []),
    subscribe: (server, uri) =>
      Effect.gen(function* () {
        const client = yield* connected(server)
        const uris = subscribed.get(server) ?? new Map<string, number>()
        const count = uris.get(uri) ?? 0
        if (count === 0) yield* client.subscribeResource(uri)
        subscribed.set(server, uris.set(uri, count + 1))
      }),
    unsubscribe: (server, uri) =>
      Effect.suspend(() => {
        const uris = subscribed.get(server)
        const count = uris?.get(uri) ?? 0
        if (uris === undefined || count === 0) return Effect.void
        if (count > 1) return Effect.sync(() => uris.set(uri, count - 1))
        uris.delete(uri)
        return Effect.flatMap(connected(server), (client) => client.unsubscribeResource(uri))
      }).pipe(Effect.asVoid),
    wantLogs: (level) =>
      Effect.suspend(() => {
        if (!LogLevels.isLevel(level) || LogLevels.lower(logLevel, level) === logLevel) return Effect.void
        logLevel = level
        return Effect.flatMap(present, (servers) =>
          Effect.forEach(servers, (server) => Effect.ignore(Effect.flatMap(manager.client(server), setLogLevel)), {
            concurrency: "unbounded",
            discard: true
          })
        )
      })
  }
})

const isPresent = ({ _tag }: ServerStatus): boolean => _tag === "Connected" || _tag === "Reconnecting"

/** The server is usable, or nothing more happens to it by itself. */
const hasSettled = (all: ReadonlyArray<ServerStatus>, server: string): boolean => {
  const status = all.find(({ name }) => name === server)
  return status === undefined || !(status._tag === "Reconnecting" || status._tag === "Pending")
}
