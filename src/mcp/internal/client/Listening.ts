/**
 * `subscriptions/listen` (2026-07-28): one long request whose stream carries everything that a stateless server has to tell.
 *
 * A stream that ends is opened again, later and later while that fails; what may have been missed meanwhile is told to `onGap`.
 * When other resources are wanted, a new stream takes over before the old one is closed, so that nothing is missed.
 */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { ErrorCode, type JsonObject } from "../../JsonRpc.ts"
import { type Kind, McpError } from "../../McpError.ts"
import type { ServerCapabilities } from "../../McpSchema.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as Field from "../Field.ts"
import type { ResourceSubscriptions } from "./ResourceSubscriptions.ts"

const firstDelay = Duration.seconds(1)
const maxDelay = Duration.minutes(1)

export interface Listening extends ResourceSubscriptions {
  /** Listens to what the server declares to tell, in the background. */
  readonly start: Effect.Effect<void>
  /** The params of a `notifications/subscriptions/acknowledged`. */
  readonly acknowledged: (params: JsonObject | undefined) => Effect.Effect<void>
}

export interface Options {
  readonly server: string
  readonly capabilities: ServerCapabilities
  readonly request: McpTransport.Service["request"]
  /** How long a server may take to acknowledge a stream. */
  readonly timeout: Duration.Duration
  /** The stream was gone for a while, and is back. */
  readonly onGap: Effect.Effect<void>
}

/** A stream that is being opened: done with what the server agrees to tell, or with its refusal. */
type Opening = Deferred.Deferred<JsonObject, McpError>

export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Listening, never, Scope.Scope> {
  const { onGap, request, server } = options
  const scope = yield* Effect.scope
  const oneAtATime = yield* Effect.makeSemaphore(1)
  const declared = declaredChanges(options.capabilities)
  const uris = new Set<string>()
  let opening: Opening | undefined
  let current: Fiber.RuntimeFiber<void> | undefined
  let lost = false
  let delay = firstDelay

  const filter = (): JsonObject => ({
    ...declared,
    ...(uris.size === 0 ? undefined : { resourceSubscriptions: [...uris] })
  })

  /** Opens the stream again and again, until the connection is gone or the server will not. */
  const listen = Effect.fnUntraced(function* (notifications: JsonObject, first: Opening) {
    while (true) {
      const outcome = yield* Effect.either(request("subscriptions/listen", { notifications }, { standing: true }))
      if (outcome._tag === "Left") {
        yield* Deferred.fail(first, outcome.left)
        if (gone.has(outcome.left.kind) || outcome.left.code === ErrorCode.MethodNotFound) return
      }
      lost = true
      yield* Effect.sleep(delay)
      delay = Duration.min(Duration.times(delay, 2), maxDelay)
    }
  })

  const close = Effect.suspend(() => {
    const closed = current
    current = undefined
    return closed === undefined ? Effect.void : Fiber.interruptFork(closed)
  })

  /** Replaces the stream by one with the present filter; the old one stays when that fails. */
  const reopen = Effect.gen(function* () {
    const first = yield* Deferred.make<JsonObject, McpError>()
    opening = first
    const fiber = yield* Effect.forkIn(listen(filter(), first), scope)
    const agreed = yield* Deferred.await(first).pipe(
      Effect.timeoutFail({ duration: options.timeout, onTimeout: () => notAcknowledged(server, options.timeout) }),
      Effect.onError(() => Fiber.interruptFork(fiber))
    )
    yield* close
    current = fiber
    return agreed
  })

  return {
    start: Effect.suspend(() =>
      Object.keys(declared).length === 0 ? Effect.void : Effect.asVoid(Effect.forkIn(Effect.ignore(reopen), scope))
    ).pipe(oneAtATime.withPermits(1)),
    acknowledged: (params) =>
      Effect.suspend(() => {
        const acknowledged = opening
        const gap = lost
        opening = undefined
        lost = false
        delay = firstDelay
        const agreed = Field.object(params?.notifications) ?? {}
        return Effect.zipRight(
          acknowledged === undefined ? Effect.void : Deferred.succeed(acknowledged, agreed),
          gap ? onGap : Effect.void
        )
      }),
    add: (uri) =>
      Effect.suspend(() => {
        uris.add(uri)
        return reopen
      }).pipe(
        Effect.filterOrFail(
          (agreed) => Field.strings(agreed.resourceSubscriptions)?.includes(uri) === true,
          () =>
            new McpError({ server, phase: "call", kind: "rpc", message: "the server does not tell of this resource" })
        ),
        Effect.onError(() => Effect.sync(() => uris.delete(uri))),
        Effect.asVoid,
        oneAtATime.withPermits(1)
      ),
    remove: (uri) =>
      Effect.suspend(() => {
        if (!uris.delete(uri)) return Effect.void
        return Object.keys(filter()).length === 0 ? close : Effect.asVoid(reopen)
      }).pipe(oneAtATime.withPermits(1))
  }
})

/** The changes that the server says it tells. */
const declaredChanges = ({ prompts, resources, tools }: ServerCapabilities): JsonObject => ({
  ...(tools?.listChanged === true ? { toolsListChanged: true } : undefined),
  ...(prompts?.listChanged === true ? { promptsListChanged: true } : undefined),
  ...(resources?.listChanged === true ? { resourcesListChanged: true } : undefined)
})

/** Failures after which there is nothing to listen to. */
const gone: ReadonlySet<Kind> = new Set<Kind>(["closed", "exit", "needs-auth"])

const notAcknowledged = (server: string, timeout: Duration.Duration): McpError =>
  new McpError({
    server,
    phase: "call",
    kind: "timeout",
    message: `subscriptions/listen was not acknowledged within ${Duration.format(timeout)}`
  })
