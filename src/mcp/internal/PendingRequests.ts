/**
 * The requests of one connection that wait for a reply: the heart of every transport's hot path.
 *
 * A wait is one `Effect.async` whose deadline is an entry in a table, swept by one fiber: a timer or a timeout operator for
 * each request would cost more than the request. Every wait ends: by its reply, its deadline, interruption, or the
 * loss of the connection, after which each new request fails at once with the same reason. A reply that nobody waits for is dropped.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { Id, JsonObject, Reply } from "../JsonRpc.ts"
import { inPhase, McpError } from "../McpError.ts"
import type { RequestOptions } from "../McpTransport.ts"

/** How late a deadline may be noticed. */
const sweepInterval = Duration.millis(100)

interface Entry {
  readonly method: string
  readonly options: RequestOptions | undefined
  readonly resume: (exit: Effect.Effect<unknown, McpError>) => void
  /** In milliseconds of the clock; Infinity when the wait has no limit. */
  deadline: number
  readonly lastDeadline: number
}

export interface PendingRequests {
  /**
   * Opens a wait, hands its id to `send`, and ends with the reply. `send` runs synchronously and must not throw.
   */
  readonly request: (
    method: string,
    options: RequestOptions | undefined,
    send: (id: number) => void
  ) => Effect.Effect<unknown, McpError>
  /** A reply came. False when nobody waits for that id. */
  readonly settle: (id: Id, reply: Reply) => boolean
  /** The request itself failed, before or instead of a reply. */
  readonly fail: (id: Id, error: McpError) => void
  /** A `notifications/progress` came. False when its token belongs to no open request. */
  readonly progress: (params: JsonObject | undefined) => boolean
  /** Whether a request with that id is open. */
  readonly has: (id: Id) => boolean
  /** The connection is gone: fails all open requests, and each later one, with this reason. Only the first reason counts. */
  readonly close: (reason: McpError) => void
}

export const make: (options: {
  readonly server: string
  /** Tells the server that nobody waits for the request any more. Runs synchronously and must not throw. */
  readonly cancel: (id: number, reason: string) => void
}) => Effect.Effect<PendingRequests, never, Scope.Scope> = Effect.fnUntraced(function* ({ cancel, server }) {
  const clock = yield* Effect.clock
  const runFork = Runtime.runFork(yield* Effect.runtime<never>())
  const entries = new Map<Id, Entry>()
  const waiting = yield* Effect.makeLatch(false)
  let lastId = 0
  let closedBy: McpError | undefined

  const take = (id: Id): Entry | undefined => {
    const entry = entries.get(id)
    if (entry !== undefined) entries.delete(id)
    return entry
  }

  const giveUp = (id: number, entry: Entry, reason: string) => {
    entries.delete(id)
    if (entry.options?.silent !== true) cancel(id, reason)
  }

  const sweep = () => {
    const now = clock.unsafeCurrentTimeMillis()
    for (const [id, entry] of entries) {
      if (entry.deadline > now) continue
      giveUp(id as number, entry, "the time allowed is over")
      entry.resume(Effect.fail(timedOut(server, entry)))
    }
    if (entries.size === 0) waiting.unsafeClose()
  }

  yield* Effect.forkScoped(
    Effect.forever(Effect.zipRight(waiting.await, Effect.zipRight(Effect.sleep(sweepInterval), Effect.sync(sweep))))
  )

  return {
    request: (method, options, send) =>
      Effect.async((resume) => {
        if (closedBy !== undefined) return resume(Effect.fail(inPhaseOf(options, closedBy)))
        const id = ++lastId
        const now = clock.unsafeCurrentTimeMillis()
        const limit = options?.timeout === undefined ? Infinity : Duration.toMillis(options.timeout)
        const lastDeadline = options?.maxTimeout === undefined ? Infinity : now + Duration.toMillis(options.maxTimeout)
        const entry: Entry = { method, options, resume, deadline: Math.min(now + limit, lastDeadline), lastDeadline }
        entries.set(id, entry)
        if (entry.deadline !== Infinity) waiting.unsafeOpen()
        send(id)
        return Effect.sync(() => {
          if (entries.get(id) === entry) giveUp(id, entry, "the caller gave up")
        })
      }),
    settle: (id, reply) => {
      const entry = take(id)
      if (entry === undefined) return false
      entry.resume(
        reply._tag === "Result" ? Effect.succeed(reply.result) : Effect.fail(refused(server, entry, reply.error))
      )
      return true
    },
    fail: (id, error) => {
      take(id)?.resume(Effect.fail(error))
    },
    progress: (params) => {
      const entry = entries.get(params?.progressToken as Id)
      if (entry === undefined || params === undefined || typeof params.progress !== "number") return false
      if (entry.options?.timeout !== undefined) {
        const limit = clock.unsafeCurrentTimeMillis() + Duration.toMillis(entry.options.timeout)
        entry.deadline = Math.min(limit, entry.lastDeadline)
      }
      if (entry.options?.onProgress !== undefined) {
        const { message, progress, total } = params
        runFork(
          entry.options.onProgress({
            progress,
            ...(typeof total === "number" ? { total } : undefined),
            ...(typeof message === "string" ? { message } : undefined)
          })
        )
      }
      return true
    },
    has: (id) => entries.has(id),
    close: (reason) => {
      if (closedBy !== undefined) return
      closedBy = reason
      for (const entry of entries.values()) entry.resume(Effect.fail(inPhaseOf(entry.options, reason)))
      entries.clear()
    }
  }
})

const inPhaseOf = (options: RequestOptions | undefined, error: McpError): McpError =>
  inPhase(options?.phase ?? "call")(error)

const timedOut = (server: string, { method, options }: Entry): McpError =>
  new McpError({
    server,
    phase: options?.phase ?? "call",
    kind: "timeout",
    message: `no answer to ${method} within ${Duration.format(options?.timeout ?? options?.maxTimeout ?? Duration.zero)}`
  })

const refused = (
  server: string,
  { options }: Entry,
  error: { readonly code: number; readonly message: string; readonly data?: unknown }
): McpError =>
  new McpError({
    server,
    phase: options?.phase ?? "call",
    kind: "rpc",
    message: error.message,
    code: error.code,
    data: error.data
  })
