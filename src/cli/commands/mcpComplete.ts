/**
 * `harness9 mcp complete`: what an argument of a prompt or resource template may be.
 *
 * @since 0.1.0
 */
import type { CompletionReference } from "../../mcp/McpSchema.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import * as ServerAnswer from "../ServerAnswer.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp complete",
  summary: "Asks a server what an argument of a prompt or resource template may be",
  flags: { ...options.connecting, json: options.json },
  args: {
    server: Flag.required("SERVER", "The server's name in the configuration"),
    of: Flag.required("NAME", "A prompt's name, or a resource template as mcp templates shows it"),
    argument: Flag.required("ARGUMENT", "The argument, or the template's variable"),
    value: Flag.optional("VALUE", "What is written of it so far")
  },
  examples: [
    ["harness9 mcp complete everything completable-prompt department E", "values that begin with E"],
    ["harness9 mcp complete everything 'demo://resource/dynamic/text/{resourceId}' resourceId", "of a template"]
  ],
  handler: (input) =>
    ServerAnswer.show(input, {
      about: { of: input.of, argument: input.argument },
      ask: (client) => client.complete(reference(input.of), { name: input.argument, value: input.value ?? "" }),
      toJson: ({ hasMore, total, values }) => ({ values, total, hasMore }),
      toText: ({ hasMore, values }) => [...values.map(oneLine), ...(hasMore ? ["…"] : [])].join("\n")
    })
})

/** A template is an address, a prompt's name is none. */
const reference = (of: string): CompletionReference =>
  of.includes("://") ? { type: "ref/resource", uri: of } : { type: "ref/prompt", name: of }
