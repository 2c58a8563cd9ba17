/** The calls of a turn: asked about, run at once, their results told as they come. */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Tool from "../../tool/Tool.ts"
import type * as ToolRegistry from "../../tool/ToolRegistry.ts"
import { EngineEvent } from "../EngineEvent.ts"
import type * as Permission from "../Permission.ts"
import type { ModelCall } from "./Answer.ts"
import type { Offer } from "./Offer.ts"
import type { Spans } from "./Spans.ts"

export interface Environment {
  readonly registry: ToolRegistry.Service
  readonly permission: Permission.Service
  readonly spans: Spans
  readonly toolTimeout: Duration.Duration | undefined
}

export interface Options {
  readonly offer: Offer
  readonly emit: (event: EngineEvent) => Effect.Effect<void>
  /** Told each result as it comes, before anyone else is. */
  readonly onResult: (call: ModelCall, outcome: Outcome) => Effect.Effect<void>
}

/** What stands for the result of a call that was stopped. */
const interrupted: Tool.ToolResult = Tool.failure("The person stopped this call before it had finished.")

export interface Outcome {
  readonly result: Tool.ToolResult
  readonly denied: boolean
  readonly durationMs: number
}

/** Runs the calls concurrently; done when each has its result. */
export const run = (environment: Environment, calls: ReadonlyArray<ModelCall>, options: Options): Effect.Effect<void> =>
  Effect.forEach(calls, (call) => runOne(environment, call, options), { concurrency: "unbounded", discard: true })

const runOne = Effect.fnUntraced(function* (environment: Environment, call: ModelCall, options: Options) {
  const { emit, offer } = options
  const name = offer.registryName(call.name)
  const origin = offer.callable.byName.get(name)?.origin
  const server = origin?._tag === "Mcp" ? origin.server : undefined
  const started = yield* Clock.currentTimeMillis
  yield* emit(EngineEvent.ToolStarted({ id: call.id, name, server, arguments: call.arguments }))

  const finish = (outcome: Outcome) =>
    Effect.zipRight(options.onResult(call, outcome), emit(EngineEvent.ToolFinished({ id: call.id, name, ...outcome })))

  yield* outcome(environment, name, call, options).pipe(
    environment.spans.toolCall(call, name, server),
    Effect.onInterrupt(() =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        finish({ result: interrupted, denied: false, durationMs: now - started })
      )
    ),
    Effect.flatMap(finish)
  )
})

const outcome = Effect.fnUntraced(function* (
  { registry, permission, toolTimeout }: Environment,
  name: string,
  call: ModelCall,
  { emit, offer }: Options
) {
  if (call.problem !== undefined) return notRun(call.problem)
  const tool = offer.callable.byName.get(name)
  if (tool !== undefined) {
    const decision = yield* permission.decide({ id: call.id, tool, arguments: call.arguments })
    if (decision._tag === "Deny") return { ...notRun(decision.reason), denied: true }
  }
  const started = yield* Clock.currentTimeMillis
  const result = yield* registry.execute(name, call.arguments, {
    timeout: toolTimeout,
    from: offer.callable,
    onProgress: ({ progress, total, message }) =>
      emit(EngineEvent.ToolProgress({ id: call.id, progress, total, message }))
  })
  return { result, denied: false, durationMs: (yield* Clock.currentTimeMillis) - started }
})

const notRun = (message: string): Outcome => ({ result: Tool.failure(message), denied: false, durationMs: 0 })
