/**
 * A command of the CLI: its words, its options and arguments, and what it does.
 *
 * @since 0.1.0
 */
import { stripVTControlCharacters } from "node:util"
import * as Args from "@effect/cli/Args"
import * as CliConfig from "@effect/cli/CliConfig"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Terminal from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Record from "effect/Record"
import type * as Scope from "effect/Scope"
import { type Sorted, sort } from "./argv.ts"
import { type CliError, type ExitCode, usage } from "./CliError.ts"
import type { Argument, Flag } from "./Flag.ts"
import { logLevel } from "./options.ts"
import type { Output } from "./output/Output.ts"

/**
 * What a command may use.
 *
 * @since 0.1.0
 * @category models
 */
export type Environment = Output | Scope.Scope | FileSystem.FileSystem | Path.Path | Terminal.Terminal

/**
 * @since 0.1.0
 * @category models
 */
export interface Command {
  /** `mcp call`; the empty name is what the program does without a command. */
  readonly name: string
  /** One line. */
  readonly summary: string
  /** More, for the command's own help. */
  readonly details?: string | undefined
  readonly flags: ReadonlyArray<Flag<unknown>>
  readonly args: ReadonlyArray<Argument<unknown>>
  /** Command lines that work, and what each does. */
  readonly examples: ReadonlyArray<readonly [command: string, meaning: string]>
  /** Reads the words after the command's name, and does the work. */
  readonly execute: (words: ReadonlyArray<string>) => Effect.Effect<ExitCode, CliError, Environment>
}

type Flags = Readonly<Record<string, Flag<unknown>>>
type Arguments = Readonly<Record<string, Argument<unknown>>>

/**
 * What a command's handler is given: a value for each option and argument.
 *
 * @since 0.1.0
 * @category models
 */
export type Input<F extends Flags, A extends Arguments> = {
  readonly [K in keyof F]: F[K] extends Flag<infer V> ? V : never
} & { readonly [K in keyof A]: A[K] extends Argument<infer V> ? V : never }

/**
 * A command from its parts. The handler runs in a Scope of its own.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <const F extends Flags, const A extends Arguments>(options: {
  readonly name: string
  readonly summary: string
  readonly details?: string | undefined
  readonly flags: F
  readonly args: A
  readonly examples: Command["examples"]
  /** What is logged unless the command line says otherwise. Default: warnings. */
  readonly logs?: keyof typeof levels | undefined
  readonly handler: (input: Input<F, A>) => Effect.Effect<ExitCode, CliError, Environment>
}): Command => {
  const { args, flags, handler, logs = "warning", ...description } = options
  const all = [...Object.values(flags), logLevel]
  return {
    ...description,
    flags: all,
    args: Object.values(args),
    execute: (words) =>
      Effect.gen(function* () {
        const sorted = yield* sort(words, all)
        const level = yield* readFlag(logLevel, sorted)
        const values = { ...(yield* readFlags(flags, sorted)), ...(yield* readArguments(args, sorted)) }
        // The record has been built from the same keys as the type.
        const work = handler(values as Input<F, A>)
        return yield* Logger.withMinimumLogLevel(work, levels[level ?? logs])
      })
  }
}

const levels = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None
}

const readFlag = <A>({ name, options }: Flag<A>, sorted: Sorted) =>
  Options.processCommandLine(options, sorted.options.get(name) ?? [], CliConfig.defaultConfig).pipe(
    Effect.map(([, , value]) => value),
    Effect.mapError(({ error }) => usage(`--${name}: ${plainText(error)}`))
  )

const readFlags = (flags: Flags, sorted: Sorted) => Effect.all(Record.map(flags, (flag) => readFlag(flag, sorted)))

const readArguments = (args: Arguments, { words }: Sorted) =>
  Effect.gen(function* () {
    // `Args.all` of nothing throws.
    const all = Record.isEmptyRecord(args) ? none : Args.all(Record.map(args, (argument) => argument.args))
    const [unused, values] = yield* Args.validate(all, words, CliConfig.defaultConfig).pipe(
      Effect.mapError(({ error }) => usage(plainText(error)))
    )
    if (unused.length > 0) return yield* usage(`unexpected argument "${unused[0]}"`)
    return values
  })

const none = Args.map(Args.none, () => ({}))

const plainText = (doc: HelpDoc.HelpDoc): string => stripVTControlCharacters(HelpDoc.toAnsiText(doc)).trim()
