/** One turn of the model: the request, its stream, and asking again when a failure may pass. */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Prompt from "@effect/ai/Prompt"
import type * as Response from "@effect/ai/Response"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { EngineEvent } from "../EngineEvent.ts"
import * as ModelFailure from "../model/ModelFailure.ts"
import type { ModelInfo } from "../model/ModelInfo.ts"
import type { AnswerPart } from "../SessionEvent.ts"
import { type Answer, Gathering, type Part } from "./Answer.ts"
import type { Offer } from "./Offer.ts"
import type { Spans } from "./Spans.ts"

export interface Request {
  readonly prompt: Prompt.Prompt
  readonly offer: Offer
  /** Default: the model decides whether it calls a tool. */
  readonly toolChoice?: "auto" | "required" | undefined
  /** The server that asks. Default: the conversation does. */
  readonly server?: string | undefined
  readonly isTaken: (callId: string) => boolean
  readonly emit: (event: EngineEvent) => Effect.Effect<void>
  /** Told what had been said when the turn fails or is interrupted. */
  readonly onCut: (parts: ReadonlyArray<AnswerPart>) => Effect.Effect<void>
}

export const make = (model: LanguageModel.Service, info: ModelInfo, spans: Spans) => {
  const attempt = Effect.fnUntraced(function* (request: Request, gathering: Gathering) {
    let finish: Response.FinishPart | undefined
    const read = (part: Part): Effect.Effect<void, ModelFailure.ModelFailure> => {
      if (part.type === "error") return Effect.fail(ModelFailure.fromErrorPart(part.error, info))
      if (part.type === "finish") finish = part
      gathering.add(part)
      return emitDelta(part, request.emit)
    }
    const isWhole = yield* model
      .streamText({
        prompt: request.prompt,
        toolkit: request.offer.toolkit,
        toolChoice: request.toolChoice ?? "auto",
        disableToolCallResolution: true
      })
      .pipe(
        Stream.mapError((error) => ModelFailure.fromAiError(error, info)),
        Stream.runForEach(read),
        Effect.map(() => finish !== undefined),
        Effect.catchIf(
          (failure) => failure.malformed === true && gathering.hasOpenCall,
          () =>
            Effect.as(
              Effect.sync(() => gathering.closeOpenCalls()),
              true
            )
        )
      )
    if (!isWhole) return yield* ModelFailure.cutShort(info)
    yield* emitFinish(finish, request.emit)
    return gathering.answer()
  })

  /** The model's answer; its text and its retries are told as they happen. */
  const ask = (request: Request): Effect.Effect<Answer, ModelFailure.ModelFailure> =>
    Effect.suspend(() => {
      let gathering = new Gathering(request.isTaken)
      return Effect.suspend(() => {
        gathering = new Gathering(request.isTaken)
        return attempt(request, gathering)
      }).pipe(
        Effect.retry({
          schedule: backoff(request.emit),
          while: (failure) => failure.passing && !gathering.isShown && !isLongWait(failure)
        }),
        Effect.onError(() => request.onCut(gathering.partial()))
      )
    }).pipe(spans.chat(info, request.server))

  return { ask }
}

/** Half a second, doubled each time and jittered, at most five times; as long as the provider asks for, where it does. */
const backoff = (emit: Request["emit"]) =>
  Schedule.identity<ModelFailure.ModelFailure>().pipe(
    Schedule.intersect(Schedule.exponential("500 millis").pipe(Schedule.jittered)),
    Schedule.intersect(Schedule.recurs(5)),
    Schedule.modifyDelayEffect(([[failure], attempt], delay) => {
      const delayMs = Math.round(Duration.toMillis(failure.retryAfter ?? delay))
      return Effect.as(
        emit(EngineEvent.ModelRetry({ attempt: attempt + 1, delayMs, reason: failure.message })),
        Duration.millis(delayMs)
      )
    })
  )

/** A person would rather know at once than wait this long. */
const isLongWait = ({ retryAfter }: ModelFailure.ModelFailure): boolean =>
  retryAfter !== undefined && Duration.greaterThan(retryAfter, "2 minutes")

const emitDelta = (part: Part, emit: Request["emit"]): Effect.Effect<void> => {
  if (part.type === "text-delta" && part.delta !== "") return emit(EngineEvent.TextDelta({ text: part.delta }))
  if (part.type === "reasoning-delta" && part.delta !== "")
    return emit(EngineEvent.ReasoningDelta({ text: part.delta }))
  return Effect.void
}

const emitFinish = Effect.fnUntraced(function* (finish: Response.FinishPart | undefined, emit: Request["emit"]) {
  if (finish === undefined) return
  const { inputTokens, outputTokens } = finish.usage
  yield* emit(EngineEvent.Usage({ inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 }))
  if (finish.reason === "length") {
    yield* emit(EngineEvent.Notice({ message: "The answer was cut off at the model's output limit." }))
  }
  if (finish.reason === "content-filter") {
    yield* emit(EngineEvent.Notice({ message: "The provider stopped the answer (content filter)." }))
  }
})
