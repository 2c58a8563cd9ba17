/**
 * The program from its words to its exit code: the command is found, loaded, and run.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { version } from "../mcp/internal/version.ts"
import * as Argv from "./argv.ts"
import { CliError, ExitCode, usage } from "./CliError.ts"
import type { Command, Environment } from "./Command.ts"
import { commands } from "./commands.ts"
import * as Help from "./help.ts"
import * as options from "./options.ts"
import { Output } from "./output/Output.ts"
import { didYouMean } from "./suggest.ts"

/**
 * Runs a command line, without the words for the runtime and the script.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = (argv: ReadonlyArray<string>): Effect.Effect<ExitCode, CliError, Environment> =>
  Effect.gen(function* () {
    const output = yield* Output
    const route = Argv.route(argv, names, options.shared)
    switch (route._tag) {
      case "Unknown":
        return yield* unknownCommand(route)
      case "Group":
        if (!asksFor(argv, "--help", "-h"))
          return yield* usage(`harness9 ${route.group} needs a command`, seeHelp(route.group))
        yield* output.line(Help.ofGroup(commands, route.group, output.style))
        return ExitCode.Done
      case "Found": {
        if (route.command === "" && asksFor(argv, "--version", "-v")) {
          yield* output.line(version)
          return ExitCode.Done
        }
        const command = yield* load(route.command)
        if (!asksFor(route.rest, "--help", "-h")) return yield* execute(command, route.rest)
        yield* output.line(Help.ofCommand(command, commands, output.style))
        return ExitCode.Done
      }
    }
  })

const names = commands.map(({ name }) => name)

const seeHelp = (name: string): string => `see ${`harness9 ${name}`.trimEnd()} --help`

const asksFor = (argv: ReadonlyArray<string>, ...words: ReadonlyArray<string>): boolean => {
  const end = argv.indexOf("--")
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => words.includes(word))
}

/** Loads a command by a name that the table has. */
const load = (name: string): Effect.Effect<Command> =>
  Effect.fromNullable(commands.find((entry) => entry.name === name)).pipe(
    Effect.flatMap((entry) => Effect.promise(entry.load)),
    Effect.map(({ command }) => command),
    Effect.orDie
  )

const execute = (command: Command, words: ReadonlyArray<string>) =>
  Effect.mapError(command.execute(words), (error) =>
    error.exitCode === ExitCode.Usage && error.hint === undefined
      ? new CliError({ exitCode: error.exitCode, message: error.message, hint: seeHelp(command.name) })
      : error
  )

const unknownCommand = ({ group, word }: Extract<Argv.Route, { _tag: "Unknown" }>) => {
  const prefix = group === "" ? "" : `${group} `
  const siblings = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  const words = new Set(siblings.map((name) => name.split(" ")[0] ?? "").filter((name) => name !== ""))
  return usage(`unknown command "${prefix}${word}"`, didYouMean(word, words) ?? seeHelp(group))
}
