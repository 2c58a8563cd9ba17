/** The labelled requests, in two halves: what is tuned on the one is reported on the other. */
import { explored } from "./explored.ts"
import { kinds } from "./labelled.ts"

export type Kind = keyof typeof kinds

export interface Request {
  readonly kind: Kind
  readonly text: string
  /** Each group is met by one of its tools; no group: no tool is right. */
  readonly wanted: ReadonlyArray<ReadonlyArray<string>>
}

/** The kinds by their names, in their order. */
export const kindNames = Object.keys(kinds) as ReadonlyArray<Kind>

const parse = (lists: Partial<Record<Kind, string>>): ReadonlyArray<Request> =>
  kindNames.flatMap((kind) =>
    (lists[kind] ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [text = "", labels] = line.split(" -> ")
        return { kind, text, wanted: labels?.split(" & ").map((group) => group.split(" | ")) ?? [] }
      })
  )

const labelled = parse(kinds)

/** FNV-1a. A request keeps its half, whatever is added beside it. */
const hash = (text: string): number => {
  const value = [...text].reduce((sum, letter) => Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 16777619), 2166136261)
  return (value ^ (value >>> 15)) >>> 0
}

export const halves = {
  tuning: [...labelled.filter(({ text }) => hash(text) % 2 === 0), ...parse(explored)],
  report: labelled.filter(({ text }) => hash(text) % 2 === 1)
}

/** Labels of tools that are not among these: a server that could not be asked, or a mistake. */
export const unknownLabels = (known: ReadonlySet<string>): ReadonlyArray<string> => {
  const labels = [...halves.tuning, ...halves.report].flatMap(({ wanted }) => wanted.flat())
  return [...new Set(labels)].filter((label) => !known.has(label))
}
