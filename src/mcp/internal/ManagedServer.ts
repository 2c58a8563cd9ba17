/**
 * One server of the Manager: at most one connection and one start at a time, whoever asks for them in whatever order.
 *
 * Every step that decides something changes the state at once and tells of it afterwards, and what an old connection still
 * has to say is known by its identity and ignored.
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import type * as McpClient from "../McpClient.ts"
import { McpError } from "../McpError.ts"
import type { McpTool } from "../McpSchema.ts"
import type * as McpTransport from "../McpTransport.ts"
import type { ServerConfig } from "../ServerConfig.ts"
import { ServerStatus } from "../ServerStatus.ts"
import type * as TransportFactory from "../TransportFactory.ts"
import * as ClientConnection from "./ClientConnection.ts"
import * as Deadline from "./Deadline.ts"
import { explain } from "./HandshakeFailure.ts"
import * as Redact from "./Redact.ts"
import { absence, offeredTools, reason, unusable } from "./ServerOutcome.ts"

export interface ManagedServer {
  readonly config: ServerConfig
  /** Connects, unless that was done before; done when the server has settled. */
  readonly start: Effect.Effect<void>
  readonly reconnect: Effect.Effect<ServerStatus, McpError>
  readonly disable: Effect.Effect<void>
  readonly enable: Effect.Effect<ServerStatus>
  readonly client: Effect.Effect<McpClient.Service, McpError>
  readonly diagnostics: Effect.Effect<McpTransport.Diagnostics>
}

const nothingKnown: Effect.Effect<McpTransport.Diagnostics> = Effect.succeed({ stderr: "", skipped: [] })

/** Before anything is started. */
export const initialStatus = ({ disabled, name }: ServerConfig): ServerStatus =>
  disabled ? ServerStatus.Disabled({ name }) : ServerStatus.Pending({ name })

export interface Options {
  readonly config: ServerConfig
  readonly factory: TransportFactory.Service
  readonly connectTimeout: Duration.Duration
  readonly callTimeout: Duration.Duration | undefined
  /** Tells that the status has changed, and how to read it: it may have changed again by then. */
  readonly announce: (status: () => ServerStatus) => Effect.Effect<void>
  /** Holds every connection, until it is closed and its process gone. */
  readonly root: Scope.Scope
}

interface Connection {
  readonly client: McpClient.Service
  readonly scope: Scope.CloseableScope
}

