/**
 * The options and arguments of a command: what help says of them, and how `@effect/cli` reads them.
 *
 * @since 0.1.0
 */
import * as Args from "@effect/cli/Args"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import type * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { parseDuration } from "../mcp/DurationText.ts"

/**
 * An option: `--name`, or `--name VALUE`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Flag<out A> {
  readonly name: string
  /** How help calls its value; without one it is a switch. */
  readonly value: string | undefined
  readonly summary: string
  readonly repeatable: boolean
  /** Whether the value may be left out; it is empty then. */
  readonly optional?: boolean | undefined
  readonly options: Options.Options<A>
}

/**
 * An argument by its place.
 *
 * @since 0.1.0
 * @category models
 */
export interface Argument<out A> {
  /** As help shows it: `SERVER`, `[SERVER]`, `[key=value …]`. */
  readonly label: string
  readonly summary: string
  readonly args: Args.Args<A>
}

const flag = <A>(name: string, value: string | undefined, summary: string, options: Options.Options<A>): Flag<A> => ({
  name,
  value,
  summary,
  repeatable: false,
  options
})

/**
 * On when given.
 *
 * @since 0.1.0
 * @category constructors
 */
export const toggle = (name: string, summary: string): Flag<boolean> =>
  flag(name, undefined, summary, Options.boolean(name))

/**
 * @since 0.1.0
 * @category constructors
 */
export const text = (name: string, value: string, summary: string): Flag<string | undefined> =>
  flag(name, value, summary, orUndefined(Options.text(name)))

/**
 * With a value, or without: empty then.
 *
 * @since 0.1.0
 * @category constructors
 */
export const optionalText = (name: string, value: string, summary: string): Flag<string | undefined> => ({
  ...text(name, value, summary),
  optional: true
})

/**
 * May be given several times.
 *
 * @since 0.1.0
 * @category constructors
 */
export const texts = (name: string, value: string, summary: string): Flag<ReadonlyArray<string>> => ({
  ...flag(name, value, summary, Options.repeated(Options.text(name))),
  repeatable: true
})

/**
 * One of a few words.
 *
 * @since 0.1.0
 * @category constructors
 */
export const choice = <const A extends string>(
  name: string,
  words: readonly [A, ...ReadonlyArray<A>],
  summary: string
): Flag<A | undefined> => {
  const read = (text: string): Either.Either<A, string> =>
    Either.fromNullable(
      words.find((word) => word === text),
      () => `is none of ${words.join(", ")}`
    )
  return flag(name, words.join("|"), summary, orUndefined(parsed(name, read)))
}

/**
 * A whole number of at least 1.
 *
 * @since 0.1.0
 * @category constructors
 */
export const count = (name: string, summary: string): Flag<number | undefined> => {
  const read = (text: string): Either.Either<number, string> =>
    /^[1-9][0-9]*$/.test(text) ? Either.right(Number(text)) : Either.left("is no whole number of at least 1")
  return flag(name, "N", summary, orUndefined(parsed(name, read)))
}

/**
 * `30s`, `500ms`, `2m`, `"30 seconds"`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const duration = (name: string, summary: string): Flag<Duration.Duration | undefined> =>
  flag(name, "DURATION", summary, orUndefined(parsed(name, parseDuration)))

/**
 * An argument that must be there.
 *
 * @since 0.1.0
 * @category constructors
 */
export const required = (label: string, summary: string): Argument<string> => ({
  label,
  summary,
  args: Args.text({ name: label })
})

/**
 * An argument that may be left out.
 *
 * @since 0.1.0
 * @category constructors
 */
export const optional = (label: string, summary: string): Argument<string | undefined> => ({
  label: `[${label}]`,
  summary,
  args: Args.map(Args.optional(Args.text({ name: label })), Option.getOrUndefined)
})

/**
 * All further arguments.
 *
 * @since 0.1.0
 * @category constructors
 */
export const rest = (label: string, summary: string): Argument<ReadonlyArray<string>> => ({
  label: `[${label} …]`,
  summary,
  args: Args.repeated(Args.text({ name: label }))
})

const orUndefined = <A>(options: Options.Options<A>): Options.Options<A | undefined> =>
  Options.map(Options.optional(options), Option.getOrUndefined)

const parsed = <A>(name: string, parse: (text: string) => Either.Either<A, string>): Options.Options<A> =>
  Options.mapEffect(Options.text(name), (text) =>
    Either.mapLeft(parse(text), (problem) => ValidationError.invalidValue(HelpDoc.p(`"${text}" ${problem}`)))
  )
