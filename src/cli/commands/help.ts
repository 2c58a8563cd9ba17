/**
 * `harness9 help`: the commands, one of them, or what a kind of failure means.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import { commands } from "../commands.ts"
import * as Flag from "../Flag.ts"
import * as Help from "../help.ts"
import { Output } from "../output/Output.ts"
import { didYouMean } from "../suggest.ts"
import { kinds, troubles } from "../troubles.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "help",
  summary: "Explains a command, or a kind of failure: where it comes from and what to do",
  details: `Kinds of failure: ${kinds.join(", ")}.`,
  flags: {},
  args: { topic: Flag.rest("TOPIC", "A command, or a kind of failure") },
  examples: [
    ["harness9 help mcp call", "a command"],
    ["harness9 help timeout", "a failure that a command or the doctor has named"]
  ],
  handler: ({ topic }) =>
    Effect.gen(function* () {
      const { line, style } = yield* Output
      yield* line(yield* explain(topic.join(" "), style))
      return ExitCode.Done
    })
})

const explain = (topic: string, style: Output["Type"]["style"]) => {
  const kind = kinds.find((known) => known === topic)
  if (kind !== undefined) return Effect.succeed(Help.ofTrouble(kind, troubles[kind], style))
  const entry = commands.find(({ name }) => name === topic)
  if (entry !== undefined) {
    return Effect.map(Effect.promise(entry.load), ({ command }) => Help.ofCommand(command, commands, style))
  }
  if (commands.some(({ name }) => name.startsWith(`${topic} `))) {
    return Effect.succeed(Help.ofGroup(commands, topic, style))
  }
  const topics = [...kinds, ...commands.map(({ name }) => name)]
  return usage(`there is no help on "${topic}"`, didYouMean(topic, topics))
}
