/**
 * `harness9 completions`: what a shell needs to complete command lines of this program.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Completion from "../Completion.ts"
import { commands } from "../commands.ts"
import { scripts } from "../completionScripts.ts"
import * as Flag from "../Flag.ts"
import { Output } from "../output/Output.ts"
import { didYouMean } from "../suggest.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "completions",
  summary: "Prints a shell's script that completes commands, options, servers and tools",
  details:
    "Servers are those of the configuration, tools those that a server was last seen with: nothing is started. With the words of a\n" +
    "command line after --, prints what the last of them may become.",
  flags: {},
  args: {
    shell: Flag.required("SHELL", Completion.shells.join(", ")),
    words: Flag.rest("-- WORD", "A command line without the program's name")
  },
  // A warning would stand in the middle of the line that is being typed.
  logs: "none",
  examples: [
    ['eval "$(harness9 completions bash)"', "in ~/.bashrc; the same with zsh in ~/.zshrc"],
    ["harness9 completions fish > ~/.config/fish/completions/harness9.fish", "for fish"]
  ],
  handler: ({ shell: name, words }) =>
    Effect.gen(function* () {
      const output = yield* Output
      const shell = Completion.shells.find((known) => known === name)
      if (shell === undefined) {
        const hint = didYouMean(name, Completion.shells) ?? `there are completions for ${Completion.shells.join(", ")}`
        return yield* usage(`"${name}" is no shell that is known`, hint)
      }
      if (words.length === 0) {
        yield* output.write(scripts[shell])
        return ExitCode.Done
      }
      for (const { description, value } of yield* Completion.candidates(words, commands)) {
        yield* output.line(shell === "bash" ? value : `${value}\t${description}`)
      }
      return ExitCode.Done
    })
})
