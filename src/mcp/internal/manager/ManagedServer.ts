/**
 * One server of the Manager: at most one connection and one start at a time, whoever asks for them in whatever order.
 *
 * Every step that decides something changes the state at once and tells of it afterwards, and what an old connection still
 * has to say is known by its identity and ignored. When to try again is decided by `Supervision`.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import * as Limits from "../../Limits.ts"
import type * as McpClient from "../../McpClient.ts"
import type { McpError } from "../../McpError.ts"
import type { McpTool } from "../../McpSchema.ts"
import type * as McpTransport from "../../McpTransport.ts"
import type { ServerConfig } from "../../ServerConfig.ts"
import { ServerStatus } from "../../ServerStatus.ts"
import * as Supervision from "../../Supervision.ts"
import * as Telemetry from "../../Telemetry.ts"
import type * as TransportFactory from "../../TransportFactory.ts"
import { explain } from "../client/HandshakeFailure.ts"
import * as Redact from "../Redact.ts"
import * as ConnectSpan from "./ConnectSpan.ts"
import * as KeptDiagnostics from "./KeptDiagnostics.ts"
import * as ServerConnection from "./ServerConnection.ts"
import { absence, canBeTried, offeredTools, reason, tryingAgain, unusable } from "./ServerOutcome.ts"

export interface ManagedServer {
  readonly config: ServerConfig
  readonly status: () => ServerStatus
  /** Connects, unless that was done before; done when the server has settled. */
  readonly start: Effect.Effect<void>
  readonly reconnect: Effect.Effect<ServerStatus, McpError>
  readonly disable: Effect.Effect<void>
  readonly enable: Effect.Effect<ServerStatus>
  /** The client; a server that was lost or has failed is connected for it, though not too often. */
  readonly client: Effect.Effect<McpClient.Service, McpError>
  readonly diagnostics: Effect.Effect<McpTransport.Diagnostics>
  /** The server has refused a message for want of a login: no call goes to it until there is one. */
  readonly refused: (error: McpError) => Effect.Effect<void>
  /** There is a login now: a server that waited for it is connected. */
  readonly loggedIn: Effect.Effect<void>
  /** Done when no request is open. */
  readonly drained: Effect.Effect<void>
}

/** Before anything is started. */
export const initialStatus = ({ consent, disabled, name }: ServerConfig): ServerStatus => {
  if (disabled) return ServerStatus.Disabled({ name })
  return consent === undefined ? ServerStatus.Pending({ name }) : ServerStatus.NeedsApproval({ name })
}

export interface Options extends Pick<ServerConnection.Options, "features" | "eras"> {
  readonly config: ServerConfig
  readonly factory: TransportFactory.Service
  readonly connectTimeout: Duration.Duration
  readonly callTimeout: Duration.Duration | undefined
  /** Without one, nothing is tried again but by a person. */
  readonly policy: Supervision.Policy | undefined
  /** Tells that the status has changed, and how to read it: it may have changed again by then. */
  readonly announce: (status: () => ServerStatus) => Effect.Effect<void>
  /** Holds every connection, until it is closed and its process gone. */
  readonly root: Scope.Scope
}

/** Begun by a person's wish, or by the server's own history. */
type Reason = "asked" | "again"

