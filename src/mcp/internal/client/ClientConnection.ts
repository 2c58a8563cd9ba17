/**
 * One connection, from the agreement on a revision on: the first list, then calls, and the list as it changes.
 *
 * Whoever uses it bounds the time and explains a failure: `McpClient` for a connection of its own, the Manager for its own.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as ClientFeatures from "../../ClientFeatures.ts"
import { isObject } from "../../JsonRpc.ts"
import * as Limits from "../../Limits.ts"
import type * as McpClient from "../../McpClient.ts"
import type { McpError } from "../../McpError.ts"
import type { Implementation, McpTool } from "../../McpSchema.ts"
import type * as McpTransport from "../../McpTransport.ts"
import type { Era } from "../../ProtocolVersion.ts"
import * as Telemetry from "../../Telemetry.ts"
import type * as Deadline from "../Deadline.ts"
import type { Redaction } from "../Redact.ts"
import { version } from "../version.ts"
import * as Announcements from "./Announcements.ts"
import * as Cache from "./Cache.ts"
import * as ClientRequests from "./ClientRequests.ts"
import * as LiveList from "./LiveList.ts"
import * as Negotiation from "./Negotiation.ts"
import * as OutputSchema from "./OutputSchema.ts"
import * as Pages from "./Pages.ts"
import * as RequestRate from "./RequestRate.ts"
import * as RequiredPages from "./RequiredPages.ts"
import * as ServerFeatures from "./ServerFeatures.ts"
import * as ServerMessages from "./ServerMessages.ts"
import * as Session from "./Session.ts"
import * as TaskCalls from "./TaskCalls.ts"
import * as ToolCalls from "./ToolCalls.ts"
import * as ToolLimits from "./ToolLimits.ts"
import * as ToolList from "./ToolList.ts"
import * as ToolResult from "./ToolResult.ts"
import * as TracedTransport from "./TracedTransport.ts"

const harness9: Implementation = { name: "harness9", version }

const thirtySeconds = Duration.seconds(30)
const oneMinute = Duration.minutes(1)

export interface Options extends Omit<McpClient.Options, "secrets"> {
  readonly transport: McpTransport.Service
  readonly redaction: Redaction
  readonly waitFor: Deadline.WaitFor
  /** What servers may ask of the program. Default: nothing. */
  readonly features?: ClientFeatures.Service | undefined
  /** The era that the server had before. */
  readonly remembered?: Era | undefined
  /** Runs with each list of the tools, the first included. */
  readonly onTools?: ((tools: ReadonlyArray<McpTool>) => Effect.Effect<void>) | undefined
}

export const make = Effect.fnUntraced(function* (
  given: Options
): Effect.fn.Return<McpClient.Service, McpError | Negotiation.EndedOnProbe, Scope.Scope> {
  const isTraced = yield* Telemetry.isOn
  const options = isTraced ? { ...given, transport: TracedTransport.make(given.transport, given.redaction) } : given
  const { callTimeout = oneMinute, listTimeout = thirtySeconds, redaction, transport } = options
  const warnings = new Map<string, ReadonlyArray<string>>()
  const warn = (subject: string, found: ReadonlyArray<string>) => warnings.set(subject, found)
  const output = OutputSchema.make({ warn })
  const { agreement, announcements, cache, session, tools, call } = yield* connect(
    options,
    listTimeout,
    output.listed,
    isTraced
  )
  const { server } = transport
  const { capabilities } = agreement
  const { failure } = redaction
  const { maxConcurrentCalls } = Limits.make(options.limits)
  const defaults = callOptions({ callTimeout, maxConcurrentCalls })
  const withDefaults = (options: McpClient.CallOptions | undefined) =>
    options === undefined ? defaults : callOptions({ callTimeout, maxConcurrentCalls }, options)
  const request: McpTransport.Service["request"] = (method, params, options) =>
    failure(session.request(method, params, options))

  return {
    server,
    ...agreement,
    ...ServerFeatures.make({
      server,
      capabilities,
      protocolVersion: agreement.protocolVersion,
      request,
      callOptions: withDefaults,
      listTimeout,
      limits: Limits.make(options.limits),
      announcements,
      cache,
      warn
    }),
    tools: Effect.map(tools.get, (list) => list.tools),
    toolsChanged: Stream.changes(Stream.map(tools.changes, (list) => list.tools)),
    // Not every caller is type-checked, and many servers refuse a call without arguments.
    callTool: (name, args, options) => {
      const answer = call(name, args ?? {}, withDefaults(options))
      return failure(output.checked(name, Effect.map(answer, ToolResult.read)))
    },
    forward: (method, params, options) => {
      const sent = { ...withDefaults(options), onBehalf: options.onBehalf }
      if (method !== "tools/call") return failure(session.request(method, params, sent))
      const { arguments: args, name, ...rest } = params
      return failure(call(String(name), isObject(args) ? args : {}, sent, rest))
    },
    subscribeResource: (uri) => failure(session.subscriptions.add(uri)),
    unsubscribeResource: (uri) => failure(session.subscriptions.remove(uri)),
    setLogLevel: (level) => (capabilities.logging === undefined ? Effect.void : failure(session.setLogLevel(level))),
    request,
    ping: session.ping.pipe(
      // A server that does not know `ping` has answered it.
      Effect.catchIf(
        (error) => error.kind === "rpc",
        () => Effect.void
      ),
      Effect.asVoid,
      failure
    ),
    closed: failure(transport.closed),
    diagnostics: Effect.map(transport.diagnostics, redaction.diagnostics),
    warnings: Effect.map(tools.get, (list) => [...list.warnings, ...[...warnings.values()].flat()].map(redaction.text))
  }
})

