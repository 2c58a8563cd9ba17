/**
 * `harness9 mcp prompt`: a prompt of a server, filled in.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { PromptMessage } from "../../mcp/McpSchema.ts"
import { type CliError, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import * as Content from "../output/content.ts"
import type { Style } from "../output/Style.ts"
import * as ServerAnswer from "../ServerAnswer.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp prompt",
  summary: "Fills in a prompt of a server and shows its messages",
  flags: { ...options.connecting, json: options.json },
  args: {
    server: Flag.required("SERVER", "The server's name in the configuration"),
    prompt: Flag.required("NAME", "The prompt's name, as the server has it"),
    pairs: Flag.rest("key=value", "Its arguments; every value is a text")
  },
  examples: [["harness9 mcp prompt everything args-prompt city=Oslo", "with one argument"]],
  handler: (input) =>
    Effect.flatMap(texts(input.pairs), (args) =>
      ServerAnswer.show(input, {
        about: { prompt: input.prompt },
        ask: (client) => client.getPrompt(input.prompt, args),
        toJson: ({ description, messages }) => ({ description, messages }),
        toText: ({ messages }, { style }) => messages.map(message(style)).join("\n\n")
      })
    )
})

const texts = (pairs: ReadonlyArray<string>): Effect.Effect<Record<string, string>, CliError> =>
  Effect.map(
    Effect.forEach(pairs, (pair) => {
      const equals = pair.indexOf("=")
      return equals > 0
        ? Effect.succeed([pair.slice(0, equals), pair.slice(equals + 1)] as const)
        : usage(`"${pair}" is no key=value`)
    }),
    Object.fromEntries
  )

const message =
  (style: Style) =>
  ({ content, role }: PromptMessage): string =>
    `${style.bold(role)}\n${Content.lines([content], undefined)}`
