/**
 * `harness9 mcp remove`: an entry taken out of the configuration.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as ConfigEdit from "../../mcp/ConfigEdit.ts"
import { ExitCode } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as ConfigFile from "../ConfigFile.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp remove",
  summary: "Takes a server out of the configuration",
  flags: { ...ConfigFile.flags, json: options.json },
  args: { name: Flag.required("NAME", "The server's name in the configuration") },
  examples: [
    ["harness9 mcp remove github", "from .mcp.json; the rest of the file stays as it is"],
    ["harness9 mcp remove github --scope user", "from your own file"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const file = yield* ConfigFile.open(input)
      if (!file.entries.has(input.name)) yield* ConfigFile.find(file, input.name)
      yield* ConfigFile.update(file, [ConfigEdit.removeEntry(input.name)])
      yield* output.line(
        input.json
          ? json({ name: input.name, file: file.path, scope: file.scope, removed: true })
          : `removed "${input.name}" from ${file.path}`
      )
      return ExitCode.Done
    })
})
