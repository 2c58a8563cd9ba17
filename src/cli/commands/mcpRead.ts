/**
 * `harness9 mcp read`: the contents of a resource.
 *
 * @since 0.1.0
 */
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import * as Content from "../output/content.ts"
import * as ServerAnswer from "../ServerAnswer.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp read",
  summary: "Reads a resource of a server",
  flags: { ...options.connecting, json: options.json },
  args: {
    server: Flag.required("SERVER", "The server's name in the configuration"),
    uri: Flag.required("URI", "The resource's address, as the server lists it")
  },
  examples: [
    ["harness9 mcp read everything demo://resource/static/document/features.md", "texts as they are"],
    ["harness9 mcp read everything demo://resource/dynamic/blob/1 --json", "bytes in base64"]
  ],
  handler: (input) =>
    ServerAnswer.show(input, {
      about: { uri: input.uri },
      ask: (client) => client.readResource(input.uri),
      toJson: (contents) => ({ contents }),
      toText: (contents) => Content.ofResource(contents)
    })
})
