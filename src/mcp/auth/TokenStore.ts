/**
 * Where logins are kept between runs.
 *
 * `layer` keeps them under `$XDG_STATE_HOME/harness9/credentials`, a file of mode 0600 for each server, sealed with a key from
 * the operating system's keychain where there is one. An embedder with a safe of its own gives another layer.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Credentials } from "./Credentials.ts"
import * as FileLock from "./internal/FileLock.ts"
import * as Keychain from "./internal/Keychain.ts"
import * as PrivateFile from "./internal/PrivateFile.ts"
import * as Seal from "./internal/Seal.ts"
import type { TokenStoreError } from "./TokenStoreError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The logins at one server, by its exact address: the one that was saved last comes first. */
  readonly load: (server: string) => Effect.Effect<ReadonlyArray<Credentials>, TokenStoreError>
  /** Keeps a login in the place of an earlier one for the same server from the same issuer. */
  readonly save: (credentials: Credentials) => Effect.Effect<void, TokenStoreError>
  /** Forgets the login of one issuer, or all of the server. */
  readonly remove: (server: string, issuer?: string) => Effect.Effect<void, TokenStoreError>
  /**
   * Runs an effect while no other process that shares the store runs one for the same server: two processes that find a token at
   * its end renew it once.
   */
  readonly exclusively: (
    server: string
  ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | TokenStoreError, R>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class TokenStore extends Context.Tag("harness9/TokenStore")<TokenStore, Service>() {}

/**
 * Logins in memory: they end with the program.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory: Layer.Layer<TokenStore> = Layer.sync(TokenStore, () => {
  const kept = new Map<string, ReadonlyArray<Credentials>>()
  return ofRecords({
    read: (server) => Effect.sync(() => kept.get(server) ?? []),
    write: (server, records) => Effect.sync(() => void kept.set(server, records)),
    lock: () => (effect) => effect
  })
})

/**
 * Logins in files of mode 0600 in a folder, one for each server. With `keychain`, what is in them is sealed with a key that the
 * operating system's keychain holds, if it has one.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFile = (options: {
  readonly directory: string
  readonly keychain?: boolean | undefined
}): Layer.Layer<TokenStore> =>
  Layer.effect(
    TokenStore,
    Effect.gen(function* () {
      const { directory, keychain = false } = options
      const lock = (name: string) => FileLock.exclusively(join(directory, `${name}.lock`))
      const key = yield* Effect.cached(keychain ? keyOfSystem(lock("keychain")) : Effect.succeed(notAsked))
      const file = (server: string) => join(directory, `${nameOf(server)}.json`)
      const unopened = yield* Effect.once(
        Effect.flatMap(key, (none) =>
          Effect.logWarning(
            `[mcp] a login is sealed and cannot be opened${Either.isLeft(none) ? `: ${none.left}` : ""}`
          )
        )
      )
      const open = (text: string, server: string) =>
        Effect.map(key, (found) => Option.flatMap(Either.getRight(found), Seal.open(text, server))).pipe(
          Effect.tap((opened) => (Option.isNone(opened) ? unopened : Effect.void))
        )
      const tellPlain = (path: string, why: string) =>
        Effect.flatMap(PrivateFile.read(path), (before) =>
          Option.isSome(before) || !keychain
            ? Effect.void
            : Effect.logInfo(
                `[mcp] the login is kept in ${path}, which only you can read, and not in a keychain: ${why}`
              )
        )
      return ofRecords({
        read: (server) =>
          Effect.gen(function* () {
            const text = yield* PrivateFile.read(file(server))
            if (Option.isNone(text)) return []
            const opened = Seal.isSealed(text.value) ? yield* open(text.value, server) : text
            return Option.match(Option.flatMap(opened, decode), {
              // A damaged file, or one whose key is gone, is a login less, and no failure.
              onNone: () => [],
              onSome: ({ credentials }) => credentials.filter((one) => one.server === server)
            })
          }),
        write: (server, credentials) =>
          credentials.length === 0
            ? PrivateFile.remove(file(server))
            : Effect.flatMap(key, (sealing) => {
                const path = file(server)
                const text = encode({ version: 1, credentials })
                return Either.match(sealing, {
                  onLeft: (why) => Effect.zipRight(tellPlain(path, why), PrivateFile.write(path, text)),
                  onRight: (found) => PrivateFile.write(path, Seal.close(text, server)(found))
                })
              }),
        lock: (server) => lock(nameOf(server))
      })
    })
  )

/**
 * Where logins are kept by default.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<TokenStore> = Layer.unwrapEffect(
  Effect.sync(() => layerFile({ directory: join(stateHome(), "harness9", "credentials"), keychain: true }))
)

/** A key, or why there is none. */
type Key = Either.Either<Uint8Array, string>

const notAsked: Key = Either.left("none was asked for")

const keyOfSystem = (
  lock: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | TokenStoreError, R>
): Effect.Effect<Key> =>
  Effect.catchAll(lock(Keychain.keyOn(process.platform)), ({ message }) => Effect.succeed(Either.left(message)))

const stateHome = (): string => {
  const { LOCALAPPDATA, XDG_STATE_HOME } = process.env
  if (XDG_STATE_HOME?.startsWith("/")) return XDG_STATE_HOME
  return process.platform === "win32" && LOCALAPPDATA ? LOCALAPPDATA : join(homedir(), ".local", "state")
}

interface Records {
  readonly read: (server: string) => Effect.Effect<ReadonlyArray<Credentials>, TokenStoreError>
  readonly write: (server: string, records: ReadonlyArray<Credentials>) => Effect.Effect<void, TokenStoreError>
  readonly lock: Service["exclusively"]
}

const ofRecords = ({ lock, read, write }: Records): Service => ({
  load: read,
  save: (credentials) => {
    const { issuer, server } = credentials
    return Effect.flatMap(read(server), (records) =>
      write(server, [credentials, ...records.filter((one) => one.issuer !== issuer)])
    )
  },
  remove: (server, issuer) =>
    Effect.flatMap(read(server), (records) =>
      write(server, issuer === undefined ? [] : records.filter((one) => one.issuer !== issuer))
    ),
  exclusively: lock
})

const nameOf = (server: string): string => createHash("sha256").update(server).digest("hex").slice(0, 32)

const Document = Schema.Struct({ version: Schema.Literal(1), credentials: Schema.Array(Credentials) })

const { decode, encode } = {
  decode: Schema.decodeUnknownOption(Schema.parseJson(Document)),
  encode: Schema.encodeSync(Schema.parseJson(Document))
}
