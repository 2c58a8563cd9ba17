/**
 * `harness9 mcp resources`: what a server lets be read.
 *
 * @since 0.1.0
 */
import type { Resource } from "../../mcp/McpSchema.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import { described } from "../output/described.ts"
import * as ServerAnswer from "../ServerAnswer.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp resources",
  summary: "Lists the resources of a server",
  flags: { ...options.connecting, json: options.json },
  args: { server: Flag.required("SERVER", "The server's name in the configuration") },
  examples: [
    ["harness9 mcp resources everything", "each with its address, type and description"],
    ["harness9 mcp resources everything --json | jq -r '.resources[].uri'", "their addresses"]
  ],
  handler: (input) =>
    ServerAnswer.show(input, {
      about: {},
      ask: (client) => client.listResources,
      toJson: (resources) => ({ resources }),
      toText: (resources, output) => described("resources", resources.map(row), output)
    })
})

const row = ({ description, mimeType, name, title, uri }: Resource) => ({
  name: uri,
  facts: oneLine(mimeType ?? ""),
  description: description ?? title ?? name
})
