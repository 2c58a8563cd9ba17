/**
 * The OAuth library, loaded with the first login that is used: a program without one does not pay for it.
 */
import * as Effect from "effect/Effect"

export type Library = typeof import("oauth4webapi")

export const library: Effect.Effect<Library> = Effect.promise(() => import("oauth4webapi"))
