/** What the model has said in one turn, gathered from the parts of its stream. */
import * as Prompt from "@effect/ai/Prompt"
import type * as Response from "@effect/ai/Response"
import type * as AiTool from "@effect/ai/Tool"
import { isObject, type JsonObject, parseObject } from "../../mcp/JsonRpc.ts"

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
  readonly parts: ReadonlyArray<Prompt.AssistantMessagePart>
}

/** A part of the model's stream, whatever the tools. */
export type Part = Response.StreamPart<Record<string, AiTool.Any>>

type Options = Prompt.ProviderOptions

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
  #finish: Response.FinishReason | undefined

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
        this.#finish = part.reason
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
      finish: this.#finish,
      parts: this.#blocks.flatMap(toPromptPart)
    }
  }

  /** What a person has seen of an answer that was cut off: its text alone. */
  partial(): ReadonlyArray<Prompt.AssistantMessagePart> {
    const { text } = this.answer()
    return text.trim() === "" ? [] : [Prompt.makePart("text", { text })]
  }

  #text(type: "text" | "reasoning", id: string, delta: string, metadata: Options): void {
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

  #call(id: string, name: string, params: unknown, metadata: Options): void {
    this.#blocks.push({ type: "tool-call", id: this.#freshId(id), name, params, options: metadata })
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

const merge = (into: Options, more: Options): Options => {
  const merged: Record<string, Options[string]> = { ...into }
  for (const [provider, values] of Object.entries(more)) merged[provider] = { ...merged[provider], ...values }
  return merged
}

const toPromptPart = (block: TextBlock | CallBlock): ReadonlyArray<Prompt.AssistantMessagePart> => {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [Prompt.makePart("text", { text: block.text, options: block.options })]
    case "reasoning":
      return [Prompt.makePart("reasoning", { text: block.text, options: block.options })]
    case "tool-call":
      return [
        Prompt.makePart("tool-call", {
          id: block.id,
          name: block.name,
          params: toModelCall(block).arguments,
          providerExecuted: false,
          options: block.options
        })
      ]
  }
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
