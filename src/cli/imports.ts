/**
 * Servers of another host beside what the file has: which are new, which are there already, which cannot be taken over.
 *
 * @since 0.1.0
 */
import { homedir } from "node:os"
import { resolve } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as ConfigEdit from "../mcp/ConfigEdit.ts"
import type { ForeignFile, ForeignServer } from "../mcp/import/ForeignServer.ts"
import * as Host from "../mcp/import/Host.ts"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type { McpError } from "../mcp/McpError.ts"
import { type CliError, usage } from "./CliError.ts"
import * as ConfigFile from "./ConfigFile.ts"
import { didYouMean } from "./suggest.ts"

/**
 * What becomes of a server.
 *
 * - `new`: it is written
 * - `same`: the file has that very entry
 * - `exists`: the file has another one of that name, which stays
 * - `replace`: the file has another one of that name, which goes
 * - `unusable`: it cannot be taken over
 *
 * @since 0.1.0
 * @category models
 */
export type State = "new" | "same" | "exists" | "replace" | "unusable"

/**
 * @since 0.1.0
 * @category models
 */
export interface Candidate {
  readonly name: string
  readonly state: State
  readonly entry: JsonObject | undefined
  /** The file that it comes from. */
  readonly source: string
  readonly notes: ReadonlyArray<string>
  /** Values of the entry that are not to be shown. */
  readonly secrets: ReadonlyArray<string>
}

/**
 * Everything that a host has.
 *
 * @since 0.1.0
 * @category models
 */
export interface Found {
  readonly host: Host.Host
  readonly files: ReadonlyArray<string>
  readonly servers: ReadonlyArray<ForeignServer & { readonly source: string }>
  readonly notes: ReadonlyArray<string>
}

/**
 * Reads a host's files by its name, or one file. `target` is not read: it is the one that is written.
 *
 * @since 0.1.0
 * @category constructors
 */
export const read = (from: string, target: string): Effect.Effect<Found, CliError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const host = Host.hosts.find(({ id }) => id === from)
    if (host === undefined) return yield* readFile(resolve(from), from)
    const { env, platform } = process
    const machine = { platform, env, home: env.HOME ?? env.USERPROFILE ?? homedir(), cwd: process.cwd() }
    const places = host.files(machine).filter((path) => path !== target)
    const files = yield* Effect.filter(places, (path) => Effect.orElseSucceed(fs.exists(path), () => false))
    if (files.length === 0) {
      return yield* usage(`no configuration of ${host.title} was found`, `looked for ${places.join(", ")}`)
    }
    const read = yield* Effect.forEach(files, (path) =>
      Effect.match(document(path), {
        onFailure: ({ message }) => ({ path, file: { servers: [], notes: [message] } }),
        onSuccess: (value) => ({ path, file: host.read(value, machine.cwd) })
      })
    )
    return found(host, read)
  })

const readFile = (path: string, from: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (!(yield* Effect.orElseSucceed(fs.exists(path), () => false))) {
      const ids = Host.hosts.map(({ id }) => id)
      return yield* usage(
        `"${from}" is neither a host nor a file`,
        didYouMean(from, ids) ?? `the hosts are ${ids.join(", ")}`
      )
    }
    const value = yield* Effect.mapError(document(path), asUsage)
    const host = yield* Effect.mapError(Host.detect(value, path), asUsage)
    return found(host, [{ path, file: host.read(value, process.cwd()) }])
  })

const document = (path: string) =>
  Effect.flatMap(ConfigEdit.read(path), (text) => Host.parse(text.replace(/^\uFEFF/, ""), path))

const asUsage = ({ hint, message }: McpError): CliError => usage(message, hint ?? "nothing was written")

/** Of servers of one name, the one that the host would use. */
const found = (host: Host.Host, read: ReadonlyArray<{ readonly path: string; readonly file: ForeignFile }>): Found => {
  const all = read
    .flatMap(({ file, path }) => file.servers.map((server) => ({ ...server, source: path })))
    .sort((a, b) => a.rank - b.rank)
  return {
    host,
    files: read.map(({ path }) => path),
    servers: all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index),
    notes: read.flatMap(({ file }) => file.notes)
  }
}

/**
 * What becomes of each server in this file.
 *
 * @since 0.1.0
 * @category conversions
 */
export const plan = (
  { servers }: Found,
  file: ConfigFile.ConfigFile,
  force: boolean
): Effect.Effect<ReadonlyArray<Candidate>> =>
  Effect.forEach(servers, ({ entry, name, notes, source }) => {
    if (entry === undefined)
      return Effect.succeed({ name, state: "unusable", entry, source, notes, secrets: [] } as const)
    return Effect.map(ConfigFile.check(file, name, entry, { expand: false }), ({ problems, server }): Candidate => {
      const all = [...notes, ...problems]
      if (server === undefined || name.trim() === "") {
        return { name, state: "unusable", entry: undefined, source, notes: all, secrets: [] }
      }
      const known = file.entries.has(name)
      const isSame = known && Equal.equals(structural(file.entries.get(name)), structural(entry))
      const state = !known ? "new" : isSame ? "same" : force ? "replace" : "exists"
      return { name, state, entry, source, notes: all, secrets: server.secrets }
    })
  })

/** A value that equals another when they say the same, whatever the order of keys. */
const structural = (value: unknown): unknown => {
  if (Array.isArray(value)) return Data.array(value.map(structural))
  if (typeof value !== "object" || value === null) return value
  return Data.struct(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, structural(item)])))
}
