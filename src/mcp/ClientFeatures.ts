/**
 * What servers may ask of the program: its roots, its model, its user. A program provides what it has; servers are told of
 * that alone, and everything else that they ask for is refused.
 *
 * The same handlers answer the requests of servers with a handshake and the `input_required` results of stateless ones.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Elicitation from "./Elicitation.ts"
import type { ErrorObject, JsonObject } from "./JsonRpc.ts"
import type * as Sampling from "./Sampling.ts"
import type { ServerConfig } from "./ServerConfig.ts"

/**
 * Who asks.
 *
 * @since 0.1.0
 * @category models
 */
export interface Origin {
  /** The server's name in the configuration: what to show, since it cannot be chosen by the server. */
  readonly server: string
}

/**
 * A folder or file that servers may consider their field of work (2024-11-05; deprecated from 2026-07-28). A hint, not a fence.
 *
 * @since 0.1.0
 * @category models
 */
export interface Root {
  /** `file:///…` */
  readonly uri: string
  /** What people know it by. */
  readonly name?: string | undefined
}

/**
 * The program will not do it: the person refused, or there is nobody to ask.
 *
 * @since 0.1.0
 * @category errors
 */
export class Refused extends Data.TaggedError("Refused")<{
  /** Told to the server. */
  readonly message: string
  /** The JSON-RPC error code. Default: -1, a person's refusal. */
  readonly code?: number | undefined
}> {}

/**
 * What answers `roots/list` (2024-11-05; deprecated from 2026-07-28).
 *
 * @since 0.1.0
 * @category models
 */
export interface Roots {
  /** The roots as they are now. */
  readonly list: Effect.Effect<ReadonlyArray<Root>>
  /** In place of `list` for a server whose entry is known, the Manager's: asked for once, before it is connected. */
  readonly ofEntry?: ((config: ServerConfig) => Effect.Effect<ReadonlyArray<Root>>) | undefined
  /** An element for each change of the list. Without it, servers are told that the list stays as it is. */
  readonly changes?: Stream.Stream<unknown> | undefined
}

/**
 * What answers `sampling/createMessage` (2024-11-05; deprecated from 2026-07-28).
 *
 * @since 0.1.0
 * @category models
 */
export interface SamplingFeature {
  /** Whether context of other servers can be added (`includeContext`). */
  readonly context?: boolean | undefined
  /** Whether the model takes the request's tools (2025-11-25). */
  readonly tools?: boolean | undefined
  /** Asks the model, once whoever may decide that has agreed. */
  readonly createMessage: (request: Sampling.Request, origin: Origin) => Effect.Effect<Sampling.Result, Refused>
}

/**
 * What answers `elicitation/create` (2025-06-18), and the pages that a server wants visited before it does what it was asked
 * (error -32042 of 2025-11-25).
 *
 * @since 0.1.0
 * @category models
 */
export interface ElicitationFeature {
  /**
   * Fields left out of an accepted answer get their defaults; one that then does not fit the form (`Elicitation.problems`)
   * is not sent, and the server gets an error.
   */
  readonly form?:
    | ((request: Elicitation.FormRequest, origin: Origin) => Effect.Effect<Elicitation.FormAnswer>)
    | undefined
  /** Whether a page may be opened, and opening it (2025-11-25). */
  readonly url?: ((request: Elicitation.UrlRequest, origin: Origin) => Effect.Effect<Elicitation.UrlAnswer>) | undefined
  /** The visit of that id is over (2025-11-25). Ids that nobody was asked about come too. */
  readonly completed?: ((elicitationId: string, origin: Origin) => Effect.Effect<void>) | undefined
}

/**
 * A program that stands between servers and clients of its own: what servers ask and tell goes on to those as it came.
 *
 * @since 0.1.0
 * @category models
 */
export interface Relay {
  /** What servers are told that the clients can do: all that any of them may be asked for. */
  readonly capabilities: JsonObject
  /**
   * The result of a server's request, or the error that it gets. Where a request of the program waits for it, this runs in the
   * fiber that made that request.
   */
  readonly answer: (
    method: string,
    params: JsonObject | undefined,
    origin: Origin
  ) => Effect.Effect<unknown, ErrorObject>
  /** What a server tells on its own, before anything else learns of it. */
  readonly told: (
    notification: { readonly method: string; readonly params: JsonObject | undefined },
    origin: Origin
  ) => Effect.Effect<void>
}

/**
 * What a program provides. Each feature is declared to servers only when it is there.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly roots?: Roots | undefined
  readonly sampling?: SamplingFeature | undefined
  readonly elicitation?: ElicitationFeature | undefined
  /** In place of sampling and elicitation. Roots of the program's own are what is told where the relay has none. */
  readonly relay?: Relay | undefined
  /** Extensions that the program supports, by their ids, with their settings (2026-07-28). */
  readonly extensions?: Readonly<Record<string, JsonObject>> | undefined
}

/**
 * Optional: without it in the context, a program has none of these features.
 *
 * @since 0.1.0
 * @category tags
 */
export class ClientFeatures extends Context.Tag("harness9/ClientFeatures")<ClientFeatures, Service>() {}

/**
 * A program that servers can ask for nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const none: Service = {}