export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<ManagedServer> {
  const { config, policy, root } = options
  const { name } = config
  const runFork = Runtime.runFork(yield* Effect.runtime<never>())
  const oneAtATime = yield* Effect.makeSemaphore(1)
  const isTraced = yield* Telemetry.isOn
  const redaction = Redact.redaction(config.secrets)
  const offered = offeredTools(config)
  const diagnostics = KeptDiagnostics.make(redaction)
  const rules = {
    ...(policy ?? Supervision.policy()),
    attemptsPerMinute: Limits.make(config.limits).reconnectsPerMinute
  }
  const connecting: ServerConnection.Options = {
    ...options,
    redaction,
    diagnostics,
    pingInterval: policy?.pingInterval ?? "off"
  }

  let status = initialStatus(config)
  let connection: ServerConnection.ServerConnection | undefined
  let listing: { readonly scope: Scope.Scope; readonly tools: ReadonlyArray<McpTool> } | undefined
  let starting: Fiber.RuntimeFiber<void> | undefined
  let closing: Effect.Effect<unknown> = Effect.void
  let history = Supervision.asked(rules, 0)
  let nextTry: Fiber.RuntimeFiber<void> | undefined
  let wasConnected = false

  const announce = options.announce(() => status)

  /** Ends a connection without keeping anyone waiting but the Manager's own Scope and the next start. */
  const release = (scope: Scope.CloseableScope) =>
    Scope.close(scope, Exit.void).pipe(
      Effect.uninterruptible,
      Effect.forkIn(root),
      Effect.tap((fiber) => {
        closing = Fiber.await(fiber)
      })
    )

  /** Leaves the present connection, or the wait for the next, for another status. */
  const leave = (next: ServerStatus) =>
    Effect.suspend(() => {
      const left = connection
      connection = undefined
      status = next
      nextTry?.unsafeInterruptAsFork(FiberId.none)
      nextTry = undefined
      return left === undefined ? announce : Effect.zipRight(announce, release(left.scope))
    })

  /** What becomes of a server whose connection has ended so, or was not made. */
  const afterwards = Effect.fnUntraced(function* (error: McpError) {
    const now = yield* Clock.currentTimeMillis
    const ended = Supervision.ended(rules, history, error, now)
    history = ended.history
    const next = policy !== undefined && ended.retries ? yield* Supervision.nextTry(rules, history, now) : undefined
    if (next === undefined) return unusable(name, Supervision.givenUp(history, error))
    history = next.history
    const told = next.isHeld ? Supervision.held(rules, error) : error
    return ServerStatus.Reconnecting({ name, error: told, attempt: history.attempt, nextTryAt: next.at })
  })

  /** Takes up what is said of it: where that is another attempt, waits for its time. */
  const settle = Effect.fnUntraced(function* (next: ServerStatus) {
    yield* leave(next)
    if (next._tag !== "Reconnecting") return
    const now = yield* Clock.currentTimeMillis
    const attempt = oneAtATime.withPermits(1)(Effect.suspend(() => (status === next ? begin("again") : Effect.void)))
    nextTry = runFork(Effect.delay(attempt, Duration.millis(Math.max(0, next.nextTryAt - now))), { scope: root })
  })

  const lost = (from: ServerConnection.ServerConnection, error: McpError) =>
    Effect.gen(function* () {
      const told = explain(error, yield* diagnostics.get)
      if (connection !== from) return
      yield* settle(yield* afterwards(told))
      yield* Effect.logWarning(`[mcp] server "${name}" connection lost: ${error.message}`)
    }).pipe(oneAtATime.withPermits(1), Effect.uninterruptible)

  /** The connection in this Scope has these tools; they are told once it is the present one. */
  const listed = (scope: Scope.Scope, all: ReadonlyArray<McpTool>) =>
    Effect.suspend(() => {
      const tools = offered(all)
      listing = { scope, tools }
      if (connection?.scope !== scope || status._tag !== "Connected") return Effect.void
      status = ServerStatus.Connected({ ...status, tools })
      return announce
    })

  const failed = Effect.fnUntraced(function* (scope: Scope.CloseableScope, cause: Cause.Cause<McpError>) {
    const error = redaction.error(explain(reason(name, cause), yield* diagnostics.get))
    yield* release(scope)
    if (Cause.isInterruptedOnly(cause)) return yield* leave(unusable(name, error))
    const isNews = !("error" in status) || status.error.message !== error.message
    yield* settle(yield* afterwards(error))
    // A server that is away for a night does not fill the log.
    const log = isNews ? Effect.logWarning : Effect.logDebug
    yield* log(`[mcp] server "${name}" connect failed: ${error.message}`)
  })

  const connected = Effect.fnUntraced(function* (present: ServerConnection.ServerConnection, connectMs: number) {
    const { client, lost: loss, scope } = present
    const { capabilities, instructions, negotiation, protocolVersion, serverInfo } = client
    const tools = listing?.scope === scope ? listing.tools : []
    history = Supervision.connected(history, yield* Clock.currentTimeMillis)
    wasConnected = true
    connection = present
    status = ServerStatus.Connected({
      name,
      protocolVersion,
      negotiation,
      serverInfo,
      capabilities,
      instructions,
      tools,
      connectMs
    })
    yield* announce
    const toolCount = tools.length === 1 ? "1 tool" : `${tools.length} tools`
    yield* Effect.logInfo(`[mcp] server "${name}" connected: ${toolCount}, ${protocolVersion}, ${connectMs} ms`)
    for (const warning of yield* client.warnings) yield* Effect.logWarning(`[mcp] server "${name}": ${warning}`)
    // Forked here, where nothing is interruptible, it could not be ended with its Scope.
    const watch = Effect.interruptible(Effect.catchAll(loss, (error) => lost(present, error)))
    yield* Effect.forkIn(watch, scope)
  })

  const connect = (why: Reason) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        history = why === "asked" ? Supervision.asked(rules, now) : Supervision.started(history, now)
        yield* leave(why === "asked" ? ServerStatus.Pending({ name }) : tryingAgain(status, history, now))
        const scope = yield* Scope.fork(root, ExecutionStrategy.sequential)
        const opening = ServerConnection.open(connecting, scope, closing, (tools) => listed(scope, tools))
        const told = isTraced ? ConnectSpan.around(config, redaction, wasConnected, opening) : opening
        const [took, outcome] = yield* Effect.timed(Effect.exit(restore(told)))
        return Exit.isSuccess(outcome)
          ? yield* connected(outcome.value, Math.round(Duration.toMillis(took)))
          : yield* failed(scope, outcome.cause)
      })
    )

  /** A start in flight is everybody's. It belongs to the Manager, so that no waiter's interruption stops it. */
  const begin = (why: Reason) =>
    Effect.sync(() => {
      if (starting !== undefined) return
      const fiber = runFork(connect(why), { scope: root, immediate: false })
      starting = fiber
      fiber.addObserver(() => {
        if (starting === fiber) starting = undefined
      })
    })

  const settled = Effect.suspend(() => (starting === undefined ? Effect.void : Fiber.await(starting))).pipe(
    Effect.map(() => status)
  )

  const isOff = () => (status._tag === "Disabled" || status._tag === "NeedsApproval") && starting === undefined

  const disable = Effect.gen(function* () {
    if (starting !== undefined) yield* Fiber.interrupt(starting)
    yield* leave(ServerStatus.Disabled({ name }))
  })

  const tryOnUse = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    connection === undefined && canBeTried(status) && Supervision.mayTryOnUse(rules, history, now)
      ? begin("again")
      : Effect.void
  ).pipe(
    oneAtATime.withPermits(1),
    Effect.when(() => policy !== undefined)
  )

  const connectedClient = Effect.suspend(() =>
    connection === undefined ? Effect.fail(absence(status)) : Effect.succeed(connection.client)
  )

  return {
    config,
    status: () => status,
    start: Effect.suspend(() => (status._tag === "Pending" ? begin("asked") : Effect.void)).pipe(
      oneAtATime.withPermits(1),
      Effect.zipRight(settled),
      Effect.asVoid
    ),
    reconnect: Effect.suspend(() => (isOff() ? Effect.fail(absence(status)) : begin("asked"))).pipe(
      oneAtATime.withPermits(1),
      Effect.zipRight(settled)
    ),
    disable: disable.pipe(
      Effect.uninterruptible,
      oneAtATime.withPermits(1),
      Effect.zipRight(Effect.suspend(() => closing)),
      Effect.asVoid
    ),
    enable: Effect.suspend(() => {
      if (!isOff()) return Effect.void
      return config.consent === undefined ? begin("asked") : leave(ServerStatus.NeedsApproval({ name }))
    }).pipe(oneAtATime.withPermits(1), Effect.zipRight(settled)),
    client: Effect.suspend(() =>
      connection === undefined
        ? Effect.zipRight(Effect.zipRight(tryOnUse, settled), connectedClient)
        : Effect.succeed(connection.client)
    ),
    diagnostics: diagnostics.get,
    refused: (error) =>
      Effect.suspend(() => (connection === undefined ? Effect.void : lost(connection, redaction.error(error)))),
    loggedIn: Effect.suspend(() => (status._tag === "NeedsAuth" ? begin("asked") : Effect.void)).pipe(
      oneAtATime.withPermits(1)
    ),
    drained: Effect.suspend(() => connection?.drained ?? Effect.void)
  }
})
