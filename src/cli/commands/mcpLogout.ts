/**
 * `harness9 mcp logout`: the login at a remote server is given back and forgotten.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as McpAuth from "../../mcp/McpAuth.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import { ExitCode } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import * as Servers from "../Servers.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp logout",
  summary: "Takes a login back where its server can, and forgets it",
  flags: { config: options.config, json: options.json },
  args: { server: Flag.required("SERVER", "The server's name in the configuration") },
  examples: [["harness9 mcp logout linear", "the next connection asks for a login again"]],
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const server = yield* Servers.find(yield* Servers.load(input), input.server)
      const { logout } = yield* McpAuth.McpAuth
      const result = yield* Effect.mapError(logout(server), Servers.asCliError)
      yield* output.line(input.json ? json({ server: server.name, ...result }) : told(server.name, result))
      return ExitCode.Done
    }).pipe(Effect.provide(McpAuth.layerDefault))
})

const told = (server: string, { forgotten, revoked }: McpAuth.LogoutResult): string => {
  if (forgotten === 0) return oneLine(`There was no login to ${server}.`)
  const taken = revoked === forgotten ? "taken back and forgotten" : "forgotten; its server could not take it back"
  return oneLine(`The login to ${server} is ${taken}.`)
}
