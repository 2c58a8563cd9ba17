/**
 * Sessions as files: a folder each, with `events.ndjson`, the whole outputs of its tools, and a lock while it is open. All of it is
 * its owner's alone.
 *
 * An event is appended in one write and flushed to the disk before the run goes on, so that neither a killed program nor a lost
 * machine takes back what has been acted on. What either leaves of a last line is dropped.
 *
 * @since 0.1.0
 */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as LockFile from "../mcp/internal/LockFile.ts"
import * as Redact from "../mcp/internal/Redact.ts"
import * as SessionLines from "./internal/SessionLines.ts"
import { type SessionEvent, version } from "./SessionEvent.ts"
import { inUse, notFound, type Service, type Session, SessionError, SessionStore, summarize } from "./SessionStore.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Made with mode 0700 when it is not there. */
  readonly folder: string
  /** Asked for at each event: values that are masked in what is kept. */
  readonly secrets?: Effect.Effect<ReadonlyArray<string>> | undefined
  /** Sessions that have not been used for longer are removed when another one begins. Default: 90 days. */
  readonly keepFor?: Duration.Duration | undefined
  /** What all of them may take; the ones not used for longest are removed. Default: 512 MiB. */
  readonly keepBytes?: number | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { folder, secrets = Effect.succeed([]) } = options
  const { keepBytes = 512 * 1024 * 1024, keepFor = Duration.days(90) } = options
  const fs = yield* FileSystem.FileSystem
  const placeOf = (id: string) => {
    const own = join(folder, id)
    return { own, events: join(own, "events.ndjson"), lock: join(own, "lock"), outputs: join(own, "outputs") }
  }

  const lock = Effect.fnUntraced(function* (id: string) {
    const path = placeOf(id).lock
    const mine = LockFile.signature()
    yield* LockFile.clearStale(path)
    const created = yield* Effect.mapError(LockFile.create(path, mine), (code) => unwritable(`${path} (${code})`))
    if (!created) return yield* inUse(id, (yield* LockFile.holder(path)) ?? "another program")
    yield* Effect.addFinalizer(() => LockFile.release(path, mine))
  })

  const write = Effect.fnUntraced(function* (file: FileSystem.File, line: string) {
    yield* file.writeAll(new TextEncoder().encode(line))
    yield* file.sync
  })

  const appendTo = (file: FileSystem.File) =>
    Effect.fnUntraced(function* (event: SessionEvent) {
      const { text } = Redact.redaction(yield* secrets)
      yield* Effect.mapError(write(file, SessionLines.ofEvent(event, yield* timestamp, text)), failedWrite)
    })

  const begin = Effect.fnUntraced(function* (id: string, directory: string) {
    const place = placeOf(id)
    yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true, mode: 0o700 }), failedWrite)
    yield* Effect.mapError(fs.makeDirectory(place.own, { mode: 0o700 }), failedWrite)
    yield* lock(id)
    const header = { type: "session", version, id, directory, startedAt: yield* timestamp } as const
    const file = yield* fs.open(place.events, { flag: "ax", mode: 0o600 }).pipe(
      Effect.tap((opened) => write(opened, SessionLines.ofHeader(header))),
      Effect.tap(Effect.scoped(Effect.ignore(Effect.flatMap(fs.open(place.own), ({ sync }) => sync)))),
      Effect.mapError(failedWrite)
    )
    yield* Effect.forkScoped(prune)
    return appendTo(file)
  })

  const create: Service["create"] = Effect.fnUntraced(function* (directory) {
    const scope = yield* Effect.scope
    const id = makeId(yield* Clock.currentTimeMillis)
    const append = yield* Effect.cached(Scope.extend(begin(id, directory), scope))
    const session: Session = {
      id,
      directory,
      events: [],
      append: (event) => Effect.flatMap(append, (add) => add(event)),
      outputs: placeOf(id).outputs
    }
    return session
  })

  const load = Effect.fnUntraced(function* (id: string) {
    const { events } = placeOf(id)
    const content = yield* isId(id)
      ? Effect.mapError(fs.readFile(events), (error) =>
          isMissing(error) ? notFound(id) : unreadable(id, error.message)
        )
      : notFound(id)
    const lines = SessionLines.parse(content)
    if (Either.isLeft(lines)) return yield* unreadable(id, lines.left)
    if (lines.right.unknown > 0) {
      yield* Effect.logWarning(
        `${lines.right.unknown} lines of the session ${id} say nothing that is known: passed over`
      )
    }
    return { ...lines.right, isTorn: lines.right.bytes < content.length }
  })

  const open: Service["open"] = Effect.fnUntraced(function* (id) {
    const place = placeOf(id)
    if (!isId(id) || !(yield* Effect.orElseSucceed(fs.exists(place.events), () => false))) return yield* notFound(id)
    yield* lock(id)
    const { bytes, events, header, isTorn } = yield* load(id)
    if (isTorn) yield* Effect.mapError(fs.truncate(place.events, bytes), failedWrite)
    const file = yield* Effect.mapError(fs.open(place.events, { flag: "a" }), failedWrite)
    const { directory } = header
    return { id, directory, events, append: appendTo(file), outputs: place.outputs }
  })

  /** What it takes, when it was used last, and by whom. */
  const measure = Effect.fnUntraced(function* (id: string) {
    const place = placeOf(id)
    const { mtime, size } = yield* fs.stat(place.events)
    const outputs = yield* Effect.orElseSucceed(fs.readDirectory(place.outputs), () => [])
    const sizes = yield* Effect.forEach(outputs, (name) =>
      Effect.map(fs.stat(join(place.outputs, name)), ({ size }) => Number(size))
    )
    const holder = yield* LockFile.holder(place.lock)
    return {
      id,
      updatedAt: Option.match(mtime, { onNone: () => 0, onSome: (at) => at.getTime() }),
      bytes: sizes.reduce((sum, each) => sum + each, Number(size)),
      inUse: holder !== undefined
    }
  })

  /** Of those that can be looked at, the last used first. */
  const measured = Effect.gen(function* () {
    const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), () => [])
    const all = yield* Effect.forEach(names.filter(isId), (id) => Effect.option(measure(id)), { concurrency: 16 })
    return all
      .flatMap(Option.toArray)
      .toSorted((one, other) => other.updatedAt - one.updatedAt || (one.id < other.id ? 1 : -1))
  })

  /** Room for the one that begins: that is the last used one, and in use. */
  const prune = Effect.gen(function* () {
    const oldest = (yield* Clock.currentTimeMillis) - Duration.toMillis(keepFor)
    let bytes = 0
    for (const session of yield* measured) {
      bytes += session.bytes
      if (session.inUse || (session.updatedAt >= oldest && bytes <= keepBytes)) continue
      bytes -= session.bytes
      yield* Effect.ignore(fs.remove(placeOf(session.id).own, { recursive: true }))
    }
  })

  const glance = Effect.fnUntraced(function* (session: Effect.Effect.Success<typeof measured>[number]) {
    const seen = SessionLines.glance(yield* fs.readFile(placeOf(session.id).events))
    return Option.map(seen, ({ header: { directory, startedAt }, prompt, turns }) => ({
      ...session,
      directory,
      startedAt: Date.parse(startedAt),
      prompt,
      turns
    }))
  }, Effect.orElseSucceed(Option.none))

  const service: Service = {
    create,
    open,
    read: Effect.fnUntraced(function* (id) {
      const { events, header } = yield* load(id)
      const measures = yield* Effect.mapError(measure(id), (error) => unreadable(id, error.message))
      const { directory, startedAt } = header
      return { summary: { ...measures, directory, startedAt: Date.parse(startedAt), ...summarize(events) }, events }
    }),
    list: Effect.flatMap(measured, (all) =>
      Effect.map(Effect.forEach(all, glance, { concurrency: 8 }), (seen) => seen.flatMap(Option.toArray))
    ),
    remove: Effect.fnUntraced(function* (id) {
      const place = placeOf(id)
      if (!isId(id) || !(yield* Effect.orElseSucceed(fs.exists(place.own), () => false))) return yield* notFound(id)
      const holder = yield* LockFile.holder(place.lock)
      if (holder !== undefined) return yield* inUse(id, holder)
      yield* Effect.mapError(fs.remove(place.own, { recursive: true }), failedWrite)
    })
  }
  return service
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<SessionStore, never, FileSystem.FileSystem> =>
  Layer.effect(SessionStore, make(options))

const timestamp = Effect.map(Clock.currentTimeMillis, (now) => new Date(now).toISOString())

/** Sorts by the time at which it was begun: `20261201-130154-3fa0c1`. */
const makeId = (now: number): string => {
  const [date = "", time = ""] = new Date(now)
    .toISOString()
    .replace(/[-:]|\..*$/g, "")
    .split("T")
  return `${date}-${time}-${randomBytes(3).toString("hex")}`
}

/** Nothing that leads out of the folder. */
const isId = (name: string): boolean => /^[0-9]{8}-[0-9]{6}-[0-9a-f]{6}$/.test(name)

const isMissing = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "NotFound"

const unreadable = (id: string, why: string): SessionError =>
  new SessionError({ kind: "unreadable", message: `the session ${id} cannot be read: ${why}` })

const unwritable = (what: string): SessionError =>
  new SessionError({ kind: "unwritable", message: `it cannot be written: ${what}` })

const failedWrite = (error: PlatformError): SessionError => unwritable(error.message)
