/**
 * Text as words that can be compared: identifiers taken apart, letters made plain, English endings cut off.
 */
import { stemmer } from "stemmer"

/** A word as it was written, in plain small letters, and what it is compared by. */
export interface Word {
  readonly plain: string
  readonly stem: string
}

/** The words of a text, in order: `listAllFiles`, `list_all_files` and `List all files` are the same three. */
export const words = (text: string): ReadonlyArray<Word> => runs(text).flatMap(wordsOf)

/**
 * The unbroken runs of letters and digits of a text: where each begins and ends, and a hash of it (FNV-1a). Read character by
 * character: an index of 10,000 tools is a matter of some ten million of them.
 */
export const eachRun = (text: string, use: (start: number, end: number, hash: number) => void): void => {
  let start = -1
  let hash = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isWordCode(code)) {
      if (start === -1) {
        start = at
        hash = 0x811c9dc5
      }
      hash = Math.imul(hash ^ code, 0x01000193)
    } else if (start !== -1) {
      use(start, at, hash)
      start = -1
    }
  }
  if (start !== -1) use(start, text.length, hash)
}

const runs = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  eachRun(text, (start, end) => found.push(text.slice(start, end)))
  return found
}

/** Anything beyond ASCII is looked at more closely in `wordsOf`. */
const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code >= 128

/** The words of one run: most often one, several in `fetchURLContents2`. */
export const wordsOf = (chunk: string): ReadonlyArray<Word> =>
  plainWordsOf(chunk).map((plain) => ({ plain, stem: stem(plain) }))

/** The words of a text without their stems. */
export const plainWords = (text: string): ReadonlyArray<string> => runs(text).flatMap(plainWordsOf)

/** Reads many texts of the same words: each word is taken apart once. */
export const wordReader = (): ((text: string) => ReadonlyArray<Word>) => {
  const seen = new Map<string, ReadonlyArray<Word>>()
  const read = (chunk: string): ReadonlyArray<Word> => {
    const known = seen.get(chunk) ?? wordsOf(chunk)
    seen.set(chunk, known)
    return known
  }
  return (text) => runs(text).flatMap(read)
}

const plainWordsOf = (chunk: string): ReadonlyArray<string> => {
  if (isPlain(chunk)) return [chunk]
  const parts = chunk.normalize("NFKD").replace(/\p{M}/gu, "").match(parted) ?? []
  return parts.map((part) => part.toLowerCase().replace(/[ßæøłđı]/g, (letter) => plainLetters[letter] ?? letter))
}

/** Letters that are no letter with a mark. */
const plainLetters: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", ø: "o", ł: "l", đ: "d", ı: "i" }

const isPlain = (chunk: string): boolean => /^[a-z]+$/.test(chunk)

/** A capital begins a word, and so does the last of several: `HTMLPage`. Digits belong to the word before: `k8s`. */
const parted = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?\p{Ll}[\p{Ll}\p{N}]*|[\p{Lo}\p{Lm}]+|\p{N}+|\p{L}+/gu

const stem = (plain: string): string => (/^[a-z]{3,}$/.test(plain) ? stemmer(plain) : plain)
