/** Reads the chunks of a chat completions stream into response parts. Lenient: these servers differ in much. */

import type * as Response from "@effect/ai/Response"
import * as AiTool from "@effect/ai/Tool"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"

type Part = Response.StreamPartEncoded

/** A part, or a call whose arguments could not be read. */
export type Ending = { readonly _tag: "Part"; readonly part: Part } | { readonly _tag: "Unreadable" }

export interface ChatReader {
  readonly read: (chunk: JsonObject) => ReadonlyArray<Part>
  /** What is known only once the stream has ended: whole calls, usage, the finish. Nothing, if the answer broke off before. */
  readonly end: () => ReadonlyArray<Ending>
}

interface OpenCall {
  id: string
  name: string
  arguments: string
}

export const make = (): ChatReader => {
  const calls = new Map<number, OpenCall>()
  let finishReason: string | undefined
  let usage: JsonObject = {}

  const begun = new Set<"text" | "reasoning">()
  const text = (type: "text" | "reasoning", delta: unknown): ReadonlyArray<Part> => {
    if (typeof delta !== "string" || delta === "") return []
    const start: ReadonlyArray<Part> = begun.has(type) ? [] : [{ type: `${type}-start`, id: "0" }]
    begun.add(type)
    return [...start, { type: `${type}-delta`, id: "0", delta }]
  }

  /** The pieces of a call carry its index; a few servers leave it out and send each call whole. */
  const callAt = (piece: JsonObject): OpenCall => {
    const isNew =
      typeof piece.id === "string" && piece.id !== "" && ![...calls.values()].some((call) => call.id === piece.id)
    const index =
      typeof piece.index === "number" ? piece.index : isNew || calls.size === 0 ? calls.size : calls.size - 1
    const call = calls.get(index) ?? { id: "", name: "", arguments: "" }
    calls.set(index, call)
    return call
  }

  const addCall = (piece: unknown) => {
    if (!isObject(piece)) return
    const call = callAt(piece)
    const { name, arguments: args } = isObject(piece.function) ? piece.function : {}
    if (typeof piece.id === "string" && call.id === "") call.id = piece.id
    if (typeof name === "string" && call.name === "") call.name = name
    call.arguments += typeof args === "string" ? args : isObject(args) ? JSON.stringify(args) : ""
  }

  return {
    read: (chunk) => {
      if (isObject(chunk.error) || chunk.type === "error") return [{ type: "error", error: chunk.error ?? chunk }]
      if (isObject(chunk.usage)) usage = chunk.usage
      const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined
      if (!isObject(choice)) return []
      if (typeof choice.finish_reason === "string") finishReason = choice.finish_reason
      const delta = isObject(choice.delta) ? choice.delta : isObject(choice.message) ? choice.message : {}
      if (Array.isArray(delta.tool_calls)) delta.tool_calls.forEach(addCall)
      return [
        ...text("reasoning", delta.reasoning_content ?? delta.reasoning),
        ...text("text", delta.content),
        ...text("text", delta.refusal)
      ]
    },
    end: () => {
      if (finishReason === undefined) return []
      return [
        ...[...begun].map((type) => part({ type: `${type}-end`, id: "0" })),
        ...[...calls.values()].flatMap((call, index) => callParts({ ...call, id: call.id || `call_${index}` })),
        part(finish(finishReason, calls.size > 0, usage))
      ]
    }
  }
}

/** The parts of a stream as those of a whole answer. */
export const whole = (parts: ReadonlyArray<Part>): Array<Response.PartEncoded> => {
  const text = parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("")
  const others = parts.flatMap((part) => (part.type === "tool-call" || part.type === "finish" ? [part] : []))
  return text === "" ? others : [{ type: "text", text }, ...others]
}

const part = (part: Part): Ending => ({ _tag: "Part", part })

const callParts = (call: OpenCall): ReadonlyArray<Ending> => {
  const params = parse(call.arguments)
  return [
    part({ type: "tool-params-start", id: call.id, name: call.name }),
    part({ type: "tool-params-delta", id: call.id, delta: call.arguments }),
    ...(params === undefined
      ? [{ _tag: "Unreadable" } as const]
      : [
          part({ type: "tool-params-end", id: call.id }),
          part({ type: "tool-call", id: call.id, name: call.name, params: params.value })
        ])
  ]
}

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: text.trim() === "" ? {} : AiTool.unsafeSecureJsonParse(text) }
  } catch {
    return undefined
  }
}

const finish = (reason: string, isCalling: boolean, usage: JsonObject): Response.FinishPartEncoded => {
  const count = (value: unknown) => (typeof value === "number" ? value : undefined)
  return {
    type: "finish",
    reason: isCalling ? "tool-calls" : (reasons[reason] ?? "unknown"),
    usage: {
      inputTokens: count(usage.prompt_tokens),
      outputTokens: count(usage.completion_tokens),
      totalTokens: count(usage.total_tokens)
    }
  }
}

const reasons: { readonly [reason: string]: Response.FinishReason } = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls",
  function_call: "tool-calls"
}
