/**
 * `harness9 mcp enable`: switches a server on again.
 *
 * @since 0.1.0
 */
import * as Command from "../Command.ts"
import * as ToggleServer from "../toggleServer.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp enable",
  summary: "Switches a server on again",
  flags: ToggleServer.flags,
  args: ToggleServer.args,
  examples: [
    ["harness9 mcp enable github", "in .mcp.json"],
    ["harness9 mcp enable github --scope user", "in your own file"]
  ],
  handler: (input) => ToggleServer.run(input, true)
})
