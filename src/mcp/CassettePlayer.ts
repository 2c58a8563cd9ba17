/**
 * Plays a cassette: takes what the program says, compares it with what it said then, and hands out what was answered.
 *
 * @since 0.1.0
 */
import { readFile } from "node:fs/promises"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type Cassette, CassetteError, type Entry, parse, ReplayDifference } from "./Cassette.ts"
import * as Comparison from "./internal/cassette/Comparison.ts"
import * as Tape from "./internal/cassette/Tape.ts"
import type { JsonObject } from "./JsonRpc.ts"

/**
 * Who is at the other end: a connection of a server, the model, the program's own tools.
 *
 * @since 0.1.0
 * @category models
 */
export type Other = Pick<Entry, "connection" | "server" | "with">

/**
 * What plays the part of somebody.
 *
 * @since 0.1.0
 * @category models
 */
export interface Part {
  /** A recorded line comes to the program. */
  readonly receive: (entry: Entry) => void
  /** Nothing more comes: the program does something else than it did then. */
  readonly fail: (difference: ReplayDifference) => void
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Played {
  /**
   * The program has sent something: the line that it stands for. Undefined where it stands for none, which ends the replay, or
   * where the recording is over and it does not matter.
   */
  readonly sent: (kind: Entry["kind"], message: JsonObject) => Entry | undefined
  /** Nobody waits for the answer any more. */
  readonly cancelled: (id: Entry["id"]) => void
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly cassette: Cassette
  /** Plays somebody's part until the Scope closes. */
  readonly play: (other: Other, part: Part) => Effect.Effect<Played, never, Scope.Scope>
  /** Fails with the first difference; never succeeds. */
  readonly difference: Effect.Effect<never, ReplayDifference>
  /** Fails where there has been a difference by now. */
  readonly soFar: Effect.Effect<void, ReplayDifference>
  /** Fails when the program has not asked and called everything that it did when it was recorded. */
  readonly finished: Effect.Effect<void, ReplayDifference>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class CassettePlayer extends Context.Tag("harness9/CassettePlayer")<CassettePlayer, Service>() {}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** How long the program may wait for an answer while it does not do what was done before it came. Default: 5 seconds. */
  readonly patience?: Duration.DurationInput | undefined
}

/**
 * Reads a cassette's file.
 *
 * @since 0.1.0
 * @category constructors
 */
export const read = (file: string): Effect.Effect<Cassette, CassetteError> =>
  Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: () => new CassetteError({ message: `${file} cannot be read` })
  }).pipe(
    Effect.flatMap((text) => parse(text, file)),
    Effect.tap(({ torn }) =>
      torn ? Effect.logWarning(`[cassette] the last line of ${file} is not whole and is left out`) : Effect.void
    )
  )

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  cassette: Cassette,
  { patience = Duration.seconds(5) }: Options = {}
): Effect.fn.Return<Service, never, Scope.Scope> {
  const tape = Tape.make(cassette)
  const parts = new Map<Tape.End, Part>()
  const known = new Set<Tape.End>()
  const open = new Map<Tape.Line, JsonObject>()
  const differs = yield* Deferred.make<never, ReplayDifference>()
  const moved = yield* Effect.makeLatch(true)
  const directories = [cassette.header.directory, process.cwd()]
  /** Answers that are given once more. */
  const repeated: Array<Tape.Line> = []
  let failed: ReplayDifference | undefined

  const fail = (message: string, line?: Tape.Line, found: ReplayDifference["fields"] = []) => {
    if (failed !== undefined) return
    const where = line === undefined ? cassette.name : `${cassette.name}:${line.number}`
    failed = new ReplayDifference({ message: `${where}: ${message}`, line: line?.number, fields: found })
    Deferred.unsafeDone(differs, Effect.fail(failed))
    for (const part of parts.values()) part.fail(failed)
  }

  const step = Effect.gen(function* () {
    yield* moved.await
    yield* moved.close
    for (const { end, entry } of repeated.splice(0)) parts.get(end)?.receive(entry)
    let next = tape.next((end) => parts.has(end))
    while (next._tag === "Ready") {
      const { line } = next
      line.done = true
      if (line.entry.kind === "reply" || line.entry.kind === "failure") close(line)
      parts.get(line.end)?.receive(line.entry)
      // What the program does about it comes before the next line.
      yield* eventLoop
      next = tape.next((end) => parts.has(end))
    }
    if (open.size === 0) return
    const before = yield* Effect.timeoutOption(moved.await, patience)
    if (Option.isSome(before)) return
    const missing = next.for
    if (missing !== undefined && mayBeLeftOut(missing.entry)) missing.passed = true
    else stalled(missing)
    yield* moved.open
  })

  const close = ({ end, entry }: Tape.Line) => {
    for (const line of open.keys()) if (line.end === end && line.entry.id === entry.id) open.delete(line)
  }

  const stalled = (missing: Tape.Line | undefined) => {
    if (missing !== undefined) {
      return fail(`the recording goes on with ${named(missing.entry)}, which the program did not do`, missing)
    }
    for (const line of open.keys()) {
      return fail(`the recording ends before the answer to ${named(line.entry)}: it was cut off there`, line)
    }
  }

  yield* Effect.forkScoped(Effect.forever(Effect.suspend(() => (failed === undefined ? step : Effect.never))))

  const sent = (other: Other, end: Tape.End) => (kind: Entry["kind"], message: JsonObject) => {
    if (failed !== undefined) return undefined
    const meaning = Comparison.inPlace(Tape.meaningOf(other.with, kind, message), directories)
    const line = tape.find(end, kind, meaning)
    moved.unsafeOpen()
    if (line !== undefined) {
      line.done = true
      if (kind === "request" && !isStanding(line.entry)) open.set(line, message)
      return line.entry
    }
    const again = kind === "request" && mayBeLeftOut({ kind, message }) ? tape.again(end, meaning) : undefined
    if (again !== undefined) {
      repeated.push(again.reply)
      return again.request.entry
    }
    const nearest = tape.nearest(end, kind, message)
    if (nearest === undefined && mayBeLeftOut({ kind, message })) return undefined
    const what = named({ ...other, kind, message })
    if (nearest === undefined) {
      fail(`the recording has nothing more to compare with ${what}\n  ${Comparison.excerpt(Comparison.shown(meaning))}`)
    } else if (nearest.entry.kind !== kind || nearest.entry.message.method !== message.method) {
      fail(`${what}, where the recording has ${named(nearest.entry)}`, nearest)
    } else {
      const found = Comparison.fields(nearest.meaning(), meaning)
      fail(`${what} differs\n${Comparison.describe(found)}`, nearest, found)
    }
    return undefined
  }

  return {
    cassette,
    play: (other, part) => {
      const end = Tape.endOf(other)
      const leave = Effect.sync(() => {
        parts.delete(end)
        for (const line of open.keys()) if (line.end === end) open.delete(line)
        moved.unsafeOpen()
      })
      const enter = Effect.sync((): Played => {
        parts.set(end, part)
        known.add(end)
        moved.unsafeOpen()
        return {
          sent: sent(other, end),
          cancelled: (id) => {
            for (const line of open.keys()) if (line.end === end && line.entry.id === id) open.delete(line)
          }
        }
      })
      return Effect.acquireRelease(enter, () => leave)
    },
    difference: Deferred.await(differs),
    soFar: Effect.suspend(() => (failed === undefined ? Effect.void : Effect.fail(failed))),
    finished: Effect.suspend(() => {
      const left = tape.lines.find(({ done, end, entry }) => !done && known.has(end) && isAsked(entry))
      if (left !== undefined && failed === undefined) {
        fail(`the program ended before ${named(left.entry)}, which the recording has`, left)
      }
      return failed === undefined ? Effect.void : Effect.fail(failed)
    })
  }
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (file: string, options?: Options): Layer.Layer<CassettePlayer, CassetteError> =>
  Layer.scoped(
    CassettePlayer,
    Effect.flatMap(read(file), (cassette) => make(cassette, options))
  )

/** A turn of the event loop. */
const eventLoop = Effect.async<void>((resume) => {
  const pending = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(pending))
})

/** How often a list is asked for again is a matter of time, and so is what a program still tells a server. */
const mayBeLeftOut = ({ kind, message }: Pick<Entry, "kind" | "message">): boolean =>
  kind === "notification" || (typeof message.method === "string" && message.method.endsWith("/list"))

const isStanding = ({ message }: Entry): boolean => message.method === "subscriptions/listen"

/** What the program was run for. */
const isAsked = ({ direction, kind, message, with: other }: Entry): boolean =>
  direction === "out" && kind === "request" && (other !== "server" || message.method === "tools/call")

const named = ({ kind, message, server, with: other }: Omit<Entry, "at" | "direction">): string => {
  if (other === "model") return "what the model is asked"
  if (other === "tool") return `the call of the built-in tool ${String(message.tool)}`
  const tool = message.method === "tools/call" ? ` (${String(paramsOf(message).name)})` : ""
  const what = typeof message.method === "string" ? `${message.method}${tool}` : "the answer to a request"
  return `server "${server}": ${kind === "notification" ? "notification " : ""}${what}`
}

const paramsOf = ({ params }: JsonObject): JsonObject =>
  // Only its name is read, whatever it is.
  (params ?? {}) as JsonObject
