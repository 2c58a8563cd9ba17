/**
 * A lock between processes: a file that only one of them can have made. A lock whose holder is dead, or that is older than any
 * holder may take, is taken over.
 */
import { randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import { hostname } from "node:os"
import { dirname } from "node:path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TokenStoreError } from "../TokenStoreError.ts"
import * as PrivateFile from "./PrivateFile.ts"

const pollInterval = Duration.millis(25)
/** Longer than a holder may take. */
const staleAfterMs = 120_000
const patience = Duration.seconds(150)

/** Runs an effect while the lock is held. */
export const exclusively =
  (path: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TokenStoreError, R> =>
    Effect.acquireUseRelease(
      acquire(path),
      () => effect,
      (mine) => release(path, mine)
    )

/** Waits by the machine's clock, whatever clock a test has set: other processes know no other. */
const acquire = (path: string): Effect.Effect<string, TokenStoreError> => {
  const mine = `${process.pid} ${randomUUID()} ${hostname()}`
  const attempt: Effect.Effect<string, TokenStoreError> = Effect.flatMap(create(path, mine), (created) =>
    created
      ? Effect.succeed(mine)
      : clearStale(path).pipe(Effect.zipRight(Effect.sleep(pollInterval)), Effect.zipRight(attempt))
  )
  return PrivateFile.folder(dirname(path)).pipe(
    Effect.zipRight(Effect.interruptible(attempt)),
    Effect.timeoutFail({
      duration: patience,
      onTimeout: () => new TokenStoreError({ message: `${path} is held by another process`, missing: false })
    }),
    Effect.withClock(Clock.make())
  )
}

const create = (path: string, content: string): Effect.Effect<boolean, TokenStoreError> =>
  Effect.tryPromise({
    try: () => fs.writeFile(path, content, { flag: "wx", mode: 0o600 }),
    catch: (cause) => (cause instanceof Error && "code" in cause ? String(cause.code) : "unknown")
  }).pipe(
    Effect.as(true),
    Effect.catchIf(
      // Windows says so of a file that is about to vanish.
      (code) => code === "EEXIST" || code === "EPERM",
      () => Effect.succeed(false)
    ),
    Effect.mapError((code) => new TokenStoreError({ message: `${path} cannot be written (${code})`, missing: false }))
  )

const release = (path: string, mine: string): Effect.Effect<void> =>
  Effect.flatMap(contentOf(path), (content) => (content === mine ? ignoringErrors(() => fs.rm(path)) : Effect.void))

/** Moved away before it is removed: of two processes that want to, one alone moves it. */
const clearStale = Effect.fnUntraced(function* (path: string) {
  const content = yield* contentOf(path)
  if (content === undefined || !(yield* isStale(path, content))) return
  const aside = `${path}.${randomUUID()}.stale`
  yield* ignoringErrors(async () => {
    await fs.rename(path, aside)
    // Meanwhile another process may have taken the old one over: what was moved is its lock, and goes back.
    if ((await fs.readFile(aside, "utf8")) !== content) await fs.link(aside, path)
    await fs.rm(aside)
  })
})

const contentOf = (path: string): Effect.Effect<string | undefined> =>
  Effect.orElseSucceed(
    Effect.tryPromise(() => fs.readFile(path, "utf8")),
    () => undefined
  )

const isStale = (path: string, content: string): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => {
    const { mtimeMs } = await fs.stat(path)
    if (Date.now() - mtimeMs > staleAfterMs) return true
    const [, pid, host] = /^(\d+) \S+ (.*)$/s.exec(content) ?? []
    return host === hostname() && !isAlive(Number(pid))
  }).pipe(Effect.orElseSucceed(() => false))

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const ignoringErrors = (run: () => Promise<unknown>): Effect.Effect<void> => Effect.ignore(Effect.tryPromise(run))
