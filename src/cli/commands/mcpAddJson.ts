/**
 * `harness9 mcp add-json`: an entry as it stands in somebody's documentation, written into the configuration.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import * as Added from "../added.ts"
import { ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as ConfigFile from "../ConfigFile.ts"
import * as Flag from "../Flag.ts"
import * as NewEntry from "../newEntry.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp add-json",
  summary: "Adds a server by its entry in JSON, without connecting to it",
  flags: {
    ...ConfigFile.flags,
    ...Added.flags
  },
  args: {
    name: Flag.required("NAME", "What to call the server"),
    entry: Flag.required("JSON", "The entry: an object with command or url")
  },
  examples: [
    ['harness9 mcp add-json docs \'{"url":"https://example.com/mcp"}\'', "an address"],
    ['harness9 mcp add-json git \'{"command":"uvx","args":["mcp-server-git"]}\'', "a program"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const name = yield* NewEntry.checkName(input.name)
      const entry = yield* parse(input.entry)
      const file = yield* ConfigFile.open(input)
      yield* Added.checkFree(file, name, input.force)
      const { problems, server } = yield* ConfigFile.check(file, name, entry, { expand: false })
      if (server === undefined) return yield* usage(`the entry cannot be used: ${problems.join("; ")}`)
      yield* Added.write(file, name, { entry, notes: problems, secrets: server.secrets }, input)
      return ExitCode.Done
    })
})

/** What is wrong is told without the text: it may hold a secret. */
const parse = (text: string) =>
  Effect.try((): unknown => JSON.parse(text)).pipe(
    Effect.filterOrFail((value): value is JsonObject => isObject(value)),
    Effect.mapError(() => usage('JSON must be an object, such as {"command":"npx","args":["…"]}'))
  )
