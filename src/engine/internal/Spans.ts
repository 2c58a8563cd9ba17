/**
 * The spans of a run, where somebody reads them: the run, its turns, what the model is asked, and the calls of tools.
 */
import type * as Response from "@effect/ai/Response"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as Telemetry from "../../mcp/Telemetry.ts"
import type { ModelInfo } from "../model/ModelInfo.ts"
import type { Answer, ModelCall } from "./Answer.ts"
import { ofText } from "./TokenEstimate.ts"
import type { Outcome } from "./ToolCalls.ts"

export interface Spans {
  readonly run: Around
  readonly turn: (turn: number) => Around
  /** `server` is the one that the model is asked for, when it is not the conversation. */
  readonly chat: (info: ModelInfo, server: string | undefined) => Around<Answer>
  readonly toolCall: (call: ModelCall, name: string, server: string | undefined) => Around<Outcome>
}

type Around<Result = unknown> = <A extends Result, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const plain: Around = (work) => work

const none: Spans = { run: plain, turn: () => plain, chat: () => plain, toolCall: () => plain }

/** Tokens of the requests to models and of their answers, by model, and by the server that asked for them. */
const tokenUsage = Metric.histogram(
  "gen_ai.client.token.usage",
  MetricBoundaries.exponential({ start: 1, factor: 4, count: 14 }),
  "Tokens of requests to models and of their answers"
).pipe(Metric.tagged("unit", "{token}"))

/** About what the results of tools take of the model's context, by server and tool. */
const resultTokens = Metric.counter("harness9.tool.result.tokens", {
  description: "About the tokens of what tools have returned to the model",
  incremental: true
})

const traced: Spans = {
  run: (work) =>
    Telemetry.span(
      "invoke_agent harness9",
      { attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "harness9" } },
      () => work
    ),
  turn: (turn) => (work) => Telemetry.span("turn", { attributes: { "harness9.turn": turn } }, () => work),
  chat: (info, server) => (work) => {
    const model = info.model === "" ? info.provider : info.model
    const shared = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": info.provider,
      "gen_ai.request.model": model,
      "harness9.server": server
    }
    const options = { kind: "client", attributes: shared, onResult: ofAnswer } as const
    return Effect.tap(
      Telemetry.span(`chat ${model}`, options, () => work),
      ({ usage }) => countTokens(usage, shared)
    )
  },
  toolCall: (call, name, server) => (work) => {
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": call.id,
      "harness9.server": server
    }
    const spanned = Telemetry.span(`execute_tool ${name}`, { attributes, onResult: ofOutcome, problem }, () => work)
    const labels = { "harness9.server": server, "gen_ai.tool.name": name }
    return Effect.tap(spanned, ({ result }) => Telemetry.record(resultTokens, ofText(result.text), labels))
  }
}

const ofAnswer = ({ calls, finish, usage }: Answer): Telemetry.Attributes => ({
  "gen_ai.usage.input_tokens": usage?.inputTokens,
  "gen_ai.usage.output_tokens": usage?.outputTokens,
  "harness9.finish_reason": finish,
  "harness9.tool_calls": calls.length
})

const countTokens = (usage: Response.Usage | undefined, attributes: Telemetry.Attributes) => {
  const count = (type: "input" | "output", tokens = 0) =>
    Telemetry.record(tokenUsage, tokens, { ...attributes, "gen_ai.token.type": type })
  if (usage === undefined) return Effect.void
  return Effect.zipRight(count("input", usage.inputTokens), count("output", usage.outputTokens))
}

const ofOutcome = ({ result }: Outcome): Telemetry.Attributes => ({
  "harness9.result.characters": result.text.length
})

const problem = ({ denied, result }: Outcome): Telemetry.Problem | undefined => {
  if (denied) return { type: "denied", message: "the call was not allowed" }
  return result.isError ? { type: "tool_error", message: "the call failed, which the model is told" } : undefined
}

/** Those of the place where it is asked. */
export const make: Effect.Effect<Spans> = Effect.map(Telemetry.isOn, (isOn) => (isOn ? traced : none))
