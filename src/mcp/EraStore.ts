/**
 * What was found out about servers' revisions, kept for the next start: a server that is known to begin with a handshake is
 * not asked first whether it is a stateless one.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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
