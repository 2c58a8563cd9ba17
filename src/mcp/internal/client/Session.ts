/**
 * A conversation with a server, whichever era it is of: what was agreed on, and how a request is made under that.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { JsonObject } from "../../JsonRpc.ts"
import type { McpError } from "../../McpError.ts"
import type { Implementation, LogLevel } from "../../McpSchema.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as ProtocolVersion from "../../ProtocolVersion.ts"
import * as Deadline from "../Deadline.ts"
import type * as Agreement from "./Agreement.ts"
import type { ClientRequests } from "./ClientRequests.ts"
import * as Handshake from "./Handshake.ts"
import * as Listening from "./Listening.ts"
import * as ModernRequests from "./ModernRequests.ts"
import * as Renewal from "./Renewal.ts"
import type { RequiredPages } from "./RequiredPages.ts"
import * as ResourceSubscriptions from "./ResourceSubscriptions.ts"

export interface Session {
  readonly request: McpTransport.Service["request"]
  readonly ping: Effect.Effect<unknown, McpError>
  readonly setLogLevel: (level: LogLevel) => Effect.Effect<void, McpError>
  readonly subscriptions: ResourceSubscriptions.ResourceSubscriptions
  /** Tells the server that the program's roots have changed, where servers care. */
  readonly rootsChanged: Effect.Effect<void, McpError>
  /** Begins to hear what the server tells on its own. */
  readonly listen: Effect.Effect<void>
  /** The server has begun to tell. */
  readonly acknowledged: (params: JsonObject | undefined) => Effect.Effect<void>
}

export interface Options {
  readonly transport: McpTransport.Service
  readonly agreement: Agreement.Agreement
  /** The revision that the configuration prescribes. */
  readonly pinned: ProtocolVersion.ProtocolVersion | undefined
  readonly clientInfo: Implementation
  readonly requests: ClientRequests
  readonly requiredPages: RequiredPages
  /** How long a new session may take to open. */
  readonly connectTimeout: Duration.Duration
  readonly listTimeout: Duration.Duration
  /** What the server has told may have been missed. */
  readonly onGap: Effect.Effect<void>
}

export const make = (options: Options): Effect.Effect<Session, never, Scope.Scope> => {
  const { protocolVersion: version } = options.agreement
  return ProtocolVersion.isModern(version) ? modern(options, version) : legacy(options)
}

const modern = Effect.fnUntraced(function* (
  { agreement, clientInfo, listTimeout, onGap, requests, transport }: Options,
  version: ProtocolVersion.ModernVersion
): Effect.fn.Return<Session, never, Scope.Scope> {
  const capabilities = requests.capabilities("modern")
  const { request, setLogLevel } = ModernRequests.make({
    transport,
    version,
    clientInfo,
    capabilities,
    answer: requests.answer
  })
  const listening = yield* Listening.make({
    server: transport.server,
    capabilities: agreement.capabilities,
    request,
    timeout: listTimeout,
    onGap
  })
  return {
    request,
    // There is no ping any more; this costs as little.
    ping: request("server/discover", undefined, { timeout: listTimeout }),
    setLogLevel,
    subscriptions: listening,
    rootsChanged: Effect.void,
    listen: listening.start,
    acknowledged: listening.acknowledged
  }
})

const legacy = Effect.fnUntraced(function* ({
  agreement,
  clientInfo,
  connectTimeout,
  listTimeout,
  onGap,
  pinned,
  requests,
  requiredPages,
  transport
}: Options): Effect.fn.Return<Session, never, Scope.Scope> {
  const withTimeout = { timeout: listTimeout }
  const subscribed = new Set<string>()
  let logLevel: LogLevel | undefined

  const again = Deadline.within(transport.server, connectTimeout, (waitFor) => {
    waitFor("handshake", "answer to initialize")
    const capabilities = requests.capabilities("legacy")
    return Handshake.run(transport, {
      clientInfo,
      capabilities,
      pinned: ProtocolVersion.isLegacy(pinned) ? pinned : undefined,
      reason: agreement.negotiation.reason
    })
  })
  /** What the server knew of the client's wishes. */
  const wishes = Effect.suspend(() =>
    Effect.zipRight(
      logLevel === undefined
        ? Effect.void
        : Effect.ignore(transport.request("logging/setLevel", { level: logLevel }, withTimeout)),
      ResourceSubscriptions.renew(subscribed, transport.request, withTimeout)
    )
  )
  const request = requiredPages.visiting(
    transport.kind === "http"
      ? yield* Renewal.renewing(transport.request, Effect.zipRight(again, Effect.zipRight(wishes, onGap)))
      : transport.request
  )
  const subscriptions = ResourceSubscriptions.make(subscribed, request, withTimeout)

  return {
    request,
    ping: request("ping", undefined, withTimeout),
    setLogLevel: (level) =>
      Effect.map(request("logging/setLevel", { level }, withTimeout), () => {
        logLevel = level
      }),
    subscriptions,
    rootsChanged: transport.notify("notifications/roots/list_changed"),
    listen: Effect.void,
    acknowledged: () => Effect.void
  }
})
