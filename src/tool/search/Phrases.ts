/**
 * What people say, in the words that tools are described with.
 */
import * as Effect from "effect/Effect"
import * as EventLoop from "./EventLoop.ts"
import { stopWords } from "./StopWords.ts"
import { groups } from "./thesaurus/english.ts"
import { type Word, wordReader } from "./Words.ts"

/** Words of tool definitions that something in a request may mean; several stems are one expression. */
export interface Meaning {
  readonly stems: ReadonlyArray<string>
  readonly weight: number
}

/** A phrase that was found in a request: the places of its words, what it was found by, and what it means. */
export interface Found {
  readonly places: ReadonlyArray<number>
  readonly stems: ReadonlyArray<string>
  readonly meanings: ReadonlyArray<Meaning>
}

export interface Phrases {
  /** What a word means beside itself, by its stem. */
  readonly meaningsOf: (stem: string) => ReadonlyArray<Meaning>
  readonly has: (stem: string) => boolean
  /** The single words as they are written, each with its stem. */
  readonly spellings: ReadonlyMap<string, string>
  /** The phrases in a request, the longest first; no word belongs to two. */
  readonly find: (spoken: ReadonlyArray<Word>) => ReadonlyArray<Found>
}

/** What people say stands for what tools call it; the words of one line stand for each other, a little less surely. */
const weightOf = { cue: 0.75, neighbour: 0.5 }

let made: Phrases | undefined

/** All of them, read when they are first needed. */
export const get: Effect.Effect<Phrases> = Effect.suspend(() => {
  if (made !== undefined) return Effect.succeed(made)
  return Effect.tap(make, (phrases) => {
    made = phrases
  })
})

const make: Effect.Effect<Phrases> = Effect.gen(function* () {
  const words = wordReader()
  const meanings: Meanings = new Map()
  const spellings = new Map<string, string>()
  const expressions = (list: string): ReadonlyArray<ReadonlyArray<Word>> =>
    list
      .split(",")
      .map(words)
      .filter((expression) => expression.length > 0)

  const add = (said: ReadonlyArray<Word>, meant: ReadonlyArray<Meaning>) => {
    const key = said.map(({ stem }) => stem).join(" ")
    const known = meanings.get(key)
    if (known === undefined) meanings.set(key, [meant])
    else known.push(meant)
    if (said.length === 1) for (const { plain, stem } of said) spellings.set(plain, stem)
  }

  yield* EventLoop.inSlices(groups.trim().split("\n"), (line) => {
    const [left = "", right = ""] = line.split(":")
    const called = expressions(left)
    const inLine = (weight: number) =>
      called.map((words): Meaning => ({ stems: words.map(({ stem }) => stem), weight }))
    const meant = inLine(weightOf.cue)
    const neighbours = inLine(weightOf.neighbour)
    for (const said of expressions(right)) add(said, meant)
    called.forEach((said, at) => {
      add(said, neighbours.toSpliced(at, 1))
    })
  })
  return {
    meaningsOf: (stem) => meanings.get(stem)?.flat() ?? [],
    has: (stem) => meanings.has(stem),
    spellings,
    find: finder(meanings)
  }
})

/** By the stems of what is said, with a blank between them: the meanings of each line that has it. */
type Meanings = Map<string, Array<ReadonlyArray<Meaning>>>

interface Phrase {
  readonly stems: ReadonlyArray<string>
  /** Whether nothing stands between the words. */
  readonly isFixed: boolean
  readonly meanings: ReadonlyArray<ReadonlyArray<Meaning>>
}

const finder = (meanings: Meanings): Phrases["find"] => {
  const byFirst = new Map<string, Array<Phrase>>()
  for (const [key, meant] of meanings) {
    const all = key.split(" ")
    if (all.length === 1) continue
    const telling = all.filter(isTelling)
    const stems = telling.length < 2 ? all : telling
    const isFixed = telling.length < 2 && !particles.has(all.at(-1) ?? "")
    const [first = ""] = stems
    const phrase = { stems, isFixed, meanings: meant }
    const others = byFirst.get(first)
    if (others === undefined) byFirst.set(first, [phrase])
    else others.push(phrase)
  }
  return (spoken) => {
    const stems = spoken.map(({ stem }) => stem)
    const taken = new Set<number>()
    return [...new Set(stems)]
      .flatMap((stem) => byFirst.get(stem) ?? [])
      .map(
        (phrase): Found => ({ places: placesOf(phrase, stems), stems: phrase.stems, meanings: phrase.meanings.flat() })
      )
      .filter(({ places }) => places.length > 0)
      .sort((a, b) => tellingOf(b) - tellingOf(a) || b.places.length - a.places.length)
      .filter(({ places }) => {
        if (places.some((place) => taken.has(place))) return false
        for (const place of places) taken.add(place)
        return true
      })
  }
}

/** What a verb is taken apart from: "throw the paragraph out". */
const particles: ReadonlySet<string> = new Set(["out", "off", "up", "down", "back", "in", "on"])

const isTelling = (stem: string): boolean => !stopWords.has(stem)

const tellingOf = ({ stems }: Found): number => stems.filter(isTelling).length

/** The words in their order, with little between them: "put my half-finished work aside" puts aside. */
const placesOf = ({ isFixed, stems }: Phrase, spoken: ReadonlyArray<string>): ReadonlyArray<number> => {
  const reach = stems.length + (isFixed ? 0 : farthestApart)
  const [first = ""] = stems
  for (let start = spoken.indexOf(first); start !== -1; start = spoken.indexOf(first, start + 1)) {
    const places = [start]
    for (const stem of stems.slice(1)) places.push(spoken.indexOf(stem, (places.at(-1) ?? start) + 1))
    if (!places.includes(-1) && (places.at(-1) ?? start) - start < reach) return places
  }
  return []
}

/** Words between the words of a phrase. */
const farthestApart = 3
