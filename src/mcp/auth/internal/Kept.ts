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
  /** Changes what is kept of one issuer, if something is, as it is by then. */
  readonly amend: (issuer: string, change: (credentials: Credentials) => Credentials) => Effect.Effect<void>
  readonly remove: (issuer?: string) => Effect.Effect<void>
  readonly exclusively: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** The logins of one server. */
export const make = (store: TokenStore.Service, server: string): Kept => {
  const warned = (what: string, error: TokenStoreError) => Effect.logWarning(`[mcp] a login ${what}: ${error.message}`)
  const load = Effect.catchAll(store.load(server), (error) => Effect.as(warned("could not be read", error), []))
  const save: Kept["save"] = (credentials) =>
    Effect.catchAll(store.save(credentials), (error) => warned("lasts as long as this program", error))
  const exclusively: Kept["exclusively"] = (effect) =>
    Effect.flatten(
      Effect.catchAll(store.exclusively(server)(Effect.exit(effect)), (error) =>
        Effect.zipRight(warned("is not guarded against other processes", error), Effect.exit(effect))
      )
    )
  return {
    load,
    save,
    exclusively,
    amend: (issuer, change) =>
      exclusively(
        Effect.flatMap(load, (all) => {
          const kept = all.find((one) => one.issuer === issuer)
          return kept === undefined ? Effect.void : save(change(kept))
        })
      ),
    remove: (issuer) => Effect.catchAll(store.remove(server, issuer), (error) => warned("could not be removed", error))
  }
}
