/**
 * `harness9 mcp login`: a person logs in at a remote server.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Browser from "../../mcp/auth/Browser.ts"
import * as TokenStore from "../../mcp/auth/TokenStore.ts"
import * as McpAuth from "../../mcp/McpAuth.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import { ExitCode } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as LoginConsole from "../LoginConsole.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import * as Servers from "../Servers.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp login",
  summary: "Logs in at a remote server, in the browser",
  details:
    "The login is kept for later runs: in the system's keychain where there is one, else in a file that only you can read,\n" +
    "under $XDG_STATE_HOME/harness9. A server that is told another address by its entry never gets it.",
  flags: {
    config: options.config,
    timeout: Flag.duration("timeout", "How long the login may take; default 5m"),
    json: options.json
  },
  args: { server: Flag.required("SERVER", "The server's name in the configuration") },
  examples: [["harness9 mcp login linear", "opens the browser, and waits until you are back"]],
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const server = yield* Servers.find(yield* Servers.load(input), input.server)
      const { login } = yield* McpAuth.McpAuth
      const result = yield* Effect.mapError(login(server, { timeout: input.timeout }), Servers.asCliError)
      const scopes = result.scopes.length === 0 ? "" : `, with ${result.scopes.join(" ")}`
      yield* output.line(
        input.json ? json(result) : oneLine(`Logged in to ${result.server} by ${result.issuer}${scopes}.`)
      )
      return ExitCode.Done
    }).pipe(Effect.provide(logins))
})

const logins = Layer.provide(McpAuth.layer, Layer.mergeAll(TokenStore.layer, Browser.layer, LoginConsole.layer))
