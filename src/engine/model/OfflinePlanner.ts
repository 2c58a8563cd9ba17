/**
 * What the offline model does next. It has no weights: it takes a prompt apart into steps, finds for each the tool whose name and
 * description fit its words best and whose arguments it can fill, and answers with the results.
 *
 * @since 0.1.0
 */
import type { JsonObject } from "../../mcp/JsonRpc.ts"
import * as OfflineArguments from "./OfflineArguments.ts"
import * as OfflineWords from "./OfflineWords.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface OfflineTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/**
 * A call that was made for this prompt.
 *
 * @since 0.1.0
 * @category models
 */
export interface Made {
  readonly name: string
  readonly text: string
  readonly isError: boolean
}

/**
 * @since 0.1.0
 * @category models
 */
export type Action =
  | { readonly _tag: "Call"; readonly name: string; readonly arguments: JsonObject }
  | { readonly _tag: "Answer"; readonly text: string }

/**
 * The next action for a prompt, after the calls made so far.
 *
 * @since 0.1.0
 * @category planning
 */
export const plan = (prompt: string, tools: ReadonlyArray<OfflineTool>, made: ReadonlyArray<Made>): Action => {
  const said: Array<string> = []
  let calls = 0
  for (const step of steps(prompt)) {
    const choice = choose(step, tools, made[calls - 1]?.text)
    if (choice._tag === "None") {
      said.push(choice.reason)
      continue
    }
    const result = made[calls]
    if (result === undefined) return { _tag: "Call", name: choice.tool.name, arguments: choice.arguments }
    calls += 1
    said.push(outcome(choice, result))
    if (result.isError) break
  }
  return { _tag: "Answer", text: `[offline model] ${said.join("\n\n")}` }
}

/**
 * The steps of a prompt: parted by `then`, `;`, sentences that go on with a verb, or the lines of a list. Quoted text and JSON
 * stay whole.
 *
 * @since 0.1.0
 * @category parsing
 */
export const steps = (prompt: string): ReadonlyArray<string> => {
  const kept: Array<string> = []
  const masked = prompt.replace(
    /"[^"]*"|(?<!\w)'[^']*'|`[^`]*`|“[^”]*”|[{[][\s\S]*[}\]]/g,
    (text) => `\u0000${kept.push(text) - 1}\u0000`
  )
  return masked
    .split(between)
    .map((step) => step.replace(/\u0000(\d+)\u0000/g, (_, index) => kept[Number(index)] ?? "").trim())
    .filter((step) => step !== "")
}

const verbs =
  "add|append|count|create|delete|echo|edit|execute|find|get|glob|grep|list|move|open|print|read|remove|run|save|search|show|sum|write"

const between = new RegExp(
  [
    "\\s*;\\s*",
    "[,.]?\\s+(?:and\\s+)?(?:then|after that|afterwards|finally)[,:]?\\s+",
    "\\n+\\s*(?:\\d+[.)]|[-*•])\\s+",
    "^\\s*(?:\\d+[.)]|[-*•])\\s+",
    `[,.]?\\s+and\\s+(?=(?:${verbs})\\b)`,
    `\\.\\s+(?=(?:${verbs})\\b)`
  ].join("|"),
  "i"
)

type Choice =
  | { readonly _tag: "Tool"; readonly tool: OfflineTool; readonly arguments: JsonObject }
  | { readonly _tag: "None"; readonly reason: string }

/** How well a step's words fit a tool. */
interface Fit {
  readonly relevance: number
  /** The share of the words of the step, or of the tool's name where that is less, that the other has too. */
  readonly coverage: number
}

interface Candidate extends Fit {
  readonly tool: OfflineTool
  /** The fit, and whether the step's values find a place. */
  readonly promise: number
  readonly filled: OfflineArguments.Filled
}

/** Below this the words have only brushed the tool. */
const enough = 1.5

const score = ({ promise, filled }: Candidate): number => promise - 4 * filled.missing.length

const choose = (step: string, tools: ReadonlyArray<OfflineTool>, previous: string | undefined): Choice => {
  const said = OfflineArguments.read(step, previous)
  const weigh = relevance(step, said, tools)
  const candidates = tools
    .map((tool) => ({ tool, ...weigh(tool) }))
    .filter(({ relevance }) => relevance > 0)
    .map((fit): Candidate => {
      const filled = OfflineArguments.fill(fit.tool.inputSchema, said, wordsOf(fit.tool).name)
      return { ...fit, filled, promise: fit.relevance + filled.used - 3 * filled.unused }
    })
    .sort((left, right) => score(right) - score(left))
  const most = Math.max(0, ...candidates.map(({ promise }) => promise))
  const best = candidates.find(
    ({ relevance, coverage, promise, filled }) =>
      relevance >= enough &&
      // A tool that fits better but lacks an argument is told of, not replaced by a worse one.
      promise >= 0.7 * most &&
      filled.missing.length === 0 &&
      (filled.used > 0 || coverage >= 0.5)
  )
  if (best !== undefined && best.promise > 0) return { _tag: "Tool", tool: best.tool, arguments: best.filled.arguments }
  return { _tag: "None", reason: refusal(step, candidates) }
}

