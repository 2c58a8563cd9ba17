/**
 * `harness9 mcp import`: the servers of another host, taken over into the configuration.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as ConfigEdit from "../../mcp/ConfigEdit.ts"
import { hosts } from "../../mcp/import/Host.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import { type CliError, ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as ConfigFile from "../ConfigFile.ts"
import * as Flag from "../Flag.ts"
import * as Imports from "../imports.ts"
import * as LiteralSecrets from "../literalSecrets.ts"
import * as MaskedEntry from "../maskedEntry.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"
import { table } from "../output/table.ts"
import { didYouMean } from "../suggest.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp import",
  summary: "Takes servers over from another host's configuration",
  details:
    "Shows what each server becomes, and writes those that are new; the rest of the file stays as it is. What a host has and\n" +
    "harness9 has not is said. Nothing is started.",
  flags: {
    ...ConfigFile.flags,
    dryRun: Flag.toggle("dry-run", "Show what would become of each server, and write nothing"),
    force: Flag.toggle("force", "Replace entries of the same name"),
    json: options.json
  },
  args: {
    from: Flag.required("FROM", `${hosts.map(({ id }) => id).join(", ")}, or a file of one of them`),
    names: Flag.rest("SERVER", "Only these servers")
  },
  examples: [
    ["harness9 mcp import claude-code --dry-run", "what would be taken over"],
    ["harness9 mcp import vscode --scope user", "into your own file"],
    ["harness9 mcp import ../other/.cursor/mcp.json github", "one server of a file"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const file = yield* ConfigFile.open(input)
      const found = yield* chosen(yield* Imports.read(input.from, file.path), input.names)
      const candidates = yield* Imports.plan(found, file, input.force)
      const edits = candidates.flatMap(({ entry, name, state }) =>
        entry !== undefined && (state === "new" || state === "replace") ? [ConfigEdit.setEntry(name, entry)] : []
      )
      if (!input.json) {
        if (candidates.length > 0) yield* output.line(rows(candidates, output.style))
        for (const note of found.notes) yield* output.note(oneLine(`note: ${note}`))
      }
      if (!input.dryRun && edits.length > 0) yield* ConfigFile.update(file, edits)
      yield* output.line(
        input.json
          ? json(toJson(found, file, candidates, input.dryRun))
          : sentence(found, file, edits.length, input.dryRun)
      )
      return ExitCode.Done
    })
})

const chosen = (found: Imports.Found, names: ReadonlyArray<string>): Effect.Effect<Imports.Found, CliError> =>
  Effect.suspend(() => {
    const known = found.servers.map(({ name }) => name)
    const missing = names.find((name) => !known.includes(name))
    if (missing !== undefined) {
      return usage(
        `${found.host.title} has no server "${missing}"`,
        didYouMean(missing, known) ?? `its servers are ${known.join(", ")}`
      )
    }
    const servers = names.length === 0 ? found.servers : found.servers.filter(({ name }) => names.includes(name))
    return Effect.succeed({ ...found, servers })
  })

const toJson = (
  found: Imports.Found,
  file: ConfigFile.ConfigFile,
  candidates: ReadonlyArray<Imports.Candidate>,
  dryRun: boolean
) => ({
  from: found.host.id,
  files: found.files,
  file: file.path,
  scope: file.scope,
  dryRun,
  servers: candidates.map(({ entry, notes, secrets, ...candidate }) => ({
    ...candidate,
    ...(entry !== undefined && { entry: MaskedEntry.mask(entry, secrets) }),
    notes: [...notes, ...(entry === undefined ? [] : LiteralSecrets.notes(entry))]
  })),
  notes: found.notes
})

const words: Readonly<Record<Imports.State, string>> = {
  new: "new",
  same: "there already",
  exists: "kept as it is: --force replaces it",
  replace: "replaced",
  unusable: "cannot be taken over"
}

const rows = (candidates: ReadonlyArray<Imports.Candidate>, style: Style): string => {
  const lines = table(candidates.map((candidate) => row(candidate, style))).split("\n")
  return candidates
    .flatMap(({ entry, notes }, index) => [
      lines[index] ?? "",
      ...[...notes, ...(entry === undefined ? [] : LiteralSecrets.notes(entry))].map((note) =>
        style.dim(`    ${oneLine(note)}`)
      )
    ])
    .join("\n")
}

const row = ({ entry, name, secrets, state }: Imports.Candidate, style: Style): ReadonlyArray<string> => [
  `${mark(state, style)} ${oneLine(name)}`,
  entry === undefined ? "" : entry.url === undefined ? "stdio" : entry.type === "sse" ? "sse" : "http",
  words[state],
  entry === undefined ? "" : oneLine(target(MaskedEntry.mask(entry, secrets)))
]

const target = ({ args, command, url }: Readonly<Record<string, unknown>>): string =>
  [url ?? command, ...(Array.isArray(args) ? args : [])].map(String).join(" ")

const mark = (state: Imports.State, style: Style): string => {
  if (state === "unusable") return style.red("✗")
  return state === "new" || state === "replace" ? style.green("+") : style.dim("·")
}

const sentence = (
  { files, host }: Imports.Found,
  file: ConfigFile.ConfigFile,
  count: number,
  dryRun: boolean
): string => {
  const servers = `${count} ${count === 1 ? "server" : "servers"}`
  const where = `of ${host.title} (${files.join(", ")})`
  return dryRun ? `${servers} ${where} would be written to ${file.path}` : `${servers} ${where} written to ${file.path}`
}
