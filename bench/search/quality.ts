/**
 * How well a search does on the labelled requests: recall within the first five, and silence where no tool is right.
 */
import type { Tool } from "../../src/tool/Tool.ts"
import { type Kind, kindNames, type Request } from "./requests.ts"

/** The best tools for a request, as `server/tool`. */
export type Finder = (request: string) => ReadonlyArray<string>

export interface Score {
  readonly count: number
  /** From 0 to 1. */
  readonly value: number
}

export interface Quality {
  readonly kinds: Readonly<Record<Kind, Score>>
  /** Every kind but `none`. */
  readonly all: Score
  /** The kinds that name what they want: keywords, sentences, named, several. */
  readonly plain: Score
}

export const labelOf = ({ name, origin }: Tool): string =>
  origin._tag === "Mcp" ? `${origin.server}/${origin.tool}` : name

/** The part of what was wanted that is among the first five; for a request without a right tool, 1 for silence. */
export const scoreOf = (find: Finder, { text, wanted }: Request): number => {
  const found = find(text)
  if (wanted.length === 0) return found.length === 0 ? 1 : 0
  const met = wanted.filter((group) => group.some((label) => found.includes(label)))
  return met.length / wanted.length
}

export const measure = (find: Finder, asked: ReadonlyArray<Request>): Quality => {
  const scored = asked.map((request) => ({ kind: request.kind, score: scoreOf(find, request) }))
  const mean = (isMeant: (kind: Kind) => boolean): Score => {
    const scores = scored.filter(({ kind }) => isMeant(kind)).map(({ score }) => score)
    return { count: scores.length, value: scores.reduce((sum, score) => sum + score, 0) / scores.length }
  }
  const plainKinds: ReadonlyArray<Kind> = ["keywords", "sentences", "named", "several"]
  return {
    kinds: Object.fromEntries(kindNames.map((kind) => [kind, mean((other) => other === kind)])) as Record<Kind, Score>,
    all: mean((kind) => kind !== "none"),
    plain: mean((kind) => plainKinds.includes(kind))
  }
}
