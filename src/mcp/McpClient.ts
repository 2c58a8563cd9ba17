/**
 * One server, connected: handshake done, its tools listed and kept up to date, its tools callable.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import * as ClientFeatures from "./ClientFeatures.ts"
import * as ClientConnection from "./internal/client/ClientConnection.ts"
import * as HandshakeFailure from "./internal/client/HandshakeFailure.ts"
import * as Deadline from "./internal/Deadline.ts"
import * as Redact from "./internal/Redact.ts"
import type { JsonObject } from "./JsonRpc.ts"
import type * as Limits from "./Limits.ts"
import { type McpError, withHint } from "./McpError.ts"
import type {
  Completion,
  CompletionReference,
  Implementation,
  LogLevel,
  LogMessage,
  McpTool,
  Progress,
  Prompt,
  PromptResult,
  Resource,
  ResourceContents,
  ResourceTemplate,
  ServerCapabilities,
  ToolCallResult
} from "./McpSchema.ts"
import * as McpTransport from "./McpTransport.ts"
import type { Negotiation, ProtocolVersion } from "./ProtocolVersion.ts"

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
export interface ForwardOptions extends CallOptions {
  readonly onBehalf: McpTransport.OnBehalf
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
  /** How much the server may list, ask and be asked, where it is not the default. */
  readonly limits?: Limits.Settings | undefined
  /** Values that are masked in errors and diagnostics. */
  readonly secrets?: ReadonlyArray<string> | undefined
}

/**
 * What a server tells without being asked.
 *
 * @since 0.1.0
 * @category models
 */
export interface Notification {
  readonly method: string
  readonly params: JsonObject | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly server: string
  readonly serverInfo: Implementation
  readonly protocolVersion: ProtocolVersion
  /** The era and the revision, and why these. */
  readonly negotiation: Negotiation
  readonly capabilities: ServerCapabilities
  /** What the server says about its use, for the system prompt; bounded by the reader. */
  readonly instructions: string | undefined
  /** The tools as last listed. */
  readonly tools: Effect.Effect<ReadonlyArray<McpTool>>
  /** The tools as last listed, then each new list. */
  readonly toolsChanged: Stream.Stream<ReadonlyArray<McpTool>>
  /** Calls a tool by the server's own name for it. The tool's own failure is a result with `isError`. */
  readonly callTool: (name: string, args: JsonObject, options?: CallOptions) => Effect.Effect<ToolCallResult, McpError>
  /** Every resource, in the server's order. Empty when the server has none. */
  readonly listResources: Effect.Effect<ReadonlyArray<Resource>, McpError>
  /** Every family of resources, in the server's order. */
  readonly listResourceTemplates: Effect.Effect<ReadonlyArray<ResourceTemplate>, McpError>
  /** The contents of a resource: more than one for a folder, say. */
  readonly readResource: (
    uri: string,
    options?: CallOptions
  ) => Effect.Effect<ReadonlyArray<ResourceContents>, McpError>
  /** Asks to be told when the resource changes, until `unsubscribeResource`; a new session or stream does not end it. */
  readonly subscribeResource: (uri: string) => Effect.Effect<void, McpError>
  readonly unsubscribeResource: (uri: string) => Effect.Effect<void, McpError>
  /** The URIs of resources that have changed; one that is below a subscribed URI may be told too. */
  readonly resourceUpdates: Stream.Stream<string>
  /** An element each time the server says that its resources are others now. */
  readonly resourcesChanged: Stream.Stream<void>
  /** Every prompt, in the server's order. Empty when the server has none. */
  readonly listPrompts: Effect.Effect<ReadonlyArray<Prompt>, McpError>
  /** An element each time the server says that its prompts are others now. */
  readonly promptsChanged: Stream.Stream<void>
  readonly getPrompt: (
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: CallOptions
  ) => Effect.Effect<PromptResult, McpError>
  /** What an argument may be, given the beginning of it and the arguments that are already known. Empty where servers cannot. */
  readonly complete: (
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    known?: Readonly<Record<string, string>>
  ) => Effect.Effect<Completion, McpError>
  /** Asks for log messages of this level and the more serious ones. Servers that do not log are not asked. */
  readonly setLogLevel: (level: LogLevel) => Effect.Effect<void, McpError>
  /** What the server logs: the last few messages, then each new one. */
  readonly logMessages: Stream.Stream<LogMessage>
  /** What the server notifies of, whatever it is, from now on. */
  readonly notifications: Stream.Stream<Notification>
  /** Sends any request as the agreed revision wants it; the result is what the server sent. For extensions. */
  readonly request: (
    method: string,
    params?: JsonObject,
    options?: McpTransport.RequestOptions
  ) => Effect.Effect<unknown, McpError>
  /**
   * Makes a request of another client as that client has made it; the result is what the server sent. A tool call takes the way of
   * `callTool`: over HTTP with its headers, and as a task where the tool wants one.
   */
  readonly forward: (method: string, params: JsonObject, options: ForwardOptions) => Effect.Effect<unknown, McpError>
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
 * Connects over the transport: done when a revision is agreed on and the tools are listed. The client lives as long as the Scope.
 * Where the context has `ClientFeatures`, the server is told of them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<Service, McpError, McpTransport.McpTransport | Scope.Scope> {
  const { connectTimeout = Duration.seconds(30), secrets = [] } = options
  const transport = yield* McpTransport.McpTransport
  const features = Option.getOrUndefined(yield* Effect.serviceOption(ClientFeatures.ClientFeatures))
  const redaction = Redact.redaction(secrets)
  return yield* Deadline.within(transport.server, connectTimeout, (waitFor) =>
    Effect.catchTag(
      ClientConnection.make({ ...options, transport, redaction, waitFor, features }),
      "EndedOnProbe",
      ({ error }) => Effect.fail(withHint(pinHint)(error))
    )
  ).pipe(
    Effect.catchAll((error) =>
      Effect.flatMap(transport.diagnostics, (diagnostics) => Effect.fail(HandshakeFailure.explain(error, diagnostics)))
    ),
    Effect.mapError(redaction.error)
  )
})

const pinHint = 'If the server cannot bear to be asked for its revision, pin it with "protocolVersion".'

/**
 * A client on the transport of the context.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options?: Options): Layer.Layer<McpClient, McpError, McpTransport.McpTransport> =>
  Layer.scoped(McpClient, make(options))
