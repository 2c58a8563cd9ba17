/** What the model has said in one turn, gathered from the parts of its stream. */
import type * as Response from "@effect/ai/Response"
import type * as AiTool from "@effect/ai/Tool"
import { isObject, type JsonObject, parseObject } from "../../mcp/JsonRpc.ts"
import type { AnswerPart } from "../SessionEvent.ts"

/** A call as the model made it. `problem`: why its arguments cannot be used. */
export interface ModelCall {
  readonly id: string
  readonly name: string
  readonly arguments: JsonObject
  readonly problem?: string
}

export interface Answer {
  readonly text: string
  readonly calls: ReadonlyArray<ModelCall>
  /** Why it ends, where the provider says so. */
  readonly finish: Response.FinishReason | undefined
  /** As the conversation keeps it, calls included. */
  readonly parts: ReadonlyArray<AnswerPart>
  /** Of the request and the answer together, where the provider tells. */
  readonly tokens: number | undefined
  /** As the provider tells it. */
  readonly usage: Response.Usage | undefined
}

/** A part of the model's stream, whatever the tools. */
export type Part = Response.StreamPart<Record<string, AiTool.Any>>

type Options = NonNullable<AnswerPart["options"]>
type Metadata = Response.ProviderMetadata

interface TextBlock {
  readonly type: "text" | "reasoning"
  text: string
  options: Options
}

interface CallBlock {
  readonly type: "tool-call"
  readonly id: string
  readonly name: string
  readonly params: unknown
  readonly options: Options
}

interface OpenCall {
  readonly name: string
  params: string
}

/** Gathers the parts of one turn. `isTaken` tells the call ids that the conversation has already. */
export class Gathering {
  readonly #blocks: Array<TextBlock | CallBlock> = []
  readonly #texts = new Map<string, TextBlock>()
  readonly #open = new Map<string, OpenCall>()
  readonly #isTaken: (id: string) => boolean
  #finish: Response.FinishPart | undefined

  constructor(isTaken: (id: string) => boolean) {
    this.#isTaken = isTaken
  }

  /** Whether a person has seen something of this answer: asking again would repeat it. */
  get isShown(): boolean {
    return this.#blocks.some((block) => block.type !== "tool-call" && block.text !== "")
  }

  /** Whether the answer stopped within a call's arguments. */
  get hasOpenCall(): boolean {
    return this.#open.size > 0
  }

  add(part: Part): void {
    switch (part.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
        this.#text("text", part.id, part.type === "text-delta" ? part.delta : "", part.metadata)
        return
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.#text("reasoning", part.id, part.type === "reasoning-delta" ? part.delta : "", part.metadata)
        return
      case "tool-params-start":
        this.#open.set(part.id, { name: part.name, params: "" })
        return
      case "tool-params-delta": {
        const open = this.#open.get(part.id)
        if (open !== undefined) open.params += part.delta
        return
      }
      case "tool-call":
        this.#open.delete(part.id)
        this.#call(part.id, part.name, part.params, part.metadata)
        return
      case "finish":
        this.#finish = part
        return
      default:
        return
    }
  }

  /**
   * Takes what had come of calls that the provider's reader refused (an unknown tool, arguments that are no JSON) as calls of
   * their own, so that the model is told instead of the run ending.
   */
  closeOpenCalls(): void {
    for (const [id, open] of this.#open) this.#call(id, open.name, open.params, {})
    this.#open.clear()
  }

  answer(): Answer {
    return {
      text: this.#blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
      calls: this.#blocks.flatMap((block) => (block.type === "tool-call" ? [toModelCall(block)] : [])),
      finish: this.#finish?.reason,
      parts: this.#blocks.flatMap(toAnswerPart),
      tokens: tokensOf(this.#finish),
      usage: this.#finish?.usage
    }
  }

  /** What a person has seen of an answer that was cut off: its text alone. */
  partial(): ReadonlyArray<AnswerPart> {
    const { text } = this.answer()
    return text.trim() === "" ? [] : [{ type: "text", text }]
  }

  #text(type: "text" | "reasoning", id: string, delta: string, metadata: Metadata): void {
    const key = `${type} ${id}`
    let block = this.#texts.get(key)
    if (block === undefined) {
      block = { type, text: "", options: {} }
      this.#texts.set(key, block)
      this.#blocks.push(block)
    }
    block.text += delta
    block.options = merge(block.options, metadata)
  }

  #call(id: string, name: string, params: unknown, metadata: Metadata): void {
    this.#blocks.push({ type: "tool-call", id: this.#freshId(id), name, params, options: merge({}, metadata) })
  }

  /** Some models number their calls anew in each turn, or not at all. */
  #freshId(id: string): string {
    const taken = (candidate: string) =>
      candidate === "" ||
      this.#isTaken(candidate) ||
      this.#blocks.some((block) => block.type === "tool-call" && block.id === candidate)
    let fresh = id
    for (let n = 2; taken(fresh); n++) fresh = `${id === "" ? "call" : id}_${n}`
    return fresh
  }
}

const merge = (into: Options, more: Metadata): Options => {
  const merged: Record<string, Options[string]> = { ...into }
  for (const [provider, values] of Object.entries(more)) merged[provider] = { ...merged[provider], ...values }
  return merged
}

const toAnswerPart = (block: TextBlock | CallBlock): ReadonlyArray<AnswerPart> => {
  const marks = Object.keys(block.options).length === 0 ? {} : { options: block.options }
  if (block.type === "tool-call") {
    const { arguments: args, id, name } = toModelCall(block)
    return [{ type: "tool-call", id, name, arguments: args, ...marks }]
  }
  const { text, type } = block
  return type === "text" && text === "" ? [] : [{ type, text, ...marks }]
}

/** Anthropic counts what came from its cache apart. */
const tokensOf = (finish: Response.FinishPart | undefined): number | undefined => {
  if (finish === undefined) return undefined
  const { cachedInputTokens = 0, inputTokens = 0, outputTokens = 0 } = finish.usage
  const asked = inputTokens < cachedInputTokens ? inputTokens + cachedInputTokens : inputTokens
  return asked === 0 ? undefined : asked + outputTokens
}

/** The arguments as an object. Some models send them as a string of JSON, or not at all when there are none. */
const toModelCall = ({ id, name, params }: CallBlock): ModelCall => {
  if (isObject(params)) return { id, name, arguments: params }
  if (params === undefined || params === null || params === "") return { id, name, arguments: {} }
  const parsed = typeof params === "string" ? parseObject(params) : undefined
  if (parsed !== undefined) return { id, name, arguments: parsed }
  return {
    id,
    name,
    arguments: {},
    problem: `The arguments of "${name}" are not a JSON object. Call it again with valid JSON.`
  }
}
