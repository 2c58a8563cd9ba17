/**
 * A lock between processes that is waited for. One whose holder is dead, or that is older than any holder may take, is taken over.
 */
import { dirname } from "node:path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as LockFile from "../../internal/LockFile.ts"
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
      (mine) => LockFile.release(path, mine)
    )

/** Waits by the machine's clock, whatever clock a test has set: other processes know no other. */
const acquire = (path: string): Effect.Effect<string, TokenStoreError> => {
  const mine = LockFile.signature()
  const attempt: Effect.Effect<string, TokenStoreError> = LockFile.create(path, mine).pipe(
    Effect.mapError((code) => new TokenStoreError({ message: `${path} cannot be written (${code})`, missing: false })),
    Effect.flatMap((created) =>
      created
        ? Effect.succeed(mine)
        : LockFile.clearStale(path, staleAfterMs).pipe(
            Effect.zipRight(Effect.sleep(pollInterval)),
            Effect.zipRight(attempt)
          )
    )
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
