/** Where a path leads once all links are followed. */
import { realpath } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import * as Effect from "effect/Effect"

/** Of what is not there, the real path of the nearest folder that is, and the rest. */
export const of = (absolute: string): Effect.Effect<string> =>
  Effect.tryPromise(() => realpath(absolute)).pipe(
    Effect.orElse(() =>
      dirname(absolute) === absolute
        ? Effect.succeed(absolute)
        : Effect.map(of(dirname(absolute)), (parent) => join(parent, basename(absolute)))
    )
  )
