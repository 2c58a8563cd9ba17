/**
 * A server switched on or off in its file: what `mcp enable` and `mcp disable` share.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as ConfigEdit from "../mcp/ConfigEdit.ts"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import { ExitCode } from "./CliError.ts"
import * as ConfigFile from "./ConfigFile.ts"
import * as Flag from "./Flag.ts"
import * as options from "./options.ts"
import { json } from "./output/json.ts"
import { Output } from "./output/Output.ts"

/**
 * @since 0.1.0
 * @category options
 */
export const flags = { ...ConfigFile.flags, json: options.json }

/**
 * @since 0.1.0
 * @category options
 */
export const args = { name: Flag.required("NAME", "The server's name in the configuration") }

interface Input extends ConfigFile.Options {
  readonly name: string
  readonly json: boolean
}

/**
 * Switches a server, and says so.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (input: Input, enabled: boolean) =>
  Effect.gen(function* () {
    const { name } = input
    const output = yield* Output
    const file = yield* ConfigFile.open(input)
    const entry = yield* ConfigFile.find(file, name)
    const changed = yield* ConfigFile.update(
      file,
      (enabled ? enabling : disabling)(entry).map(([field, value]) => ConfigEdit.setField(name, field, value))
    )
    const word = enabled ? "enabled" : "disabled"
    if (input.json) yield* output.line(json({ name, file: file.path, scope: file.scope, enabled, changed }))
    else yield* output.line(changed ? `${word} "${name}" in ${file.path}` : `"${name}" is ${word} already`)
    return ExitCode.Done
  })

type Change = readonly [field: string, value: boolean | undefined]

const enabling = ({ disabled, enabled }: JsonObject): ReadonlyArray<Change> => [
  ...(disabled === true ? [["disabled", undefined] as const] : []),
  ...(enabled === false ? [["enabled", true] as const] : [])
]

/** An entry that says `enabled` goes on saying it. */
const disabling = ({ disabled, enabled }: JsonObject): ReadonlyArray<Change> => {
  if (disabled === true || enabled === false) return []
  return enabled === undefined ? [["disabled", true]] : [["enabled", false]]
}