/** Agrees with the server and lists its tools; from then on the list follows the server's changes. */
const connect = Effect.fnUntraced(function* (
  options: Options,
  listTimeout: Duration.Duration,
  listed: OutputSchema.OutputSchema["listed"],
  isTraced: boolean
) {
  const { clientInfo = harness9, connectTimeout = thirtySeconds, features = ClientFeatures.none } = options
  const { onTools, protocolVersion: pinned, remembered, transport, waitFor } = options
  const { server } = transport
  const announcements = yield* Announcements.make
  const cache = Cache.make()
  const limits = Limits.make(options.limits)
  const requests = ClientRequests.make(RequestRate.bound(features, limits), { server })
  const requiredPages = RequiredPages.make(server, requests.answer)
  const tools = yield* LiveList.make({
    initial: ToolList.empty,
    refreshed: ToolList.refreshed,
    onChange: ({ tools }) =>
      Effect.suspend(() => {
        listed(tools)
        return onTools?.(tools) ?? Effect.void
      })
  })
  let session: Session.Session | undefined
  let calls: TaskCalls.TaskCalls | undefined

  const noted = (notification: McpClient.Notification) => {
    switch (notification.method) {
      case "notifications/tools/list_changed":
        return tools.changed
      case "notifications/subscriptions/acknowledged":
        return session?.acknowledged(notification.params) ?? Effect.void
      case "notifications/progress":
        return calls?.progressed(notification.params) ?? Effect.void
      case "notifications/elicitation/complete":
        return Effect.zipRight(requiredPages.completed(notification.params), requests.completed(notification.params))
      default:
        return Effect.void
    }
  }
  yield* ServerMessages.serve({
    transport,
    answer: requests.answer,
    onNotification: (notification) =>
      Effect.suspend(() => {
        cache.told(notification)
        const known = Effect.zipRight(noted(notification), announcements.tell(notification))
        const relayed = features.relay?.told(notification, { server })
        return relayed === undefined ? known : Effect.zipRight(relayed, known)
      })
  })

  const { capabilities } = requests
  const negotiation = Negotiation.run({ transport, clientInfo, capabilities, pinned, remembered, waitFor })
  const agreement = yield* isTraced ? handshakeSpan(server, negotiation, options.redaction) : negotiation
  session = yield* Session.make({
    transport,
    agreement,
    pinned,
    clientInfo,
    requests,
    requiredPages,
    connectTimeout,
    listTimeout,
    onGap: Effect.zipRight(Effect.sync(cache.clear), tools.changed)
  })
  const { listen, request, rootsChanged } = session

  const withHeaders = agreement.negotiation.era === "modern" && transport.kind === "http"
  const pages = Pages.collect({
    server,
    method: "tools/list",
    field: "tools",
    limits,
    request: (method, params) => request(method, params, { phase: "list", timeout: listTimeout })
  })
  const load = tools.load(Effect.map(pages, (pages) => ToolLimits.apply(ToolList.read(pages, withHeaders), limits)))
  yield* listen
  if (agreement.capabilities.tools !== undefined) {
    waitFor("list", "answer to tools/list")
    yield* load
  }
  if (features.roots?.changes !== undefined) {
    yield* Effect.forkScoped(Stream.runForEach(features.roots.changes, () => Effect.ignore(rootsChanged)))
  }
  const send = withHeaders
    ? ToolCalls.withHeaders({ request, list: tools.latest.get, relist: load })
    : ToolCalls.plain(request)
  calls = TaskCalls.make({ server, agreement, request, send, list: tools.latest.get, answer: requests.answer })
  return { agreement, announcements, cache, session, tools: tools.latest, call: calls.send }
})

const handshakeSpan = (
  server: string,
  negotiation: ReturnType<typeof Negotiation.run>,
  redaction: Redaction
): ReturnType<typeof Negotiation.run> =>
  Telemetry.span(
    "handshake",
    {
      attributes: { "harness9.server": server },
      onResult: ({ protocolVersion }) => ({ "mcp.protocol.version": protocolVersion })
    },
    () => Effect.mapError(negotiation, (failure) => Negotiation.mapFailure(failure, redaction.error))
  )

/** A call always asks for progress: it starts the time anew, whether or not somebody wants to see it. */
const callOptions = (
  bounds: { readonly callTimeout: Duration.Duration; readonly maxConcurrentCalls: number },
  { maxTimeout, onProgress = unseen, timeout = bounds.callTimeout }: McpClient.CallOptions = {}
): McpTransport.RequestOptions => ({
  phase: "call",
  timeout,
  maxTimeout: maxTimeout ?? Duration.times(timeout, 10),
  maxOpen: bounds.maxConcurrentCalls,
  onProgress
})

const unseen = () => Effect.void
