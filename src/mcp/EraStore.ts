/**
 * What was found out about servers' revisions, kept for the next start: a server that is known to begin with a handshake is
 * not asked first whether it is a stateless one.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PrivateFile from "./auth/internal/PrivateFile.ts"
import * as StateHome from "./internal/StateHome.ts"
import type { Era } from "./ProtocolVersion.ts"
import type { ServerConfig } from "./ServerConfig.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The key is a digest of what the entry starts or reaches: another program under the same name is another server. */
  readonly get: (key: string) => Effect.Effect<Era | undefined>
  readonly set: (key: string, era: Era) => Effect.Effect<void>
  readonly forget: (key: string) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class EraStore extends Context.Tag("harness9/EraStore")<EraStore, Service>() {}

/**
 * Remembers until the program ends.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (): Service => {
  const eras = new Map<string, Era>()
  return {
    get: (key) => Effect.sync(() => eras.get(key)),
    set: (key, era) => Effect.sync(() => void eras.set(key, era)),
    forget: (key) => Effect.sync(() => void eras.delete(key))
  }
}

/**
 * Remembers until the program ends.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory: Layer.Layer<EraStore> = Layer.sync(EraStore, make)

/**
 * Remembers in a folder, a file for each server: programs that write at the same time do not meet, and a damaged file costs its
 * own server one question. What cannot be kept is asked again at the next start.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFolder = (folder: string): Layer.Layer<EraStore> => Layer.succeed(EraStore, inFolder(folder))

/**
 * Remembers in `$XDG_STATE_HOME/harness9/eras`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<EraStore> = Layer.unwrapEffect(Effect.sync(() => layerFolder(StateHome.path("eras"))))

/** How many servers are remembered; beyond that, those that were last heard of the longest ago are not. */
const maxServers = 500

/** How long it is believed: a server that is brought up to date behind the same entry is asked again some day. */
const maxAge = Duration.days(7)

const inFolder = (folder: string): Service => {
  const fileOf = (key: string) => join(folder, key)
  return {
    get: (key) =>
      Effect.gen(function* () {
        const file = fileOf(key)
        const text = yield* PrivateFile.read(file)
        if (Option.isNone(text)) return undefined
        const age = (yield* Clock.currentTimeMillis) - (yield* changedAt(file))
        return age > Duration.toMillis(maxAge) ? undefined : eras.find((era) => era === text.value.trim())
      }).pipe(Effect.orElseSucceed(() => undefined)),
    set: (key, era) =>
      Effect.ignore(Effect.zipRight(PrivateFile.write(fileOf(key), `${era}\n`), prune(folder, maxServers))),
    forget: (key) => Effect.ignore(PrivateFile.remove(fileOf(key)))
  }
}

const eras: ReadonlyArray<Era> = ["legacy", "modern"]

const changedAt = (file: string) =>
  Effect.map(
    Effect.tryPromise(() => stat(file)),
    ({ mtimeMs }) => mtimeMs
  )

/** Removes the oldest files of a folder that holds too many. */
const prune = Effect.fnUntraced(function* (folder: string, limit: number) {
  const names = yield* Effect.tryPromise(() => readdir(folder))
  if (names.length <= limit) return
  const files = yield* Effect.forEach(names, (name) => {
    const file = join(folder, name)
    return Effect.map(
      Effect.orElseSucceed(changedAt(file), () => 0),
      (changed) => ({ file, changed })
    )
  })
  const oldest = files.toSorted((one, other) => one.changed - other.changed).slice(0, names.length - limit)
  yield* Effect.forEach(oldest, ({ file }) => Effect.ignore(PrivateFile.remove(file)), { discard: true })
})

/**
 * The key of an entry: what it starts, or which address it reaches. Variables, headers and credentials are not in it.
 *
 * @since 0.1.0
 * @category keys
 */
export const keyOf = ({ transport }: ServerConfig): string => {
  const reached =
    transport._tag === "stdio" ? [transport.command, transport.args, transport.cwd] : [transport._tag, transport.url]
  return createHash("sha256").update(JSON.stringify(reached)).digest("hex")
}
