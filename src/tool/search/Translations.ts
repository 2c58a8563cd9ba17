/**
 * English for the words of other languages that requests for tools are made of.
 */
import * as Effect from "effect/Effect"
import * as EventLoop from "./EventLoop.ts"
import { translations } from "./thesaurus/languages.ts"
import { plainWords, type Word, words } from "./Words.ts"

/** What a word is in English, if it is known. */
export type Translate = (plain: string) => ReadonlyArray<Word> | undefined

let made: Translate | undefined

/** The translator, made when it is first needed. */
export const get: Effect.Effect<Translate> = Effect.suspend(() => {
  if (made !== undefined) return Effect.succeed(made)
  return Effect.tap(make, (translate) => {
    made = translate
  })
})

const make: Effect.Effect<Translate> = Effect.gen(function* () {
  const whole = new Map<string, ReadonlyArray<Word>>()
  const beginnings = new Map<string, ReadonlyArray<Word>>()
  yield* EventLoop.inSlices(translations.trim().split("\n"), (line) => {
    const [meaning = "", list = ""] = line.split(":")
    const meant = words(meaning)
    for (const plain of plainWords(list)) {
      if (!whole.has(plain)) whole.set(plain, meant)
      if (isUnbroken(plain)) continue
      for (let cut = 0; cut <= longestCut; cut++) {
        const beginning = plain.slice(0, plain.length - cut)
        const isTelling = beginning.length >= (cut === 0 ? shortestBeginning : shortestCut)
        if (isTelling && !beginnings.has(beginning)) beginnings.set(beginning, meant)
      }
    }
  })

  /** Endings differ, and German writes words together. */
  const loosely = (plain: string): ReadonlyArray<Word> | undefined => {
    for (let end = plain.length; end >= shortestBeginning; end--) {
      const found = beginnings.get(plain.slice(0, end))
      if (found === undefined) continue
      const rest = plain.slice(end)
      if (rest.length <= longestEnding) return found
      const other = loosely(rest) ?? loosely(rest.slice(1))
      if (other !== undefined) return [...found, ...other]
    }
    return undefined
  }

  /** The words of a text without blanks: the longest that are known, from the left. */
  const segment = (plain: string): ReadonlyArray<Word> | undefined => {
    const found: Array<Word> = []
    for (let at = 0; at < plain.length; ) {
      let length = Math.min(longestUnbroken, plain.length - at)
      while (length > 0 && !whole.has(plain.slice(at, at + length))) length--
      found.push(...(whole.get(plain.slice(at, at + length)) ?? []))
      at += Math.max(1, length)
    }
    return found.length === 0 ? undefined : found
  }

  return (plain) => (isUnbroken(plain) ? segment(plain) : (whole.get(plain) ?? loosely(plain)))
})

/** How much of a listed word may be missing, how much may follow, and what must be left of it. */
const longestCut = 2
const longestEnding = 4
const shortestBeginning = 4
const shortestCut = 5

/** Characters are decomposed: a Korean syllable counts for up to three. */
const longestUnbroken = 24

/** Whether a script puts no blanks between words, or hangs small words on others. */
const isUnbroken = (plain: string): boolean => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(plain)
