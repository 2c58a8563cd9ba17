/**
 * A new entry on its way into a file: whether it may go there, and what a person should know of it.
 *
 * @since 0.1.0
 */
import { dirname } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as ConfigEdit from "../mcp/ConfigEdit.ts"
import * as EntryConsent from "../mcp/internal/config/EntryConsent.ts"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import * as ToolName from "../mcp/ToolName.ts"
import * as Trust from "../mcp/Trust.ts"
import { type CliError, usage } from "./CliError.ts"
import * as ConfigFile from "./ConfigFile.ts"
import * as LiteralSecrets from "./literalSecrets.ts"
import * as MaskedEntry from "./maskedEntry.ts"

/**
 * What has been written.
 *
 * @since 0.1.0
 * @category models
 */
export interface Added {
  readonly name: string
  readonly file: string
  readonly scope: ConfigFile.ConfigFile["scope"]
  readonly replaced: boolean
  /** With its secrets masked. */
  readonly entry: JsonObject
  readonly notes: ReadonlyArray<string>
}

/**
 * Fails when the file has the name already and it is not to be replaced.
 *
 * @since 0.1.0
 * @category guards
 */
export const checkFree = (file: ConfigFile.ConfigFile, name: string, force: boolean): Effect.Effect<void, CliError> =>
  file.entries.has(name) && !force
    ? usage(`${file.path} has a server "${name}" already`, "--force replaces it")
    : Effect.void

/**
 * Writes the entry. The secrets are those that it has: they are not shown.
 *
 * @since 0.1.0
 * @category operations
 */
export const write = (
  file: ConfigFile.ConfigFile,
  name: string,
  entry: JsonObject,
  { notes, secrets }: { readonly notes: ReadonlyArray<string>; readonly secrets: ReadonlyArray<string> }
): Effect.Effect<Added, CliError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const others = yield* ConfigFile.others(file)
    yield* ConfigFile.update(file, [ConfigEdit.setEntry(name, entry)])
    const unkept = file.scope === "project" ? yield* agree(file, name, entry) : []
    return {
      name,
      file: file.path,
      scope: file.scope,
      replaced: file.entries.has(name),
      entry: MaskedEntry.mask(entry, secrets),
      notes: [
        ...unkept,
        ...notes,
        ...LiteralSecrets.notes(entry),
        ...sameTools(file, name),
        ...others.flatMap(hides(file, name))
      ]
    }
  })

/** Who writes an entry has agreed to it. Gives what a person should know when that could not be kept. */
const agree = (
  { path }: ConfigFile.ConfigFile,
  name: string,
  entry: JsonObject
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.flatMap(Trust.Trust, ({ approve }) => approve(name, EntryConsent.make(dirname(path), entry))).pipe(
    Effect.provide(Trust.layer),
    Effect.match({ onFailure: ({ message }) => [message], onSuccess: () => [] })
  )

const hides =
  (file: ConfigFile.ConfigFile, name: string) =>
  (other: ConfigFile.ConfigFile): ReadonlyArray<string> => {
    if (!other.entries.has(name)) return []
    return file.scope === "project"
      ? [`it hides the server of that name in ${other.path}`]
      : [`in this folder the server of that name in ${other.path} hides it`]
  }

/** Servers whose tools would be given the same names. */
const sameTools = ({ entries }: ConfigFile.ConfigFile, name: string): ReadonlyArray<string> =>
  [...entries.keys()]
    .filter((other) => other !== name && ToolName.make(other, "") === ToolName.make(name, ""))
    .map((other) => `tools of the same name would meet those of "${other}", and the first in the file wins`)

/**
 * A sentence for a person.
 *
 * @since 0.1.0
 * @category formatting
 */
export const sentence = ({ file, name, replaced }: Added): string =>
  replaced ? `replaced "${name}" in ${file}` : `added "${name}" to ${file}`
