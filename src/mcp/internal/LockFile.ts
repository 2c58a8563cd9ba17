/** A lock between processes: a file that only one of them can have made, and that is taken over when its holder is gone. */
import { randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import { hostname } from "node:os"
import * as Effect from "effect/Effect"

/** What a process writes into its locks; no two are the same. */
export const signature = (): string => `${process.pid} ${randomUUID()} ${hostname()}`

/** False when there is one already. Fails with the system's code. The folder has to be there. */
export const create = (path: string, content: string): Effect.Effect<boolean, string> =>
  Effect.tryPromise({
    try: () => fs.writeFile(path, content, { flag: "wx", mode: 0o600 }),
    catch: (cause) => (cause instanceof Error && "code" in cause ? String(cause.code) : "unknown")
  }).pipe(
    Effect.as(true),
    Effect.catchIf(
      // Windows says so of a file that is about to vanish.
      (code) => code === "EEXIST" || code === "EPERM",
      () => Effect.succeed(false)
    )
  )

/** Lets go of a lock that is still one's own. */
export const release = (path: string, mine: string): Effect.Effect<void> =>
  Effect.flatMap(contentOf(path), (content) => (content === mine ? ignoringErrors(() => fs.rm(path)) : Effect.void))

/**
 * Removes a lock whose holder is dead, or that is older than that. It is moved away before: of two processes that want to, one alone
 * moves it.
 */
export const clearStale = Effect.fnUntraced(function* (path: string, staleAfterMs = Number.POSITIVE_INFINITY) {
  const content = yield* contentOf(path)
  if (content === undefined || !(yield* isStale(path, content, staleAfterMs))) return
  const aside = `${path}.${randomUUID()}.stale`
  yield* ignoringErrors(async () => {
    await fs.rename(path, aside)
    // Meanwhile another process may have taken the old one over: what was moved is its lock, and goes back.
    if ((await fs.readFile(aside, "utf8")) !== content) await fs.link(aside, path)
    await fs.rm(aside)
  })
})

/** Who holds the lock, in a few words; nothing when nobody does. */
export const holder = Effect.fnUntraced(function* (path: string) {
  const content = yield* contentOf(path)
  if (content === undefined || (yield* isStale(path, content, Number.POSITIVE_INFINITY))) return undefined
  const { host, pid } = read(content)
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
})

const contentOf = (path: string): Effect.Effect<string | undefined> =>
  Effect.orElseSucceed(
    Effect.tryPromise(() => fs.readFile(path, "utf8")),
    () => undefined
  )

const read = (content: string): { readonly pid: number; readonly host: string | undefined } => {
  const [, pid, host] = /^(\d+) \S+ (.*)$/s.exec(content) ?? []
  return { pid: Number(pid), host }
}

const isStale = (path: string, content: string, staleAfterMs: number): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => {
    const { mtimeMs } = await fs.stat(path)
    if (Date.now() - mtimeMs > staleAfterMs) return true
    const { host, pid } = read(content)
    return host === hostname() && !isAlive(pid)
  }).pipe(Effect.orElseSucceed(() => false))

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const ignoringErrors = (run: () => Promise<unknown>): Effect.Effect<void> => Effect.ignore(Effect.tryPromise(run))
