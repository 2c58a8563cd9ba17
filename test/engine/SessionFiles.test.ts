import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as History from "../../src/engine/internal/History.ts"
import type { SessionEvent } from "../../src/engine/SessionEvent.ts"
import * as SessionFiles from "../../src/engine/SessionFiles.ts"

const prompted = (prompt: string): SessionEvent => ({ type: "prompted", prompt })

/** A run of two turns, with calls at the same time. */
const run: ReadonlyArray<SessionEvent> = [
  prompted("what is here?"),
  { type: "offered", tools: [{ name: "glob" }, { name: "mcp__it__echo", server: "it" }] },
  {
    type: "answered",
    parts: [
      { type: "reasoning", text: "…", options: { anthropic: { signature: "s" } } },
      { type: "tool-call", id: "1", name: "glob", arguments: { pattern: "ö*" } },
      { type: "tool-call", id: "2", name: "mcp__it__echo", arguments: {} }
    ],
    tokens: 12
  },
  { type: "returned", id: "2", text: "line\nline\u2028", isError: false, denied: false, durationMs: 3 },
  { type: "returned", id: "1", text: "no", isError: true, denied: true, durationMs: 0 },
  { type: "answered", parts: [{ type: "text", text: "nothing" }] },
  { type: "ended", reason: "answer", turns: 2 }
]

type Store = Effect.Effect.Success<ReturnType<typeof SessionFiles.make>>

const withStore = <A, E>(
  test: (store: Store, folder: string) => Effect.Effect<A, E, Scope.Scope>,
  options: Omit<SessionFiles.Options, "folder"> = {}
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = join(yield* fs.makeTempDirectoryScoped(), "sessions")
    return yield* test(yield* SessionFiles.make({ folder, ...options }), folder)
  }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))

/** A session with these events, closed. */
const kept = (store: Store, events: ReadonlyArray<SessionEvent>, directory = "/work") =>
  Effect.scoped(
    Effect.gen(function* () {
      const session = yield* store.create(directory)
      yield* Effect.forEach(events, session.append, { discard: true })
      return session.id
    })
  )

const eventsIn = (folder: string, id: string) => join(folder, id, "events.ndjson")

describe("a session in a file", () => {
  it.live("comes back as it was", () =>
    withStore((store) =>
      Effect.gen(function* () {
        const id = yield* kept(store, run)
        const session = yield* store.open(id)
        expect(session.events).toEqual(run)
        expect(session.directory).toBe("/work")
        yield* session.append(prompted("more"))
        expect((yield* store.read(id)).events).toEqual([...run, prompted("more")])
      })
    )
  )

  it.live("is its owner's alone", () =>
    withStore((store, folder) =>
      Effect.gen(function* () {
        const id = yield* kept(store, run)
        const modeOf = (path: string) => statSync(path).mode & 0o777
        expect([folder, join(folder, id), eventsIn(folder, id)].map(modeOf)).toEqual([0o700, 0o700, 0o600])
      })
    )
  )

  it.live("is there as soon as something has happened, and not before", () =>
    withStore((store, folder) =>
      Effect.gen(function* () {
        const session = yield* store.create("/work")
        expect(existsSync(folder)).toBe(false)
        yield* session.append(prompted("now"))
        const [header, event] = readFileSync(eventsIn(folder, session.id), "utf8").split("\n")
        expect(JSON.parse(header ?? "")).toMatchObject({
          type: "session",
          version: 1,
          id: session.id,
          directory: "/work"
        })
        expect(JSON.parse(event ?? "")).toMatchObject({ type: "prompted", prompt: "now", at: expect.any(String) })
      })
    )
  )

  it.live("torn at any byte is what came before, goes on, and stays a conversation that a model takes", () =>
    withStore((store, folder) =>
      Effect.gen(function* () {
        const id = yield* kept(store, run)
        const whole = readFileSync(eventsIn(folder, id))
        const headerEnd = whole.indexOf(10) + 1
        for (let bytes = 0; bytes <= whole.length; bytes++) {
          writeFileSync(eventsIn(folder, id), whole.subarray(0, bytes))
          if (bytes < headerEnd) {
            expect((yield* Effect.flip(Effect.scoped(store.open(id)))).kind).toBe("unreadable")
            continue
          }
          const lines = whole.subarray(headerEnd, bytes).filter((byte) => byte === 10).length
          const events = yield* Effect.scoped(
            Effect.tap(store.open(id), (session) => session.append(prompted("go on")))
          ).pipe(Effect.map((session) => session.events))
          expect(events).toEqual(run.slice(0, lines))
          expect((yield* store.read(id)).events).toEqual([...run.slice(0, lines), prompted("go on")])
          expectTakeable([...events, prompted("go on")])
        }
      })
    )
  )

  it.live("passes over a line that says nothing it knows", () =>
    withStore((store, folder) =>
      Effect.gen(function* () {
        const id = yield* kept(store, [prompted("one")])
        writeFileSync(eventsIn(folder, id), 'nonsense\n{"type":"invented later"}\n', { flag: "a" })
        const session = yield* store.open(id)
        yield* session.append(prompted("two"))
        expect((yield* store.read(id)).events).toEqual([prompted("one"), prompted("two")])
      })
    )
  )

  it.live("of a newer version is left alone", () =>
    withStore((store, folder) =>
      Effect.gen(function* () {
        const id = yield* kept(store, run)
        const text = readFileSync(eventsIn(folder, id), "utf8").replace('"version":1', '"version":2')
        writeFileSync(eventsIn(folder, id), text)
        expect((yield* Effect.flip(store.open(id))).message).toContain("newer harness9")
        expect(readFileSync(eventsIn(folder, id), "utf8")).toBe(text)
      })
    )
  )

  it.live("has secrets masked in every value, and stays one that can be read", () =>
    withStore(
      (store, folder) =>
        Effect.gen(function* () {
          const id = yield* kept(store, [
            prompted("use s3cr3t-token"),
            { type: "answered", parts: [{ type: "tool-call", id: "1", name: "t", arguments: { id: "s3cr3t-token" } }] },
            { type: "returned", id: "1", text: "prompt", isError: false, denied: false, durationMs: 1 }
          ])
          const text = readFileSync(eventsIn(folder, id), "utf8")
          expect(text).not.toContain("s3cr3t-token")
          expect((yield* store.read(id)).events).toMatchObject([
            { prompt: "use ***" },
            { parts: [{ arguments: { id: "***" } }] },
            { text: "***" }
          ])
        }),
      { secrets: Effect.succeed(["s3cr3t-token", "text", "prompt", "prompted"]) }
    )
  )
})

