/**
 * Which tools have which words, and how much of a tool each word is.
 */
import * as Effect from "effect/Effect"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import type { Tool } from "../Tool.ts"
import * as EventLoop from "./EventLoop.ts"
import { stopWords } from "./StopWords.ts"
import * as Words from "./Words.ts"

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

/** What a word counts by where it stands. Long texts thin it out: beyond `usual` characters each counts for less. */
interface Field {
  readonly weight: number
  readonly usual: number
}

const fields = {
  name: { weight: 3, usual: 20 },
  title: { weight: 1.5, usual: 20 },
  server: { weight: 2, usual: 10 },
  summary: { weight: 1.5, usual: 110 },
  description: { weight: 0.6, usual: 400 },
  parameters: { weight: 0.7, usual: 50 },
  details: { weight: 0.25, usual: 400 }
}

/** More of the texts than this says nothing new of what a tool is for. */
const longest = { description: 500, details: 200 }

/** Indexes the tools, a slice at a time. */
export const make = Effect.fnUntraced(function* (tools: ReadonlyArray<Tool>): Effect.fn.Return<ToolIndex> {
  const builder = new Builder()
  yield* EventLoop.inSlices(tools, (tool) => builder.add(tool))
  return { tools, postings: builder.postings, spellings: builder.spellings }
})

interface GrowingPostings {
  readonly tools: Array<number>
  readonly weights: Array<number>
  /** The last of the tools. */
  latest: number
}

/** A run of letters and digits that has been seen, and where its words are counted. */
interface Seen {
  readonly run: string
  readonly words: ReadonlyArray<GrowingPostings>
}

class Builder {
  readonly postings = new Map<string, GrowingPostings>()
  readonly spellings = new Map<string, string>()
  /** By hash: a vocabulary is small and a text is long, so that most runs need not even become strings of their own. */
  private readonly seen = new Map<number, Seen>()
  private count = 0

  add(tool: Tool) {
    const { description, inputSchema, name, origin, title = "" } = tool
    const split = summaryEnd(description)
    const { details, parameters } = describeParameters(inputSchema)
    this.addText(origin._tag === "Mcp" ? origin.tool : name, fields.name)
    this.addText(title, fields.title)
    if (origin._tag === "Mcp") this.addText(origin.server, fields.server)
    this.addText(description.slice(0, split), fields.summary)
    this.addText(description.slice(split, longest.description), fields.description)
    this.addText(parameters, fields.parameters)
    this.addText(details.slice(0, longest.details), fields.details)
    this.count++
  }

  private addText(text: string, { usual, weight }: Field) {
    const each = weight / (0.4 + 0.6 * Math.max(1, text.length / usual))
    Words.eachRun(text, (start, end, hash) => {
      const known = this.seen.get(hash)
      const isSame = known !== undefined && known.run.length === end - start && text.startsWith(known.run, start)
      const { words } = isSame ? known : this.meet(text.slice(start, end), hash)
      for (const word of words) {
        if (word.latest === this.count) {
          const last = word.weights.length - 1
          word.weights[last] = (word.weights[last] ?? 0) + each
        } else {
          word.latest = this.count
          word.tools.push(this.count)
          word.weights.push(each)
        }
      }
    })
  }

  private meet(run: string, hash: number): Seen {
    const telling = Words.wordsOf(run).filter(({ plain }) => !stopWords.has(plain))
    const words = telling.map(({ plain, stem }) => {
      this.spellings.set(plain, stem)
      const postings = this.postings.get(stem) ?? { tools: [], weights: [], latest: -1 }
      this.postings.set(stem, postings)
      return postings
    })
    const met = { run, words }
    this.seen.set(hash, met)
    return met
  }
}

/** Where the first sentence ends, within reason. */
const summaryEnd = (description: string): number => {
  const end = /[.!?。](?:\s|$)|\n/.exec(description)?.index ?? description.length
  return Math.min(end, 200)
}

/** The names of the parameters, and what is said of them, as far as it is indexed. */
const describeParameters = (schema: JsonObject): { readonly parameters: string; readonly details: string } => {
  const names: Array<string> = []
  let details = ""
  const visit = (value: unknown, depth: number) => {
    if (!isObject(value) || depth > deepest) return
    if (details.length < longest.details) details += detailsOf(value, depth)
    if (isObject(value.properties)) {
      for (const [name, property] of Object.entries(value.properties)) {
        names.push(name)
        visit(property, depth + 1)
      }
    }
    visit(value.items, depth + 1)
  }
  visit(schema, 0)
  return { parameters: names.join(" "), details }
}

const detailsOf = (schema: JsonObject, depth: number): string => {
  const said = typeof schema.description === "string" && depth > 0 ? `${schema.description} ` : ""
  const values = Array.isArray(schema.enum) ? schema.enum.filter((item) => typeof item === "string") : []
  return values.length === 0 ? said : `${said}${values.join(" ")} `
}

/** Further down are the parts of values, not what the tool is about. */
const deepest = 2
