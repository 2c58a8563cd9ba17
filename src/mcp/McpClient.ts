/**
 * One server, connected: handshake done, its tools listed and kept up to date, its tools callable.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Deadline from "./internal/Deadline.ts"
import * as Handshake from "./internal/Handshake.ts"
import * as HandshakeFailure from "./internal/HandshakeFailure.ts"
import * as LiveList from "./internal/LiveList.ts"
import * as Pages from "./internal/Pages.ts"
import * as Redact from "./internal/Redact.ts"
import * as ServerMessages from "./internal/ServerMessages.ts"
import * as Session from "./internal/Session.ts"
import * as ToolList from "./internal/ToolList.ts"
import * as ToolResult from "./internal/ToolResult.ts"
import { version } from "./internal/version.ts"
import type { JsonObject } from "./JsonRpc.ts"
import type { McpError } from "./McpError.ts"
import type { Implementation, McpTool, Progress, ServerCapabilities, ToolCallResult } from "./McpSchema.ts"
import * as McpTransport from "./McpTransport.ts"
import type { ProtocolVersion } from "./ProtocolVersion.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface CallOptions {
  /** Default: the client's `callTimeout`. Progress starts it anew. */
  readonly timeout?: Duration.Duration | undefined
  /** Bounds the whole call, progress or not. Default: ten times the timeout. */
  readonly maxTimeout?: Duration.Duration | undefined
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** What servers are told of the program. Default: harness9 and its version. */
  readonly clientInfo?: Implementation | undefined
  /** How long the handshake and the first lists may take together. Default: 30 seconds. */
  readonly connectTimeout?: Duration.Duration | undefined
  /** How long a call may take, unless it says otherwise. Default: 60 seconds. */
  readonly callTimeout?: Duration.Duration | undefined
  /** How long a page of a list, or a ping, may take. Default: 30 seconds. */
  readonly listTimeout?: Duration.Duration | undefined
  /** Speak this revision and no other. */
  readonly protocolVersion?: ProtocolVersion | undefined
  /** Values that are masked in errors and diagnostics. */
  readonly secrets?: ReadonlyArray<string> | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly server: string
  readonly serverInfo: Implementation
  readonly protocolVersion: ProtocolVersion
  readonly capabilities: ServerCapabilities
  /** What the server says about its use, for the system prompt; bounded by the reader. */
  readonly instructions: string | undefined
  /** The tools as last listed. */
  readonly tools: Effect.Effect<ReadonlyArray<McpTool>>
  /** The tools as last listed, then each new list. */
  readonly toolsChanged: Stream.Stream<ReadonlyArray<McpTool>>
  /** Calls a tool by the server's own name for it. The tool's own failure is a result with `isError`. */
  readonly callTool: (name: string, args: JsonObject, options?: CallOptions) => Effect.Effect<ToolCallResult, McpError>
  readonly ping: Effect.Effect<void, McpError>
  /** Fails with the reason once the connection is gone; never succeeds. */
  readonly closed: Effect.Effect<never, McpError>
  readonly diagnostics: Effect.Effect<McpTransport.Diagnostics>
  /** What of the server could not be used, and was left out: malformed tools, lists that never end. */
  readonly warnings: Effect.Effect<ReadonlyArray<string>>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class McpClient extends Context.Tag("harness9/McpClient")<McpClient, Service>() {}

/**
 * Connects over the transport: done when the handshake is made and the tools are listed. The client lives as long as the Scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<Service, McpError, McpTransport.McpTransport | Scope.Scope> {
  const { callTimeout = Duration.seconds(60), listTimeout = Duration.seconds(30), secrets = [] } = options
  const transport = yield* McpTransport.McpTransport
  const redaction = Redact.redaction(secrets)
  const redacted: <A, R>(effect: Effect.Effect<A, McpError, R>) => Effect.Effect<A, McpError, R> =
    secrets.length === 0 ? (effect) => effect : Effect.mapError(redaction.error)
  const { agreement, request, tools } = yield* redacted(connect(transport, options, listTimeout))
  const defaults = callOptions(callTimeout, {})

  return {
    server: transport.server,
    ...agreement,
    tools: Effect.map(tools.get, (list) => list.tools),
    toolsChanged: Stream.changes(Stream.map(tools.changes, (list) => list.tools)),
    callTool: (name, args, options) =>
      redacted(
        Effect.map(
          request(
            "tools/call",
            // Not every caller is type-checked, and many servers refuse a call without the key.
            { name, arguments: args ?? {} },
            options === undefined ? defaults : callOptions(callTimeout, options)
          ),
          ToolResult.read
        )
      ),
    ping: request("ping", undefined, { timeout: listTimeout }).pipe(
      // A server that does not know `ping` has answered it.
      Effect.catchIf(
        (error) => error.kind === "rpc",
        () => Effect.void
      ),
      Effect.asVoid,
      redacted
    ),
    closed: redacted(transport.closed),
    diagnostics: Effect.map(transport.diagnostics, redaction.diagnostics),
    warnings: Effect.map(tools.get, (list) => list.warnings)
  }
})

/**
 * A client on the transport of the context.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options?: Options): Layer.Layer<McpClient, McpError, McpTransport.McpTransport> =>
  Layer.scoped(McpClient, make(options))

/** A call always asks for progress: it starts the time anew, whether or not somebody wants to see it. */
const callOptions = (
  callTimeout: Duration.Duration,
  { maxTimeout, onProgress = unseen, timeout = callTimeout }: CallOptions
): McpTransport.RequestOptions => ({
  phase: "call",
  timeout,
  maxTimeout: maxTimeout ?? Duration.times(timeout, 10),
  onProgress
})

const unseen = () => Effect.void

/** The handshake and the first list; from then on the list follows the server's changes. */
const connect = Effect.fnUntraced(function* (
  transport: McpTransport.Service,
  { clientInfo = harness9, connectTimeout = Duration.seconds(30), protocolVersion }: Options,
  listTimeout: Duration.Duration
) {
  const { server } = transport
  const tools = yield* LiveList.make({ initial: ToolList.empty, refreshed: ToolList.refreshed })
  const agree = (deadline: Deadline.Deadline) =>
    Handshake.run(transport, { clientInfo, capabilities: {}, pinned: protocolVersion }).pipe(
      deadline.bound(HandshakeFailure.timedOut(server, "handshake", "initialize"))
    )
  const agreeAgain = Deadline.make(connectTimeout).pipe(Effect.flatMap(agree), Effect.zipLeft(tools.changed))
  const request = transport.kind === "http" ? yield* Session.renewing(transport.request, agreeAgain) : transport.request
  const notifications = new Map([["notifications/tools/list_changed", () => tools.changed]])
  yield* Effect.forkScoped(ServerMessages.serve(transport, notifications))

  const deadline = yield* Deadline.make(connectTimeout)
  const loadTools = Pages.collect({
    server,
    method: "tools/list",
    field: "tools",
    request: (method, params) => request(method, params, { phase: "list", timeout: listTimeout })
  }).pipe(
    Effect.map(ToolList.read),
    tools.load,
    deadline.bound(HandshakeFailure.timedOut(server, "list", "tools/list"))
  )
  const agreement = yield* agree(deadline).pipe(
    Effect.tap(({ capabilities }) => (capabilities.tools === undefined ? Effect.void : loadTools)),
    HandshakeFailure.explained(transport)
  )
  return { agreement, request, tools: tools.latest }
})

const harness9: Implementation = { name: "harness9", version }
