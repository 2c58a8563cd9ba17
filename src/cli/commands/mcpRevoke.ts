/**
 * `harness9 mcp revoke`: entries of the project's `.mcp.json` wait for a person's word again.
 *
 * @since 0.1.0
 */
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as McpConfig from "../../mcp/McpConfig.ts"
import * as Trust from "../../mcp/Trust.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import { ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp revoke",
  summary: "Takes the approval of this project's entries back: they are not started any more",
  flags: { all: Flag.toggle("all", "Every entry of this project"), json: options.json },
  args: { server: Flag.optional("SERVER", "The entry") },
  examples: [
    ["harness9 mcp revoke github", "one entry"],
    ["harness9 mcp revoke --all", "all of this project"]
  ],
  handler: ({ all, json: asJson, server }) =>
    Effect.gen(function* () {
      if (all === (server !== undefined)) return yield* usage("name a server, or say --all")
      const output = yield* Output
      const { revoke } = yield* Trust.Trust
      const revoked = yield* Effect.mapError(revoke(project(), server), ({ hint, message }) => usage(message, hint))
      if (asJson) yield* output.line(json({ revoked }))
      else if (revoked.length === 0) yield* output.line("No approval was there to be taken back.")
      else yield* output.line(`revoked ${revoked.map(oneLine).join(", ")}`)
      return ExitCode.Done
    }).pipe(Effect.provide(Trust.layer))
})

/** The folder whose file is found here. */
const project = (): string => {
  const file = McpConfig.locations().find(({ scope }) => scope === "project")
  return file === undefined ? process.cwd() : dirname(file.path)
}