export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<ManagedServer> {
  const { config, root } = options
  const { name } = config
  const runFork = Runtime.runFork(yield* Effect.runtime<never>())
  const oneAtATime = yield* Effect.makeSemaphore(1)
  const redaction = Redact.redaction(config.secrets)
  const offered = offeredTools(config)

  let status = initialStatus(config)
  let connection: Connection | undefined
  let listing: { readonly scope: Scope.Scope; readonly tools: ReadonlyArray<McpTool> } | undefined
  let starting: Fiber.RuntimeFiber<void> | undefined
  let closing: Effect.Effect<unknown> = Effect.void
  let diagnostics = nothingKnown

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

  /** Leaves the present connection for another status. */
  const leave = (next: ServerStatus) =>
    Effect.suspend(() => {
      const left = connection
      connection = undefined
      status = next
      return left === undefined ? announce : Effect.zipRight(announce, release(left.scope))
    })

  const lost = (from: Connection, error: McpError) =>
    Effect.flatMap(diagnostics, (known) => {
      if (connection !== from) return Effect.void
      return Effect.zipRight(
        leave(unusable(name, explain(error, known))),
        Effect.logWarning(`[mcp] server "${name}" connection lost: ${error.message}`)
      )
    }).pipe(Effect.uninterruptible)

  /** The connection in this Scope has these tools; they are told once it is the present one. */
  const listed = (scope: Scope.Scope, all: ReadonlyArray<McpTool>) =>
    Effect.suspend(() => {
      const tools = offered(all)
      listing = { scope, tools }
      if (connection?.scope !== scope || status._tag !== "Connected") return Effect.void
      status = ServerStatus.Connected({ ...status, tools })
      return announce
    })

  const open = (scope: Scope.CloseableScope, waitFor: Deadline.WaitFor) =>
    Effect.gen(function* () {
      // The old process may still hold what the new one needs: a port, a lock, a profile directory.
      waitFor("connect", "end of its old connection")
      yield* closing
      if (config.unusable !== undefined) {
        return yield* new McpError({ server: name, phase: "config", kind: "config", message: config.unusable })
      }
      waitFor("connect", "connection")
      diagnostics = nothingKnown
      const transport = yield* options.factory.make(config)
      diagnostics = Effect.map(transport.diagnostics, redaction.diagnostics)
      return yield* ClientConnection.make({
        transport,
        redaction,
        waitFor,
        connectTimeout: options.connectTimeout,
        callTimeout: options.callTimeout,
        protocolVersion: config.protocolVersion,
        onTools: (tools) => listed(scope, tools)
      })
    }).pipe(Scope.extend(scope))

  const opening = (scope: Scope.CloseableScope) =>
    Deadline.within(name, options.connectTimeout, (waitFor) => open(scope, waitFor))

  const failed = Effect.fnUntraced(function* (scope: Scope.CloseableScope, cause: Cause.Cause<McpError>) {
    const error = redaction.error(explain(reason(name, cause), yield* diagnostics))
    status = unusable(name, error)
    yield* release(scope)
    yield* announce
    if (Cause.isInterruptedOnly(cause)) return
    yield* Effect.logWarning(`[mcp] server "${name}" connect failed: ${error.message}`)
  })

  const connected = Effect.fnUntraced(function* (present: Connection, connectMs: number) {
    const { client, scope } = present
    const { capabilities, instructions, protocolVersion, serverInfo } = client
    const tools = listing?.scope === scope ? listing.tools : []
    connection = present
    status = ServerStatus.Connected({ name, protocolVersion, serverInfo, capabilities, instructions, tools, connectMs })
    yield* announce
    const toolCount = tools.length === 1 ? "1 tool" : `${tools.length} tools`
    yield* Effect.logInfo(`[mcp] server "${name}" connected: ${toolCount}, ${protocolVersion}, ${connectMs} ms`)
    for (const warning of yield* client.warnings) yield* Effect.logWarning(`[mcp] server "${name}": ${warning}`)
    // Forked here, where nothing is interruptible, it could not be ended with its Scope.
    const watch = Effect.interruptible(Effect.catchAll(client.closed, (error) => lost(present, error)))
    yield* Effect.forkIn(watch, scope)
  })

  const connect = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      yield* leave(ServerStatus.Pending({ name }))
      const scope = yield* Scope.fork(root, ExecutionStrategy.sequential)
      const [took, outcome] = yield* Effect.timed(Effect.exit(restore(opening(scope))))
      return Exit.isSuccess(outcome)
        ? yield* connected({ client: outcome.value, scope }, Math.round(Duration.toMillis(took)))
        : yield* failed(scope, outcome.cause)
    })
  )

  /** A start in flight is everybody's. It belongs to the Manager, so that no waiter's interruption stops it. */
  const begin = Effect.sync(() => {
    if (starting !== undefined) return
    const fiber = runFork(connect, { scope: root, immediate: false })
    starting = fiber
    fiber.addObserver(() => {
      if (starting === fiber) starting = undefined
    })
  })

  const settled = Effect.suspend(() => (starting === undefined ? Effect.void : Fiber.await(starting))).pipe(
    Effect.map(() => status)
  )

  const isDisabled = () => status._tag === "Disabled" && starting === undefined

  const disable = Effect.gen(function* () {
    if (starting !== undefined) yield* Fiber.interrupt(starting)
    yield* leave(ServerStatus.Disabled({ name }))
  })

  return {
    config,
    start: Effect.suspend(() => (status._tag === "Pending" ? begin : Effect.void)).pipe(
      oneAtATime.withPermits(1),
      Effect.zipRight(settled),
      Effect.asVoid
    ),
    reconnect: Effect.suspend(() => (isDisabled() ? Effect.fail(absence(status)) : begin)).pipe(
      oneAtATime.withPermits(1),
      Effect.zipRight(settled)
    ),
    disable: disable.pipe(
      Effect.uninterruptible,
      oneAtATime.withPermits(1),
      Effect.zipRight(Effect.suspend(() => closing)),
      Effect.asVoid
    ),
    enable: Effect.suspend(() => (isDisabled() ? begin : Effect.void)).pipe(
      oneAtATime.withPermits(1),
      Effect.zipRight(settled)
    ),
    client: Effect.suspend(() =>
      connection === undefined ? Effect.fail(absence(status)) : Effect.succeed(connection.client)
    ),
    diagnostics: Effect.suspend(() => diagnostics)
  }
})
