/**
 * The requests of one connection that wait for a reply: the heart of every transport's hot path.
 *
 * A wait is one `Effect.async` whose deadline is an entry in a table; one alarm is set for the earliest of them: a timer or
 * a timeout operator for each request would cost more than the request. Every wait ends: by its reply, its deadline,
 * interruption, or the loss of the connection, after which each new request fails at once with the same reason. A reply
 * that nobody waits for is dropped.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { ErrorObject, Id, JsonObject, Reply } from "../JsonRpc.ts"
import { isObject } from "../JsonRpc.ts"
import { inPhase, McpError } from "../McpError.ts"
import type { Progress } from "../McpSchema.ts"
import type { RequestOptions } from "../McpTransport.ts"

/** How many questions of a server are kept in mind. One that asks more at once is flooding, and gets no answer to some. */
const maxQuestions = 1000

/** How much of a server's own words goes into an error. */
const maxCharacters = 10_000

interface Entry {
  readonly method: string
  readonly options: RequestOptions | undefined
  readonly resume: (exit: Effect.Effect<unknown, McpError>) => void
  readonly send: (id: number) => void
  /** Zero until it is sent. */
  id: number
  /** In milliseconds of the monotonic clock; Infinity when the wait has no limit. */
  deadline: number
  lastDeadline: number
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
  /** A `notifications/cancelled` came: the server will not answer. False when it names no open request. */
  readonly cancelled: (params: JsonObject | undefined) => boolean
  /**
   * The server asks something itself. Until it has its answer, which may take a person's time, no request of ours is late, as
   * far as its `maxTimeout` allows.
   */
  readonly asked: (id: Id) => void
  /** The server has its answer, or does not want it any more. */
  readonly answered: (id: Id) => void
  /** Whether a request with that id is open. */
  readonly has: (id: Id) => boolean
  /** How many requests are open, the standing ones aside. */
  readonly size: () => number
  /** The methods of the open requests, oldest first. */
  readonly methods: () => ReadonlyArray<string>
  /** The connection is gone: fails all open requests, and each later one, with this reason. Only the first reason counts. */
  readonly close: (reason: McpError) => void
}

