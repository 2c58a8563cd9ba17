/**
 * What the administrator of a machine allows: lists of servers, by name, command or address, that neither a project nor a
 * person can loosen.
 *
 * `/etc/harness9/managed.json` holds `allow` and `deny`, each a list of rules `{ "name": … }`, `{ "command": … }` or
 * `{ "url": … }`, with `*` for any text. What is denied is never started or contacted; with `allow`, nothing else is either. A file
 * that cannot be read allows nothing. Rules over tool calls may stand there too, as `permissions`: see `harness9.json`.
 *
 * @since 0.1.0
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as ServerRule from "./internal/ServerRule.ts"
import { McpError } from "./McpError.ts"
import type { ServerConfig } from "./ServerConfig.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Fails when the server must not be started or contacted on this machine. */
  readonly check: (server: ServerConfig) => Effect.Effect<void, McpError>
}

const rules = Schema.Array(
  Schema.Union(
    Schema.Struct({ name: Schema.NonEmptyString }),
    Schema.Struct({ command: Schema.NonEmptyString }),
    Schema.Struct({ url: Schema.NonEmptyString })
  )
)

/**
 * The lists. An `allow` that is empty allows nothing; one that is not there allows everything.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Lists = Schema.Struct({
  allow: Schema.optionalWith(rules, { exact: true }),
  deny: Schema.optionalWith(rules, { exact: true }),
  /** Rules over tool calls, which the engine reads. */
  permissions: Schema.optionalWith(Schema.Unknown, { exact: true })
})

/**
 * @since 0.1.0
 * @category models
 */
export type Lists = typeof Lists.Type

/**
 * Why these lists keep a server from being used, if they do.
 *
 * @since 0.1.0
 * @category getters
 */
export const reason = ({ allow, deny = [] }: Lists, server: ServerConfig): string | undefined => {
  if (deny.some((rule) => ServerRule.forbids(rule, server))) return "it is on the list of denied servers"
  if (allow !== undefined && !ServerRule.allow(allow, server)) return "it is not on the list of allowed servers"
  return undefined
}

/**
 * The policy of these files, all of them together, read at each check. A file that is not there says nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (files: ReadonlyArray<string>): Service => ({
  check: (server) =>
    Effect.forEach(
      files,
      (file) =>
        Effect.flatMap(Effect.either(read(file)), (lists) => {
          const found = Either.match(lists, { onLeft: (broken) => broken, onRight: (read) => reason(read, server) })
          return found === undefined ? Effect.void : Effect.fail(refused(server.name, file, found))
        }),
      { discard: true }
    )
})

const decode = Schema.decode(Schema.parseJson(Lists), { onExcessProperty: "error" })

/** The left side says why the file cannot be followed. */
const read = (file: string): Effect.Effect<Lists, string> =>
  Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (cause) => (cause instanceof Error && "code" in cause ? String(cause.code) : "unknown")
  }).pipe(
    Effect.map((text) => text.replace(/^\uFEFF/, "")),
    Effect.catchIf(
      (code) => code === "ENOENT" || code === "ENOTDIR",
      () => Effect.succeed("{}")
    ),
    Effect.mapError((code) => `the list cannot be read (${code})`),
    Effect.flatMap((text) =>
      Effect.mapError(decode(text), () => "the list cannot be read: it is no JSON of allow, deny and permissions")
    )
  )

const refused = (server: string, file: string, found: string): McpError =>
  new McpError({
    server,
    phase: "config",
    kind: "config",
    message: `the administrator's policy keeps this server from being used: ${found}`,
    hint: `The policy is ${file}.`
  })

/**
 * Where the machine's own list is, and another one that `HARNESS9_MANAGED` may add to it.
 *
 * @since 0.1.0
 * @category getters
 */
export const files = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform
): ReadonlyArray<string> => {
  const folder = platform === "win32" ? join(env.PROGRAMDATA ?? "C:\\ProgramData", "harness9") : "/etc/harness9"
  return [join(folder, "managed.json"), ...(env.HARNESS9_MANAGED ? [env.HARNESS9_MANAGED] : [])]
}

/**
 * The policy in force: without a layer, that of the machine.
 *
 * @since 0.1.0
 * @category references
 */
export class ManagedPolicy extends Context.Reference<ManagedPolicy>()("harness9/ManagedPolicy", {
  defaultValue: (): Service => make(files())
}) {}

/**
 * Other lists than the machine's, for tests and for embedders that have their own.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerLists = (lists: Lists): Layer.Layer<never> =>
  Layer.succeed(ManagedPolicy, {
    check: (server) => {
      const found = reason(lists, server)
      return found === undefined ? Effect.void : Effect.fail(refused(server.name, "the program's own", found))
    }
  })
