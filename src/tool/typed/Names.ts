/**
 * Identifiers of a module, made of names that a server has chosen: of ASCII letters and digits alone, no word of the language,
 * and each there once.
 *
 * @since 0.1.0
 */

/**
 * The identifiers of one module.
 *
 * @since 0.1.0
 * @category models
 */
export interface Names {
  /** An identifier that looks like `hint`, and that nothing else in the module has. */
  readonly take: (hint: string) => string
  /** What is taken of a copy stays free here. */
  readonly copy: () => Names
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (): Names => from(reserved)

const from = (words: Iterable<string>): Names => {
  const taken = new Set(words)
  return {
    take: (hint) => {
      const free = taken.has(hint) ? numbered(hint, taken) : hint
      taken.add(free)
      return free
    },
    copy: () => from(taken)
  }
}

/**
 * `get-sum` as `getSum`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const camel = (text: string): string => {
  const joined = pascal(text)
  return joined.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase())
}

/**
 * `get-sum` as `GetSum`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const pascal = (text: string): string => {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "")
  const joined = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("")
  return joined.replace(/^(?=[0-9])/, "N").slice(0, longest) || "Unnamed"
}

const longest = 40

const numbered = (hint: string, taken: ReadonlySet<string>): string => {
  let number = 2
  while (taken.has(`${hint}${number}`)) number++
  return `${hint}${number}`
}

/** What the language keeps for itself, and what the module has already. */
const reserved =
  "Schema TypedTool server arguments await break case catch class const continue debugger default delete do else enum eval export exports extends false finally for function if implements import in instanceof interface let module new null package private protected public require return static super switch this throw true try typeof undefined var void while with yield".split(
    " "
  )
