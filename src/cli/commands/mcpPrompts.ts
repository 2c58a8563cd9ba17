/**
 * `harness9 mcp prompts`: the prompts that a server offers to a person.
 *
 * @since 0.1.0
 */
import type { Prompt } from "../../mcp/McpSchema.ts"
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
  name: "mcp prompts",
  summary: "Lists the prompts of a server, with their arguments",
  flags: { ...options.connecting, json: options.json },
  args: { server: Flag.required("SERVER", "The server's name in the configuration") },
  examples: [["harness9 mcp prompts everything", "an argument in brackets may be left out"]],
  handler: (input) =>
    ServerAnswer.show(input, {
      about: {},
      ask: (client) => client.listPrompts,
      toJson: (prompts) => ({ prompts }),
      toText: (prompts, output) => described("prompts", prompts.map(row), output)
    })
})

const row = ({ arguments: args, description, name, title }: Prompt) => ({
  name,
  facts: args.map((argument) => oneLine(argument.required ? argument.name : `[${argument.name}]`)).join(" "),
  description: description ?? title ?? ""
})
