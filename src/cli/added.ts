/**
 * A new entry on its way into a file: whether it may go there, what a person should know of it, and how it is shown before.
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
import { oneLine, visible } from "../mcp/VisibleText.ts"
import { type CliError, usage } from "./CliError.ts"
import * as ConfigFile from "./ConfigFile.ts"
import * as Flag from "./Flag.ts"
import * as LiteralSecrets from "./literalSecrets.ts"
import * as MaskedEntry from "./maskedEntry.ts"
import * as options from "./options.ts"
import { json } from "./output/json.ts"
import { Output } from "./output/Output.ts"

/**
 * What becomes of an entry.
 *
 * @since 0.1.0
 * @category models
 */
export interface Added {
  readonly name: string
  readonly file: string
  readonly scope: ConfigFile.ConfigFile["scope"]
  readonly replaced: boolean
  /** Whether it is only shown. */
  readonly dryRun: boolean
  /** With its secrets masked. */
  readonly entry: JsonObject
  readonly notes: ReadonlyArray<string>
}

/**
 * An entry that can be used.
 *
 * @since 0.1.0
 * @category models
 */
export interface Checked {
  readonly entry: JsonObject
  readonly notes: ReadonlyArray<string>
  /** What of it is not to be shown. */
  readonly secrets: ReadonlyArray<string>
}

/**
 * The options of the commands that add one.
 *
 * @since 0.1.0
 * @category options
 */
export const flags = {
  dryRun: Flag.toggle("dry-run", "Show what would be written, and write nothing"),
  force: Flag.toggle("force", "Replace an entry of that name"),
  json: options.json
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
 * Shows the entry as it will stand in the file, then writes it. As JSON it is one document, with `more` of the command's own.
 *
 * @since 0.1.0
 * @category operations
 */
export const write = (
  file: ConfigFile.ConfigFile,
  name: string,
  checked: Checked,
  { dryRun, json: asJson, more }: { readonly dryRun: boolean; readonly json: boolean; readonly more?: object }
): Effect.Effect<void, CliError, FileSystem.FileSystem | Output> =>
  Effect.gen(function* () {
    const output = yield* Output
    const note = (text: string) => output.note(oneLine(`note: ${text}`))
    const added = yield* plan(file, name, checked, dryRun)
    if (!asJson) {
      yield* output.line(preview(added))
      yield* Effect.forEach(added.notes, note, { discard: true })
    }
    const unkept = dryRun ? [] : yield* put(file, name, checked.entry)
    if (asJson) return yield* output.line(json({ ...added, notes: [...unkept, ...added.notes], ...more }))
    yield* Effect.forEach(unkept, note, { discard: true })
    yield* output.line(sentence(added))
  })

const plan = (file: ConfigFile.ConfigFile, name: string, { entry, notes, secrets }: Checked, dryRun: boolean) =>
  Effect.map(
    ConfigFile.others(file),
    (others): Added => ({
      name,
      file: file.path,
      scope: file.scope,
      replaced: file.entries.has(name),
      dryRun,
      entry: MaskedEntry.mask(entry, secrets),
      notes: [...notes, ...LiteralSecrets.notes(entry), ...sameTools(file, name), ...others.flatMap(hides(file, name))]
    })
  )

/** Gives what a person should know of it afterwards. */
const put = (file: ConfigFile.ConfigFile, name: string, entry: JsonObject) =>
  Effect.zipRight(
    ConfigFile.update(file, [ConfigEdit.setEntry(name, entry)]),
    file.scope === "project" ? agree(file, name, entry) : Effect.succeed([])
  )

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

const preview = ({ entry, name }: Added): string =>
  visible(`${JSON.stringify(name)}: ${JSON.stringify(entry, null, 2)}`, { newlines: true })

const sentence = ({ dryRun, file, name, replaced }: Added): string => {
  const [done, place] = replaced ? ["replaced", "in"] : ["added", "to"]
  return dryRun ? `"${name}" would be ${done} ${place} ${file}` : `${done} "${name}" ${place} ${file}`
}
