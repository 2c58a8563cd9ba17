/**
 * Tools in the order in which they fit a request (BM25 over what was said), and none when none does.
 */
import type { Slot } from "./Request.ts"
import type { ToolIndex } from "./ToolIndex.ts"

export interface Ranked {
  /** The place of the tool in the index. */
  readonly tool: number
  readonly score: number
}

/** How soon more of the same word stops to count. */
const saturation = 2.5

/** A word that means something else never says more than this part of what it says by itself. */
const mostOfMeanings = 0.8

/** What of a request a tool must meet; a word that no tool has, nor the thesaurus, is one that none meets. */
const leastFit = 0.54
const unknownWord = 1.1
const mostOfSlot = 1.5

/** What scores less than this part of the best is noise beside it. */
const leastShare = 0.3

/** The tools that fit, best first. Equal ones keep the order of the index. */
export const rank = (index: ToolIndex, slots: ReadonlyArray<Slot>): ReadonlyArray<Ranked> => {
  const scores = new Float64Array(index.tools.length)
  const met = new Float64Array(index.tools.length)
  const amounts = new Amounts(index.tools.length)
  let wanted = 0
  for (const slot of slots) {
    const most = take(amounts, index, slot)
    wanted += slot.weight * (most === 0 ? unknownWord * rarity(index, 1) : most / slot.trust)
    amounts.drain((tool, amount) => {
      scores[tool] = (scores[tool] ?? 0) + amount * slot.weight
      met[tool] = (met[tool] ?? 0) + Math.min(amount, most * mostOfSlot) * slot.weight
    })
  }
  const best = scores.reduce((a, b) => Math.max(a, b), 0)
  const ranked: Array<Ranked> = []
  scores.forEach((score, tool) => {
    if (score > 0 && score >= best * leastShare) ranked.push({ tool, score })
  })
  ranked.sort((a, b) => b.score - a.score || a.tool - b.tool)
  const [first] = ranked
  return first === undefined || (met[first.tool] ?? 0) < wanted * leastFit ? [] : ranked
}

/** The most that each tool has of a slot. */
class Amounts {
  private readonly values: Float64Array
  private tools: Array<number> = []

  constructor(size: number) {
    this.values = new Float64Array(size)
  }

  raise(tool: number, amount: number) {
    const before = this.values[tool] ?? 0
    if (before === 0) this.tools.push(tool)
    if (amount > before) this.values[tool] = amount
  }

  /** Hands out what there is, and is empty again. */
  drain(use: (tool: number, amount: number) => void) {
    for (const tool of this.tools) {
      use(tool, this.values[tool] ?? 0)
      this.values[tool] = 0
    }
    this.tools = []
  }
}

/** Notes what each tool has of a slot; gives what it is worth to have it. */
const take = (amounts: Amounts, index: ToolIndex, { alternatives, word }: Slot): number => {
  let most = 0
  const itself = word === undefined ? undefined : index.postings.get(word)
  const ceiling = itself === undefined ? Number.POSITIVE_INFINITY : rarity(index, itself.tools.length) * mostOfMeanings
  for (const { stems, weight } of alternatives) {
    const sums = new Map<number, number>()
    for (const stem of stems) {
      const postings = index.postings.get(stem)
      if (postings === undefined) continue
      const worth = Math.min(rarity(index, postings.tools.length), ceiling) * weight
      most = Math.max(most, worth)
      const part = (worth * (saturation + 1)) / stems.length
      postings.tools.forEach((tool, at) => {
        const weight = postings.weights[at] ?? 0
        const amount = (part * weight) / (saturation + weight)
        if (stems.length === 1) amounts.raise(tool, amount)
        else sums.set(tool, (sums.get(tool) ?? 0) + amount)
      })
    }
    for (const [tool, sum] of sums) amounts.raise(tool, sum)
  }
  return most
}

/** What it says that a word is there: the fewer tools have it, the more. */
const rarity = ({ tools }: ToolIndex, having: number): number =>
  Math.log(1 + (tools.length - having + 0.5) / (having + 0.5))
