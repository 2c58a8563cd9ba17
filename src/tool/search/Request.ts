/**
 * A person's or a model's request, as what to look for: its words, what they may mean, and what they may have been meant to be.
 */
import * as Effect from "effect/Effect"
import { finder } from "./NearWords.ts"
import * as Phrases from "./Phrases.ts"
import { stopWords } from "./StopWords.ts"
import type { ToolIndex } from "./ToolIndex.ts"
import * as Translations from "./Translations.ts"
import { type Word, words } from "./Words.ts"

/** One thing that was said. A tool has it as much as it has the best of the alternatives. */
export interface Slot {
  /** The word itself, where the slot is a word. */
  readonly word: string | undefined
  readonly alternatives: ReadonlyArray<Phrases.Meaning>
  readonly weight: number
  /** How sure it is that this is what was meant, from 0 to 1. */
  readonly trust: number
}

/** A word of a request; `edits` counts the letters that had to be changed for it. */
interface SpokenWord extends Word {
  readonly edits?: number
}

/** Reads requests against an index: which of their words are words of a tool. */
export const reader = Effect.fnUntraced(function* (
  index: ToolIndex
): Effect.fn.Return<(request: string) => ReadonlyArray<Slot>> {
  const phrases = yield* Phrases.get
  const translate = yield* Translations.get
  const isKnown = ({ plain, stem }: Word): boolean =>
    stopWords.has(plain) || index.postings.has(stem) || phrases.has(stem)
  let near: ReturnType<typeof finder> | undefined

  /** Of words that are equally near, the one that more tools have. */
  const nearest = (plain: string): SpokenWord | undefined => {
    near ??= finder(new Set([...index.spellings.keys(), ...phrases.spellings.keys()]))
    const found = near(plain).map(({ edits, word }) => {
      const stem = index.spellings.get(word) ?? phrases.spellings.get(word) ?? word
      return { plain: word, stem, edits, tools: index.postings.get(stem)?.tools.length ?? 0 }
    })
    const fewest = found[0]?.edits
    return found.filter(({ edits }) => edits === fewest).sort((a, b) => b.tools - a.tools)[0]
  }

  const haveCommonTool = ([a, b]: ReadonlyArray<Word>): boolean => {
    const others = new Set(index.postings.get(b?.stem ?? "")?.tools)
    return index.postings.get(a?.stem ?? "")?.tools.some((tool) => others.has(tool)) ?? false
  }

  /** Two words that were written as one, and stand together in a tool. */
  const parts = ({ plain }: Word): ReadonlyArray<Word> | undefined => {
    for (let at = 3; at <= plain.length - 3; at++) {
      const halves = words(`${plain.slice(0, at)} ${plain.slice(at)}`)
      if (haveCommonTool(halves)) return halves
    }
    return undefined
  }

  /** The word in English, correctly spelled, as far as that can be told. */
  const understand = (word: Word): ReadonlyArray<SpokenWord> =>
    isKnown(word) ? [word] : (translate(word.plain) ?? parts(word) ?? [nearest(word.plain) ?? word])

  return (request) => {
    const tokens = request.slice(0, longest).split(/\s+/)
    const spoken = tokens.flatMap((token, at) => {
      const understood = words(token).flatMap(understand)
      return isGiven(token, at) ? understood.filter(isKnown) : understood
    })
    return toSlots(spoken, phrases)
  }
})

/** What a tool is called with, by its looks: a name, a number, an address. That no tool speaks of it says nothing. */
const isGiven = (token: string, at: number): boolean =>
  /[\p{L}\p{N}][./@:\\#][\p{L}\p{N}]|\p{N}|\p{Ll}\p{Lu}/u.test(token) || (at > 0 && /^\P{L}*\p{Lu}/u.test(token))

/** A request is a sentence, not a document. */
const longest = 1_000

/** A phrase says what is wanted; what is done says less than what it is done to. */
const phraseWeight = 2
const lightWeight = 0.6

/** For each letter that had to be changed. */
const lessTrust = 0.25

const toSlots = (spoken: ReadonlyArray<SpokenWord>, phrases: Phrases.Phrases): ReadonlyArray<Slot> => {
  const found = phrases.find(spoken)
  const inPhrase = new Set(found.flatMap(({ places }) => places))
  const ofPhrases = found.map(({ meanings, stems }) => ({
    word: undefined,
    alternatives: [{ stems: stems.filter((stem) => !stopWords.has(stem)), weight: 1 }, ...meanings],
    trust: 1,
    weight: stems.every((stem) => stopWords.has(stem)) ? lightWeight : phraseWeight
  }))
  const ofWords = spoken.flatMap(({ edits = 0, plain, stem }, at): ReadonlyArray<Slot> => {
    if (stopWords.has(plain) || inPhrase.has(at)) return []
    const trust = 1 - edits * lessTrust
    const alternatives = [{ stems: [stem], weight: 1 }, ...phrases.meaningsOf(stem)]
    return [
      {
        word: stem,
        alternatives: alternatives.map((meaning) => ({ ...meaning, weight: meaning.weight * trust })),
        trust,
        weight: lightWords.has(stem) ? lightWeight : 1
      }
    ]
  })
  return [...ofPhrases, ...ofWords]
}

const lightWords: ReadonlySet<string> = new Set(
  words(
    "show get list find search create add update delete remove make give run set open new read write look see check tell view change start fetch put"
  ).map(({ stem }) => stem)
)
