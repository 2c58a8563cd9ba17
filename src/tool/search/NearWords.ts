/** The words of a vocabulary that a misspelled word may stand for. */

export interface NearWord {
  readonly word: string
  readonly edits: number
}

/** Looks for words that are an edit away, two for long ones; the nearest first. */
export const finder = (vocabulary: Iterable<string>): ((word: string) => ReadonlyArray<NearWord>) => {
  const byFirstLetter = new Map<string, Array<string>>()
  for (const word of vocabulary) {
    if (word.length < shortest - 1) continue
    const bucket = byFirstLetter.get(word.charAt(0))
    if (bucket === undefined) byFirstLetter.set(word.charAt(0), [word])
    else bucket.push(word)
  }
  return (word) => {
    const most = word.length < shortest ? 0 : word.length < 8 ? 1 : 2
    if (most === 0) return []
    const like = (first: string) => nearOf(word, byFirstLetter.get(first) ?? [], most)
    // The first letter is seldom wrong; when it is, it is most often missing or swapped with the second.
    const found = like(word.charAt(0))
    return found.length > 0 ? found : like(word.charAt(1))
  }
}

const nearOf = (word: string, candidates: ReadonlyArray<string>, most: number): ReadonlyArray<NearWord> =>
  candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= most)
    .map((candidate) => ({ word: candidate, edits: distance(word, candidate, most) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits || (a.word < b.word ? -1 : 1))

/** Shorter words have too many neighbours. */
const shortest = 5

/** Insertions, deletions, replacements and swaps of neighbours between two words; gives up beyond `most`. */
const distance = (a: string, b: string, most: number): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      let edits = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1))
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        edits = Math.min(edits, at(beforeLast, column - 2) + 1)
      current.push(edits)
      least = Math.min(least, edits)
    }
    if (least > most) return least
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

const at = (row: ReadonlyArray<number>, column: number): number => row[column] ?? Number.POSITIVE_INFINITY
