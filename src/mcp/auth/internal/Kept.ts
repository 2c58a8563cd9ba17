/**
 * A token store whose failures cost no login: what cannot be kept lives as long as the program, and a warning says so.
 */
import * as Effect from "effect/Effect"
import type { Credentials } from "../Credentials.ts"
import type * as TokenStore from "../TokenStore.ts"
import type { TokenStoreError } from "../TokenStoreError.ts"

export interface Kept {
  readonly load: Effect.Effect<ReadonlyArray<Credentials>>
  readonly save: (credentials: Credentials) => Effect.Effect<void>
  readonly remove: (issuer?: string) => Effect.Effect<void>
  readonly exclusively: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** The logins of one server. */
export const make = (store: TokenStore.Service, server: string): Kept => {
  const warned = (what: string, error: TokenStoreError) => Effect.logWarning(`[mcp] a login ${what}: ${error.message}`)
  return {
    load: Effect.catchAll(store.load(server), (error) => Effect.as(warned("could not be read", error), [])),
    save: (credentials) =>
      Effect.catchAll(store.save(credentials), (error) => warned("lasts as long as this program", error)),
    remove: (issuer) => Effect.catchAll(store.remove(server, issuer), (error) => warned("could not be removed", error)),
    exclusively: (effect) =>
      Effect.flatten(
        Effect.catchAll(store.exclusively(server)(Effect.exit(effect)), (error) =>
          Effect.zipRight(warned("is not guarded against other processes", error), Effect.exit(effect))
        )
      )
  }
}
