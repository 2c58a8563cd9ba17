/**
 * Files that only their owner can read, replaced as a whole or not at all.
 */
import { randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TokenStoreError } from "../TokenStoreError.ts"

/** The text of a file, if there is one. */
export const read = (path: string): Effect.Effect<Option.Option<string>, TokenStoreError> =>
  attempt("read", path, () => fs.readFile(path, "utf8")).pipe(
    Effect.map(Option.some),
    Effect.catchIf(
      ({ missing }) => missing,
      () => Effect.succeedNone
    )
  )

/** Written beside its place and moved there: a reader, and a crash, meets the old text or the new. */
export const write = (path: string, text: string): Effect.Effect<void, TokenStoreError> => {
  const draft = `${path}.${randomUUID()}.tmp`
  return Effect.zipRight(
    folder(dirname(path)),
    attempt("written", path, async () => {
      const file = await fs.open(draft, "wx", 0o600)
      await file.writeFile(text).finally(() => file.close())
      await fs.rename(draft, path)
    }).pipe(Effect.onError(() => Effect.ignore(Effect.tryPromise(() => fs.rm(draft, { force: true })))))
  )
}

export const remove = (path: string): Effect.Effect<void, TokenStoreError> =>
  attempt("removed", path, () => fs.rm(path, { force: true }))

/** A folder that nobody else can look into. */
export const folder = (path: string): Effect.Effect<void, TokenStoreError> =>
  attempt("made", path, async () => {
    await fs.mkdir(path, { recursive: true, mode: 0o700 })
  })

const attempt = <A>(verb: string, path: string, run: () => Promise<A>): Effect.Effect<A, TokenStoreError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => {
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
      return new TokenStoreError({ message: `${path} cannot be ${verb} (${code})`, missing: code === "ENOENT" })
    }
  })
