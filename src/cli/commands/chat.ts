/**
 * `harness9` without a command: the terminal UI; where no UI can be, a conversation line by line. Neither waits for a server.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import * as Tracing from "../Tracing.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "",
  summary: "Opens the terminal UI; without a terminal, talks with the model line by line",
  flags: {
    ...options.conversing,
    otlp: Tracing.otlp,
    plain: Flag.toggle("plain", "Only lines of text, for screen readers")
  },
  args: {},
  examples: [
    ["harness9", "in a project with an .mcp.json"],
    ["harness9 --model openai/gpt-4o-mini --allow 'mcp__fs__*'", "with a model of your choice"]
  ],
  logs: "info",
  handler: (input) =>
    isTerminal()
      ? Effect.flatMap(loadUi, ({ open }) => open(input))
      : Effect.flatMap(loadChat, ({ open }) => open(input)).pipe(Tracing.around(input))
})

const isTerminal = (): boolean =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== "dumb"

const loadUi = Effect.promise(() => import("../TerminalUi.ts"))

const loadChat = Effect.promise(() => import("../LineChat.ts"))
