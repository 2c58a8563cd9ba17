/**
 * Which tools have which words, and how much of a tool each word is.
 */
import * as Effect from "effect/Effect"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import type { Tool } from "../Tool.ts"
import * as EventLoop from "./EventLoop.ts"
import { stopWords } from "./StopWords.ts"
import { chunks, wordsOf } from "./Words.ts"

/** The tools that have a word, by their place, and beside each the weight of the word in it. */
export interface Postings {
  readonly tools: ReadonlyArray<number>
  readonly weights: ReadonlyArray<number>
}

export interface ToolIndex {
  readonly tools: ReadonlyArray<Tool>
  /** By stem. */
  readonly postings: ReadonlyMap<string, Postings>
  /** The words as they are written, each with its stem. */
  readonly spellings: ReadonlyMap<string, string>
}

/** What a word counts by where it stands. Long texts thin it out: beyond `usual` words each counts for less. */
const fields = {
  name: { weight: 3, usual: 3 },
  title: { weight: 1.5, usual: 3 },
  server: { weight: 2, usual: 1 },
  summary: { weight: 1.5, usual: 12 },
  description: { weight: 0.6, usual: 40 },
  parameters: { weight: 0.7, usual: 6 },
  details: { weight: 0.25, usual: 40 }
}

/** More of a text than this says nothing new of what a tool is for. */
const longest = 2_000

/** How many characters are indexed before others get a turn: some two milliseconds of work. */
const slice = 40_000

/** Indexes the tools, a slice at a time. */
export const make = Effect.fnUntraced(function* (tools: ReadonlyArray<Tool>): Effect.fn.Return<ToolIndex> {
  const builder = new Builder()
  yield* EventLoop.inSlices(tools, slice, (tool) => builder.add(tool))
  return { tools, postings: builder.postings, spellings: builder.spellings }
})

interface GrowingPostings {
  readonly tools: Array<number>
  readonly weights: Array<number>
}

class Builder {
  readonly postings = new Map<string, GrowingPostings>()
  readonly spellings = new Map<string, string>()
  /** What the runs that have been seen stand for: a vocabulary is small, a text is long. */
  private readonly seen = new Map<string, ReadonlyArray<GrowingPostings>>()
  private count = 0

  /** Gives the number of characters that were read. */
  add(tool: Tool): number {
    const { parameters, details } = describeParameters(tool.inputSchema)
    const split = summaryEnd(tool.description)
    const texts: ReadonlyArray<readonly [keyof typeof fields, string]> = [
      ["name", tool.origin._tag === "Mcp" ? tool.origin.tool : tool.name],
      ["title", tool.title ?? ""],
      ["server", tool.origin._tag === "Mcp" ? tool.origin.server : ""],
      ["summary", tool.description.slice(0, split)],
      ["description", tool.description.slice(split, longest)],
      ["parameters", parameters],
      ["details", details.slice(0, longest)]
    ]
    let read = 0
    for (const [field, text] of texts) {
      read += text.length
      this.addText(text, field)
    }
    this.count++
    return read
  }

  private addText(text: string, field: keyof typeof fields) {
    const found: Array<GrowingPostings> = []
    for (const chunk of chunks(text))
      for (const postings of this.seen.get(chunk) ?? this.meet(chunk)) found.push(postings)
    const { weight, usual } = fields[field]
    const each = weight / (0.4 + 0.6 * Math.max(1, found.length / usual))
    for (const { tools, weights } of found) {
      const last = tools.length - 1
      if (tools[last] === this.count) weights[last] = (weights[last] ?? 0) + each
      else {
        tools.push(this.count)
        weights.push(each)
      }
    }
  }

  private meet(chunk: string): ReadonlyArray<GrowingPostings> {
    const words = wordsOf(chunk).filter(({ plain }) => !stopWords.has(plain))
    const met = words.map(({ plain, stem }) => {
      this.spellings.set(plain, stem)
      const postings = this.postings.get(stem) ?? { tools: [], weights: [] }
      this.postings.set(stem, postings)
      return postings
    })
    this.seen.set(chunk, met)
    return met
  }
}

/** Where the first sentence ends, within reason. */
const summaryEnd = (description: string): number => {
  const end = /[.!?。](?:\s|$)|\n/.exec(description)?.index ?? description.length
  return Math.min(end, 200)
}

/** The names of the parameters, and what is said of them. */
const describeParameters = (schema: JsonObject): { readonly parameters: string; readonly details: string } => {
  const names: Array<string> = []
  const details: Array<string> = []
  const visit = (value: unknown, depth: number) => {
    if (!isObject(value) || depth > deepest) return
    if (typeof value.description === "string" && depth > 0) details.push(value.description)
    if (Array.isArray(value.enum)) details.push(value.enum.filter((item) => typeof item === "string").join(" "))
    if (isObject(value.properties)) {
      for (const [name, property] of Object.entries(value.properties)) {
        names.push(name)
        visit(property, depth + 1)
      }
    }
    visit(value.items, depth + 1)
  }
  visit(schema, 0)
  return { parameters: names.join(" "), details: details.join(" ") }
}

/** Further down are the parts of values, not what the tool is about. */
const deepest = 2