/** Measures how a step fits: words of its name count most, and rare words more than common ones. */
const relevance = (step: string, said: OfflineArguments.Said, tools: ReadonlyArray<OfflineTool>) => {
  const words = [...new Set(OfflineWords.of(said.rest))]
  const all = tools.map(wordsOf)
  const holders = (word: string) => all.filter((of) => of.name.includes(word) || of.description.includes(word)).length
  const rarity = new Map(words.map((word) => [word, Math.log(1 + tools.length / (1 + holders(word)))]))
  return (tool: OfflineTool): Fit => {
    if (isNamed(tool, step)) return { relevance: 100, coverage: 1 }
    const { name, description, server } = wordsOf(tool)
    const hits = words.map((word, index) => {
      const weight = rarity.get(word) ?? 0
      const likeness = Math.max(0, ...name.map((other) => OfflineWords.likeness(word, other)))
      return {
        likeness,
        // The first word is mostly the verb.
        named: ((index === 0 ? 6 : 3) * weight * likeness) / Math.sqrt(name.length),
        described: description.includes(word) ? 0.5 * weight : 0,
        served: server.includes(word) ? 3 : 0
      }
    })
    // One word of a description, or the server's name, say too little alone.
    const isMeant = hits.some(({ named }) => named > 0) || hits.filter(({ described }) => described > 0).length > 1
    const likeness = sum(hits.map((hit) => Math.max(hit.likeness, hit.served > 0 ? 1 : 0)))
    return {
      relevance: isMeant ? sum(hits.map(({ named, described, served }) => named + described + served)) : 0,
      coverage: Math.min(likeness / words.length, sum(hits.map((hit) => hit.likeness)) / name.length)
    }
  }
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

/** The step says the tool's name itself, whole or without its server. */
const isNamed = (tool: OfflineTool, step: string): boolean => {
  const short = tool.name.split("__").slice(2).join("__")
  const says = (name: string) => new RegExp(`(?<![\\w-])${name.replace(/[^\w]/g, "\\$&")}(?![\\w-])`, "i").test(step)
  return says(tool.name) || (/[_-]/.test(short) && (says(short) || says(short.replaceAll("_", "-"))))
}

interface ToolWords {
  readonly name: ReadonlyArray<string>
  /** Of the first sentence: what a tool is for. What follows is often about everything else. */
  readonly description: ReadonlyArray<string>
  readonly server: ReadonlyArray<string>
}

const known = new WeakMap<OfflineTool, ToolWords>()

const wordsOf = (tool: OfflineTool): ToolWords => {
  const before = known.get(tool)
  if (before !== undefined) return before
  const [, server = "", ...name] = tool.name.startsWith("mcp__") ? tool.name.split("__") : ["", "", tool.name]
  const words: ToolWords = {
    name: OfflineWords.of(name.join(" ")),
    description: OfflineWords.of(
      /^[\s\S]{0,200}?(?:[.\n]|$)/.exec(tool.description)?.[0] ?? tool.description.slice(0, 200)
    ),
    server: server === "" ? [] : [...OfflineWords.of(server), "mcp"]
  }
  known.set(tool, words)
  return words
}

const outcome = (choice: Extract<Choice, { _tag: "Tool" }>, made: Made): string => {
  const call = `${made.name} ${JSON.stringify(choice.arguments)}`
  return made.isError
    ? `I called ${call}, which failed:\n${bounded(made.text)}`
    : `I called ${call}:\n${bounded(made.text)}`
}

const bounded = (text: string): string =>
  text.length <= 8000 ? text : `${text.slice(0, 8000)}\n[cut: ${text.length} characters in all]`

const refusal = (step: string, candidates: ReadonlyArray<Candidate>): string => {
  const near = candidates[0]
  if (near !== undefined && near.relevance >= enough && near.filled.missing.length > 0) {
    return (
      `${near.tool.name} seems to fit "${bounded(step)}", but I do not know its ${near.filled.missing.join(", ")}. ` +
      `Say it as ${near.filled.missing.map((name) => `${name}=…`).join(" ")}.`
    )
  }
  const nearest = candidates.slice(0, 3).map(({ tool }) => tool.name)
  return (
    `I have no language model behind me and only call tools, and none of them fits "${bounded(step)}". ` +
    (nearest.length === 0 ? "" : `The nearest are ${nearest.join(", ")}. `) +
    "For real answers set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model with --model."
  )
}