/** Each call has its result right behind it, and nothing else has one. */
const expectTakeable = (events: ReadonlyArray<SessionEvent>) => {
  const { messages } = History.fromEvents(events)
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue
    const calls = message.content.flatMap((part) => (part.type === "tool-call" ? [part.id] : []))
    const next = messages[index + 1]
    const results = next?.role === "tool" ? next.content.map(({ id }) => id) : []
    expect(results).toEqual(calls)
  }
  expect(messages.at(-1)?.role).toBe("user")
}

describe("two programs", () => {
  it.live("cannot have a session open at once; the second is told who has it", () =>
    withStore((store, folder) =>
      Effect.gen(function* () {
        const id = yield* kept(store, run)
        const second = yield* SessionFiles.make({ folder }).pipe(Effect.provide(NodeFileSystem.layer))
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* store.open(id)
            const error = yield* Effect.flip(second.open(id))
            expect([error.kind, error.message]).toEqual([
              "in-use",
              `the session ${id} is open in process ${process.pid}`
            ])
            expect((yield* Effect.flip(second.remove(id))).kind).toBe("in-use")
            expect((yield* second.list)[0]).toMatchObject({ id, inUse: true })
          })
        )
        yield* second.open(id)
      })
    )
  )

  it.live("of many that want it at the same moment one gets it", () =>
    withStore((store) =>
      Effect.gen(function* () {
        const id = yield* kept(store, run)
        const outcomes = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.either(store.open(id)), {
          concurrency: "unbounded"
        })
        expect(outcomes.filter(({ _tag }) => _tag === "Right")).toHaveLength(1)
      })
    )
  )

  it.live("a lock whose holder is dead is taken over", () =>
    withStore((store, folder) =>
      Effect.gen(function* () {
        const id = yield* kept(store, run)
        writeFileSync(join(folder, id, "lock"), `999999999 x ${hostname()}`)
        expect((yield* store.list)[0]?.inUse).toBe(false)
        yield* store.open(id)
        writeFileSync(join(folder, id, "lock"), "1 x another-machine")
        expect((yield* store.list)[0]?.inUse).toBe(true)
      })
    )
  )
})

describe("sessions", () => {
  it.live("are listed with the last used one first", () =>
    withStore((store, folder) =>
      Effect.gen(function* () {
        const first = yield* kept(store, [...run, prompted("second prompt")], "/a")
        const second = yield* kept(store, [prompted("other")], "/b")
        utimesSync(eventsIn(folder, second), 1, 1)
        mkdirSync(join(folder, "something else"))
        expect(yield* store.list).toMatchObject([
          { id: first, directory: "/a", prompt: "what is here?", turns: 2, inUse: false },
          { id: second, directory: "/b", prompt: "other", turns: 1 }
        ])
      })
    )
  )

  it.live("are removed with what their tools have put beside them", () =>
    withStore((store, folder) =>
      Effect.gen(function* () {
        const id = yield* kept(store, run)
        mkdirSync(join(folder, id, "outputs"))
        writeFileSync(join(folder, id, "outputs", "x.txt"), "x".repeat(5_000))
        expect((yield* store.list)[0]?.bytes).toBeGreaterThan(5_000)
        yield* store.remove(id)
        expect(existsSync(join(folder, id))).toBe(false)
        expect((yield* Effect.flip(store.remove(id))).kind).toBe("not-found")
        expect((yield* Effect.flip(store.remove("../x"))).kind).toBe("not-found")
      })
    )
  )

  it.live("that are old, or too much, make room when another one begins; none that is open does", () =>
    withStore(
      (store, folder) =>
        Effect.gen(function* () {
          const old = yield* kept(store, run)
          const open = yield* kept(store, run)
          yield* store.open(open)
          for (const id of [old, open]) utimesSync(eventsIn(folder, id), 1, 1)
          const big = yield* kept(store, [prompted("x".repeat(20_000))])
          const { append, id: now } = yield* store.create("/work")
          yield* append(prompted("y".repeat(5_000)))
          yield* Effect.repeat(store.list, { until: (all) => all.length <= 2 })
          expect((yield* store.list).map(({ id }) => id).sort()).toEqual([open, now].sort())
          expect([old, big].some((id) => existsSync(join(folder, id)))).toBe(false)
        }),
      { keepFor: Duration.days(1), keepBytes: 15_000 }
    )
  )
})
