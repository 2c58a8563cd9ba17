/**
 * The words of a command line put in order: which command they name, what is an option and what an argument.
 *
 * Options may stand before or after arguments, and before the command; everything after `--` is an argument. `@effect/cli`
 * wants options first, so the words are sorted by what the command says of its options.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import { type CliError, usage } from "./CliError.ts"
import { didYouMean } from "./suggest.ts"

/**
 * What has to be known of an option to tell its value from an argument.
 *
 * @since 0.1.0
 * @category models
 */
export interface OptionShape {
  readonly name: string
  /** How help calls its value; without one it takes none. */
  readonly value: string | undefined
  readonly repeatable: boolean
  /** Whether the value may be left out; it is empty then. */
  readonly optional?: boolean | undefined
}

/**
 * The words of one command, sorted.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sorted {
  /** By option name, the words to read it from. Of an option that is not repeatable the last one counts. */
  readonly options: ReadonlyMap<string, ReadonlyArray<string>>
  readonly words: ReadonlyArray<string>
}

/** A negative number is an argument, and so is the `-` that stands for stdin. */
const isOption = (word: string): boolean => word.startsWith("-") && word !== "-" && !/^-[0-9.]/.test(word)

/**
 * Tells options from arguments.
 *
 * @since 0.1.0
 * @category parsing
 */
export const sort = (
  argv: ReadonlyArray<string>,
  shapes: ReadonlyArray<OptionShape>
): Either.Either<Sorted, CliError> => {
  const options = new Map<string, ReadonlyArray<string>>()
  const words: Array<string> = []
  const rest = [...argv]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") return Either.right({ options, words: [...words, ...rest] })
    if (!isOption(word)) {
      words.push(word)
      continue
    }
    const { inline, name } = split(word)
    const shape = shapes.find((known) => known.name === name)
    if (shape === undefined) return Either.left(unknownOption(word, name, shapes))
    const option = readOption(shape, inline, rest)
    if (Either.isLeft(option)) return Either.left(option.left)
    options.set(shape.name, shape.repeatable ? [...(options.get(shape.name) ?? []), ...option.right] : option.right)
  }
  return Either.right({ options, words })
}

const split = (word: string): { readonly name: string; readonly inline: string | undefined } => {
  const [, name = word, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
  return { name, inline }
}

/** The words of one option; takes its value off `rest`. */
const readOption = (
  { name, optional = false, value }: OptionShape,
  inline: string | undefined,
  rest: Array<string>
): Either.Either<ReadonlyArray<string>, CliError> => {
  if (value === undefined) {
    return inline === undefined ? Either.right([`--${name}`]) : Either.left(usage(`--${name} takes no value`))
  }
  const given = inline ?? (rest[0]?.startsWith("--") ? undefined : rest.shift())
  if (given === undefined && optional) return Either.right([`--${name}`, ""])
  return given === undefined
    ? Either.left(usage(`--${name} needs a value: ${value}`))
    : Either.right([`--${name}`, given])
}

const unknownOption = (word: string, name: string, shapes: ReadonlyArray<OptionShape>): CliError =>
  usage(
    `unknown option ${word.split("=")[0]}`,
    didYouMean(
      `--${name.replace(/^-+/, "")}`,
      shapes.map((shape) => `--${shape.name}`)
    )
  )

/**
 * Which command is meant, and the words without its name.
 *
 * - `Found`: `command` is one of the names, the empty one when there are only options
 * - `Group`: the words name the beginning of several commands, as `mcp` does
 * - `Unknown`: no command begins so
 *
 * @since 0.1.0
 * @category models
 */
export type Route =
  | { readonly _tag: "Found"; readonly command: string; readonly rest: ReadonlyArray<string> }
  | { readonly _tag: "Group"; readonly group: string }
  | { readonly _tag: "Unknown"; readonly word: string; readonly group: string }

/**
 * Finds the command's name among the words. `shapes` are the options that many commands share: what follows another option
 * is its value unless it names a command.
 *
 * @since 0.1.0
 * @category parsing
 */
export const route = (
  argv: ReadonlyArray<string>,
  names: ReadonlyArray<string>,
  shapes: ReadonlyArray<OptionShape>
): Route => {
  const rest = [...argv]
  let name = ""
  for (let at = 0; at < rest.length && rest[at] !== "--"; at++) {
    const word = rest[at] ?? ""
    const path = name === "" ? word : `${name} ${word}`
    const next = rest[at + 1]
    if (isOption(word)) {
      if (next !== undefined && takes(word, next, name, names, shapes)) at++
    } else if (names.some((known) => isWithin(path, known))) {
      name = path
      rest.splice(at--, 1)
      const more = rest.slice(at + 1).find((later) => !isOption(later))
      const isWhole = more === undefined || !names.some((known) => isWithin(`${name} ${more}`, known))
      if (names.includes(name) && isWhole) return { _tag: "Found", command: name, rest }
    } else {
      return { _tag: "Unknown", word, group: name }
    }
  }
  return name === "" ? { _tag: "Found", command: "", rest } : { _tag: "Group", group: name }
}

const isWithin = (path: string, name: string): boolean => name === path || name.startsWith(`${path} `)

const takes = (
  word: string,
  next: string,
  group: string,
  names: ReadonlyArray<string>,
  shapes: ReadonlyArray<OptionShape>
): boolean => {
  const { inline, name } = split(word)
  if (inline !== undefined || isOption(next) || next === "--") return false
  const shape = shapes.find((known) => known.name === name)
  if (shape !== undefined && shape.optional !== true) return shape.value !== undefined
  return !names.some((known) => isWithin(group === "" ? next : `${group} ${next}`, known))
}
