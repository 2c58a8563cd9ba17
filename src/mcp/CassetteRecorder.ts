/**
 * Writes a cassette, a line at a time as things happen: what has been written stays whatever becomes of the program.
 *
 * @since 0.1.0
 */
import { closeSync, openSync, writeSync } from "node:fs"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import type * as Scope from "effect/Scope"
import { CassetteError, type Entry, type Header, type Server } from "./Cassette.ts"
import * as CanonicalJson from "./internal/CanonicalJson.ts"
import { mask } from "./internal/cassette/Comparison.ts"
import * as Redact from "./internal/Redact.ts"
import { version } from "./internal/version.ts"
import { isObject } from "./JsonRpc.ts"
import type { ServerConfig } from "./ServerConfig.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Writes a line. One that cannot be written is a warning, and ends the recording, not the program. */
  readonly write: (entry: Omit<Entry, "at">) => Effect.Effect<void>
  /** These values are masked from now on. */
  readonly hide: (secrets: ReadonlyArray<string>) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class CassetteRecorder extends Context.Tag("harness9/CassetteRecorder")<CassetteRecorder, Service>() {}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly file: string
  /** Write over a file that is there. Default: refuse. */
  readonly force?: boolean | undefined
  /** The servers of the program: their credentials are masked, and a replay needs no configuration. */
  readonly servers?: ReadonlyArray<ServerConfig> | undefined
  /** Further values to mask. */
  readonly secrets?: ReadonlyArray<string> | undefined
}

/**
 * Begins a recording, which ends with the Scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* ({
  file,
  force = false,
  secrets = [],
  servers = []
}: Options): Effect.fn.Return<Service, CassetteError, Scope.Scope> {
  const handle = yield* Effect.acquireRelease(
    Effect.try({ try: () => openSync(file, force ? "w" : "wx", 0o600), catch: (cause) => notOpened(file, cause) }),
    (handle) => Effect.sync(() => closeSync(handle))
  )
  const started = yield* Clock.currentTimeMillis
  const hidden = new Set([...secrets, ...servers.flatMap((server) => server.secrets)])
  let redaction = Redact.redaction([...hidden])
  let broken = false

  const append = (line: unknown) =>
    Effect.try({ try: () => writeSync(handle, `${JSON.stringify(line)}\n`), catch: (cause) => notWritten(file, cause) })

  yield* append(header(servers, (value) => masked(value, redaction.text)))

  return {
    write: (entry) =>
      Effect.suspend(() =>
        broken
          ? Effect.void
          : Effect.flatMap(Clock.currentTimeMillis, (now) =>
              append({ at: now - started, ...entry, message: masked(entry.message, redaction.text) })
            )
      ).pipe(
        Effect.catchAll(({ message }) => {
          broken = true
          return Effect.logWarning(`[cassette] ${message}; nothing more is recorded`)
        }),
        Effect.asVoid
      ),
    hide: (secrets) =>
      Effect.sync(() => {
        if (secrets.every((secret) => hidden.has(secret))) return
        for (const secret of secrets) hidden.add(secret)
        redaction = Redact.redaction([...hidden])
      })
  }
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<CassetteRecorder, CassetteError> =>
  Layer.scoped(CassetteRecorder, make(options))

/** Values of fields that are called so are credentials, whatever they are. */
const secretField =
  /^(?!.*tokens$)(?!progressToken$).*(?:api[-_]?key|token|secret|passw|credential|authorization|cookie)/i

const masked = (value: unknown, text: (text: string) => string): unknown => {
  if (typeof value === "string") return text(value)
  if (Array.isArray(value)) return value.map((item) => masked(item, text))
  if (!isObject(value)) return value
  return Record.map(value, (item, key) =>
    typeof item === "string" && secretField.test(key) ? mask : masked(item, text)
  )
}

const header = (servers: ReadonlyArray<ServerConfig>, mask: (value: unknown) => unknown): Header => ({
  cassette: 1,
  harness9: version,
  directory: process.cwd(),
  config: digest(servers, mask),
  servers: servers.map(entry)
})

/**
 * The digest of the servers' entries without their credentials: the same configuration has the same.
 *
 * @since 0.1.0
 * @category getters
 */
export const configDigest = (servers: ReadonlyArray<ServerConfig>): string => {
  const { text } = Redact.redaction(servers.flatMap(({ secrets }) => secrets))
  return digest(servers, (value) => masked(value, text))
}

const digest = (servers: ReadonlyArray<ServerConfig>, mask: (value: unknown) => unknown): string =>
  CanonicalJson.digest(
    servers.map((server) => {
      const { transport } = server
      const reached =
        transport._tag === "stdio" ? { command: transport.command, args: transport.args } : { url: transport.url }
      return mask({ ...entry(server), ...reached })
    })
  )

const entry = (server: ServerConfig): Server => ({
  name: server.name,
  transport: server.transport._tag,
  disabled: server.disabled,
  required: server.required,
  excludeTools: server.excludeTools,
  ...defined({
    connectTimeoutMs: server.connectTimeout && Duration.toMillis(server.connectTimeout),
    callTimeoutMs: server.callTimeout && Duration.toMillis(server.callTimeout),
    includeTools: server.includeTools,
    defer: server.defer,
    protocolVersion: server.protocolVersion,
    limits: server.limits,
    unusable: server.unusable,
    unapproved: server.consent === undefined ? undefined : true
  })
})

type Defined<A> = { readonly [K in keyof A]?: Exclude<A[K], undefined> }

/** The fields that are there. */
const defined = <A extends object>(fields: A): Defined<A> =>
  // Nothing but the undefined fields is gone.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<A>

const notOpened = (file: string, cause: unknown): CassetteError =>
  code(cause) === "EEXIST"
    ? new CassetteError({ message: `${file} is there already`, hint: "--force writes over it" })
    : new CassetteError({ message: `${file} cannot be written: ${code(cause)}` })

const notWritten = (file: string, cause: unknown): CassetteError =>
  new CassetteError({ message: `${file} cannot be written: ${code(cause)}` })

const code = (cause: unknown): string =>
  isObject(cause) && typeof cause.code === "string" ? cause.code : "the message cannot be written as JSON"
