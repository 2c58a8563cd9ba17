/**
 * `harness9 mcp templates`: the families of resources that a server has.
 *
 * @since 0.1.0
 */
import type { ResourceTemplate } from "../../mcp/McpSchema.ts"
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
  name: "mcp templates",
  summary: "Lists the resource templates of a server: addresses with variables to fill in",
  flags: { ...options.connecting, json: options.json },
  args: { server: Flag.required("SERVER", "The server's name in the configuration") },
  examples: [["harness9 mcp templates everything", "each with its type and description"]],
  handler: (input) =>
    ServerAnswer.show(input, {
      about: {},
      ask: (client) => client.listResourceTemplates,
      toJson: (resourceTemplates) => ({ resourceTemplates }),
      toText: (templates, output) => described("resource templates", templates.map(row), output)
    })
})

const row = ({ description, mimeType, name, title, uriTemplate }: ResourceTemplate) => ({
  name: uriTemplate,
  facts: oneLine(mimeType ?? ""),
  description: description ?? title ?? name
})
