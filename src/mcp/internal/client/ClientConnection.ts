/**
 * One connection from its handshake on: the first list, then calls, and the list as it changes.
 *
 * Whoever uses it bounds the time and explains a failure: `McpClient` for a connection of its own, the Manager for its own.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as McpClient from "../../McpClient.ts"
import type { McpError } from "../../McpError.ts"
import type { Implementation, McpTool } from "../../McpSchema.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as Deadline from "../Deadline.ts"
import type { Redaction } from "../Redact.ts"
import { version } from "../version.ts"
import * as Announcements from "./Announcements.ts"
import * as Cache from "./Cache.ts"
import * as Handshake from "./Handshake.ts"
import * as LiveList from "./LiveList.ts"
import * as Pages from "./Pages.ts"
import * as Renewal from "./Renewal.ts"
import * as ServerFeatures from "./ServerFeatures.ts"
import * as ServerMessages from "./ServerMessages.ts"
import * as ToolList from "./ToolList.ts"
import * as ToolResult from "./ToolResult.ts"

const harness9: Implementation = { name: "harness9", version }

const thirtySeconds = Duration.seconds(30)
const oneMinute = Duration.minutes(1)

export interface Options extends Omit<McpClient.Options, "secrets"> {
  readonly transport: McpTransport.Service
  readonly redaction: Redaction
  readonly waitFor: Deadline.WaitFor
  /** Runs with each list of the tools, the first included. */
  readonly onTools?: ((tools: ReadonlyArray<McpTool>) => Effect.Effect<void>) | undefined
}

export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<McpClient.Service, McpError, Scope.Scope> {
  const { callTimeout = oneMinute, listTimeout = thirtySeconds, redaction, transport } = options
  const { agreement, announcements, cache, request, tools } = yield* connect(options, listTimeout)
  const { server } = transport
  const { capabilities } = agreement
  const defaults = callOptions(callTimeout, {})
  const withDefaults = (options: McpClient.CallOptions | undefined) =>
    options === undefined ? defaults : callOptions(callTimeout, options)
  const warnings = new Map<string, ReadonlyArray<string>>()

  const features = ServerFeatures.make({
    server,
    capabilities,
    protocolVersion: agreement.protocolVersion,
    request: (method, params, options) => redaction.failure(request(method, params, options)),
    callOptions: withDefaults,
    listTimeout,
    announcements,
    cache,
    warn: (subject, found) => warnings.set(subject, found)
  })

  return {
    server,
    ...agreement,
    ...features,
    tools: Effect.map(tools.get, (list) => list.tools),
    toolsChanged: Stream.changes(Stream.map(tools.changes, (list) => list.tools)),
    callTool: (name, args, options) =>
      redaction.failure(
        Effect.map(
          // Not every caller is type-checked, and many servers refuse a call without the key.
          request("tools/call", { name, arguments: args ?? {} }, withDefaults(options)),
          ToolResult.read
        )
      ),
    subscribeResource: (uri) =>
      redaction.failure(Effect.asVoid(request("resources/subscribe", { uri }, { timeout: listTimeout }))),
    unsubscribeResource: (uri) =>
      redaction.failure(Effect.asVoid(request("resources/unsubscribe", { uri }, { timeout: listTimeout }))),
    setLogLevel: (level) =>
      capabilities.logging === undefined
        ? Effect.void
        : redaction.failure(Effect.asVoid(request("logging/setLevel", { level }, { timeout: listTimeout }))),
    request: (method, params, options) => redaction.failure(request(method, params, options)),
    ping: request("ping", undefined, { timeout: listTimeout }).pipe(
      // A server that does not know `ping` has answered it.
      Effect.catchIf(
        (error) => error.kind === "rpc",
        () => Effect.void
      ),
      Effect.asVoid,
      redaction.failure
    ),
    closed: redaction.failure(transport.closed),
    diagnostics: Effect.map(transport.diagnostics, redaction.diagnostics),
    warnings: Effect.map(tools.get, (list) => [...list.warnings, ...[...warnings.values()].flat()])
  }
})

/** The handshake and the first list; from then on the list follows the server's changes. */
const connect = Effect.fnUntraced(function* (options: Options, listTimeout: Duration.Duration) {
  const {
    clientInfo = harness9,
    connectTimeout = thirtySeconds,
    onTools,
    protocolVersion,
    transport,
    waitFor
  } = options
  const { server } = transport
  const announcements = yield* Announcements.make
  const cache = Cache.make()
  const tools = yield* LiveList.make({
    initial: ToolList.empty,
    refreshed: ToolList.refreshed,
    onChange: (list) => onTools?.(list.tools) ?? Effect.void
  })
  const agree = (waitFor: Deadline.WaitFor) => {
    waitFor("handshake", "answer to initialize")
    return Handshake.run(transport, { clientInfo, capabilities: {}, pinned: protocolVersion })
  }
  const agreeAgain = Effect.zipLeft(Deadline.within(server, connectTimeout, agree), tools.changed)
  const request = transport.kind === "http" ? yield* Renewal.renewing(transport.request, agreeAgain) : transport.request
  yield* ServerMessages.serve(transport, (notification) =>
    Effect.suspend(() => {
      cache.told(notification)
      const told = announcements.tell(notification)
      return notification.method === "notifications/tools/list_changed" ? Effect.zipRight(tools.changed, told) : told
    })
  )

  const agreement = yield* agree(waitFor)
  if (agreement.capabilities.tools !== undefined) {
    waitFor("list", "answer to tools/list")
    const pages = Pages.collect({
      server,
      method: "tools/list",
      field: "tools",
      request: (method, params) => request(method, params, { phase: "list", timeout: listTimeout })
    })
    yield* tools.load(Effect.map(pages, ToolList.read))
  }
  return { agreement, announcements, cache, request, tools: tools.latest }
})

/** A call always asks for progress: it starts the time anew, whether or not somebody wants to see it. */
const callOptions = (
  callTimeout: Duration.Duration,
  { maxTimeout, onProgress = unseen, timeout = callTimeout }: McpClient.CallOptions
): McpTransport.RequestOptions => ({
  phase: "call",
  timeout,
  maxTimeout: maxTimeout ?? Duration.times(timeout, 10),
  onProgress
})

const unseen = () => Effect.void