export const make: (options: {
  readonly server: string
  /** Tells the server that nobody waits for the request any more. Runs synchronously and must not throw. */
  readonly cancel: (id: number, reason: string) => void
  /** What may explain that no reply comes. */
  readonly hint?: () => string | undefined
}) => Effect.Effect<PendingRequests, never, Scope.Scope> = Effect.fnUntraced(function* ({ cancel, hint, server }) {
  const clock = yield* Effect.clock
  const scope = yield* Effect.scope
  const runFork = Runtime.runFork(yield* Effect.runtime<never>())
  const entries = new Map<Id, Entry>()
  /** Those that are over a bound and not sent yet, oldest first. */
  const queue = new Set<Entry>()
  const questions = new Set<Id>()
  let bounded = 0
  let lastId = 0
  let closedBy: McpError | undefined
  let alarm: { readonly at: number; readonly fiber: Fiber.RuntimeFiber<void> } | undefined

  /** Monotonic, so that no wait depends on somebody setting the date. */
  const now = () => Number(clock.unsafeCurrentTimeNanos()) / 1e6

  const open = (entry: Entry) => {
    const { options } = entry
    const id = ++lastId
    const time = now()
    if (options?.maxOpen !== undefined) bounded += 1
    entry.id = id
    entry.lastDeadline = after(time, options?.maxTimeout)
    entry.deadline = Math.min(after(time, options?.timeout), entry.lastDeadline)
    entries.set(id, entry)
    setAlarm(entry.deadline, time)
    entry.send(id)
  }

  const remove = (entry: Entry) => {
    entries.delete(entry.id)
    if (entry.options?.maxOpen === undefined) return
    bounded -= 1
    for (const next of queue) {
      queue.delete(next)
      return open(next)
    }
  }

  const take = (id: Id): Entry | undefined => {
    const entry = entries.get(id)
    if (entry !== undefined) remove(entry)
    return entry
  }

  const giveUp = (entry: Entry, reason: string) => {
    if (queue.delete(entry) || entries.get(entry.id) !== entry) return
    remove(entry)
    if (entry.options?.silent !== true) cancel(entry.id, reason)
  }

  const setAlarm = (at: number, time: number) => {
    if (at === Infinity || (alarm !== undefined && alarm.at <= at)) return
    const replaced = alarm?.fiber
    const delay = Effect.sleep(Duration.millis(Math.max(1, Math.ceil(at - time))))
    alarm = { at, fiber: runFork(Effect.zipRight(delay, Effect.sync(sweep)), { scope }) }
    replaced?.unsafeInterruptAsFork(replaced.id())
  }

  const sweep = () => {
    const time = now()
    alarm = undefined
    let earliest = Infinity
    for (const entry of entries.values()) {
      const deadline = questions.size === 0 ? entry.deadline : entry.lastDeadline
      if (deadline > time) {
        earliest = Math.min(earliest, deadline)
        continue
      }
      giveUp(entry, "the time allowed is over")
      entry.resume(Effect.fail(timedOut(server, entry, hint?.())))
    }
    setAlarm(earliest, time)
  }

  return {
    // Effect.async can be given what to do on interruption, but that costs several times as much as the wait itself.
    request: (method, options, send) =>
      Effect.uninterruptibleMask((restore) => {
        let entry: Entry | undefined
        const reply = Effect.async<unknown, McpError>((resume) => {
          if (closedBy !== undefined) return resume(Effect.fail(inPhaseOf(options, closedBy)))
          entry = { method, options, resume, send, id: 0, deadline: Infinity, lastDeadline: Infinity }
          if (options?.maxOpen !== undefined && bounded >= options.maxOpen) queue.add(entry)
          else open(entry)
        })
        return Effect.catchAllCause(restore(reply), (cause) => {
          if (entry !== undefined) giveUp(entry, "the caller gave up")
          return Effect.failCause(cause)
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
      const entry = entries.get(params?.progressToken as Id) // a value of another type finds nothing
      if (entry === undefined || params === undefined || typeof params.progress !== "number") return false
      if (entry.options?.timeout !== undefined) {
        entry.deadline = Math.min(after(now(), entry.options.timeout), entry.lastDeadline)
      }
      if (entry.options?.onProgress !== undefined) {
        runFork(entry.options.onProgress(progressOf(params, params.progress)), { scope })
      }
      return true
    },
    cancelled: (params) => {
      const entry = take(params?.requestId as Id) // a value of another type finds nothing
      if (entry === undefined) return false
      entry.resume(Effect.fail(cancelledBy(server, entry, params?.reason)))
      return true
    },
    asked: (id) => {
      if (questions.size < maxQuestions) questions.add(id)
    },
    answered: (id) => {
      if (!questions.delete(id) || questions.size > 0) return
      const time = now()
      for (const entry of entries.values()) {
        if (entry.options?.timeout === undefined) continue
        entry.deadline = Math.min(after(time, entry.options.timeout), entry.lastDeadline)
        setAlarm(entry.deadline, time)
      }
    },
    has: (id) => entries.has(id),
    size: () => {
      let size = 0
      for (const { options } of entries.values()) if (options?.standing !== true) size += 1
      return size
    },
    methods: () => Array.from(entries.values(), (entry) => entry.method),
    close: (reason) => {
      if (closedBy !== undefined) return
      closedBy = reason
      const ended = [...entries.values(), ...queue]
      entries.clear()
      queue.clear()
      for (const entry of ended) entry.resume(Effect.fail(inPhaseOf(entry.options, reason)))
    }
  }
})

/**
 * The params with the token that asks for progress, if the caller wants any: the request's own id.
 */
export const withProgressToken = (
  params: JsonObject | undefined,
  id: number,
  options: RequestOptions | undefined
): JsonObject | undefined => {
  if (options?.onProgress === undefined) return params
  const _meta = isObject(params?._meta) ? { ...params._meta, progressToken: id } : { progressToken: id }
  return { ...params, _meta }
}

const after = (time: number, limit: Duration.Duration | undefined): number =>
  limit === undefined ? Infinity : time + Duration.toMillis(limit)

const progressOf = ({ message, total }: JsonObject, progress: number): Progress => ({
  progress,
  ...(typeof total === "number" ? { total } : undefined),
  ...(typeof message === "string" ? { message } : undefined)
})

const inPhaseOf = (options: RequestOptions | undefined, error: McpError): McpError =>
  inPhase(options?.phase ?? "call")(error)

const timedOut = (server: string, { method, options }: Entry, hint: string | undefined): McpError =>
  new McpError({
    server,
    phase: options?.phase ?? "call",
    kind: "timeout",
    message: `no answer to ${method} within ${Duration.format(options?.timeout ?? options?.maxTimeout ?? Duration.zero)}`,
    hint
  })

const refused = (server: string, { options }: Entry, error: ErrorObject): McpError =>
  new McpError({
    server,
    phase: options?.phase ?? "call",
    kind: "rpc",
    message: bounded(error.message),
    code: error.code,
    data: error.data
  })

const cancelledBy = (server: string, { method, options }: Entry, reason: unknown): McpError =>
  new McpError({
    server,
    phase: options?.phase ?? "call",
    kind: "rpc",
    message: `the server cancelled ${method}${typeof reason === "string" && reason !== "" ? `: ${bounded(reason)}` : ""}`
  })

const bounded = (text: string): string => (text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text)
