/**
 * `harness9 mcp disable`: switches a server off: it is listed, and never started or contacted.
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
  name: "mcp disable",
  summary: "Switches a server off: it is listed, and never started or contacted",
  flags: ToggleServer.flags,
  args: ToggleServer.args,
  examples: [
    ["harness9 mcp disable github", "in .mcp.json"],
    ["harness9 mcp disable github --scope user", "in your own file"]
  ],
  handler: (input) => ToggleServer.run(input, false)
})
