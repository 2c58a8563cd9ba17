/**
 * The configuration file that a command changes, and the changes of it.
 *
 * @since 0.1.0
 */
import { dirname } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as ConfigEdit from "../mcp/ConfigEdit.ts"
import { isObject, type JsonObject } from "../mcp/JsonRpc.ts"
import * as McpConfig from "../mcp/McpConfig.ts"
import type { McpError } from "../mcp/McpError.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import { type CliError, usage } from "./CliError.ts"
import * as Flag from "./Flag.ts"
import * as options from "./options.ts"
import { didYouMean } from "./suggest.ts"

/**
 * The options that say which file.
 *
 * @since 0.1.0
 * @category options
 */
export const flags = {
  config: options.config,
  scope: Flag.choice(
    "scope",
    ["project", "user"],
    "The file: .mcp.json here (the default), or your own of all projects"
  )
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly config: string | undefined
  readonly scope: "project" | "user" | undefined
}

/**
 * A file and its entries as they are written.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfigFile extends McpConfig.Location {
  readonly entries: ReadonlyMap<string, unknown>
}

/**
 * The file that the options mean; one that is not there has no entries. Fails when it cannot be read.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = ({
  config,
  scope = "project"
}: Options): Effect.Effect<ConfigFile, CliError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const locations = McpConfig.locations({ file: config })
    const location = locations.find((known) => known.scope === (config === undefined ? scope : "named"))
    if (location === undefined) return yield* usage("there is no home directory to keep your own file in")
    return yield* Effect.mapError(read(location), asUsage)
  })

/**
 * The files beside this one that a configuration is read from, too. One that cannot be read has no entries.
 *
 * @since 0.1.0
 * @category constructors
 */
export const others = (file: ConfigFile): Effect.Effect<ReadonlyArray<ConfigFile>, never, FileSystem.FileSystem> =>
  file.scope === "named"
    ? Effect.succeed([])
    : Effect.forEach(
        McpConfig.locations().filter(({ scope }) => scope !== file.scope),
        (location) => Effect.orElseSucceed(read(location), () => ({ ...location, entries: new Map() }))
      )

const read = (location: McpConfig.Location) =>
  Effect.gen(function* () {
    const text = yield* ConfigEdit.read(location.path)
    return { ...location, entries: yield* ConfigEdit.entries(text, location.path) }
  })

/**
 * Changes the file.
 *
 * @since 0.1.0
 * @category operations
 */
export const update = (
  { path }: ConfigFile,
  edits: ReadonlyArray<ConfigEdit.Edit>
): Effect.Effect<boolean, CliError, FileSystem.FileSystem> =>
  Effect.mapError(ConfigEdit.update(path, ConfigEdit.all(edits)), asUsage)

const asUsage = ({ hint, message }: McpError): CliError => usage(message, hint ?? "nothing was written")

/**
 * An entry of the file by its name. Fails with what the file has instead, and with the file that has it.
 *
 * @since 0.1.0
 * @category getters
 */
export const find = (file: ConfigFile, name: string): Effect.Effect<JsonObject, CliError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const entry = file.entries.get(name)
    if (isObject(entry)) return entry
    if (file.entries.has(name)) return yield* usage(`the entry "${name}" of ${file.path} is no object`)
    const elsewhere = (yield* others(file)).find(({ entries }) => entries.has(name))
    const hint =
      elsewhere === undefined
        ? (didYouMean(name, file.entries.keys()) ?? (yield* known(file)))
        : `it is in ${elsewhere.path}: --scope ${elsewhere.scope}`
    return yield* usage(`${file.path} has no server "${name}"`, hint)
  })

const known = ({ entries }: ConfigFile) =>
  Effect.succeed(entries.size === 0 ? "it has none" : `its servers are ${[...entries.keys()].join(", ")}`)

/**
 * What an entry of this file means, and what is wrong with it. Variables that are not set count as wrong only when `expand` is on.
 *
 * @since 0.1.0
 * @category conversions
 */
export const check = (
  { path, scope }: McpConfig.Location,
  name: string,
  entry: JsonObject,
  { expand }: { readonly expand: boolean }
): Effect.Effect<{ readonly server: ServerConfig | undefined; readonly problems: ReadonlyArray<string> }> =>
  Effect.gen(function* () {
    // A disabled entry may have variables that are not set.
    const written = { mcpServers: { [name]: expand ? entry : { ...entry, disabled: true } } }
    const { problems, servers } = yield* McpConfig.parse(JSON.stringify(written), {
      path,
      cwd: scope === "user" ? process.cwd() : dirname(path),
      env: process.env
    })
    return {
      server: servers[0],
      // The place in the text that was made here says nothing to a person.
      problems: problems.map(({ message }) => message.replace(/ \(line \d+, column \d+\)$/, ""))
    }
  }).pipe(Effect.orDie)
