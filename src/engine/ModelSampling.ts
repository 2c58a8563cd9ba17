/**
 * The engine's model, for servers that ask it something (`sampling/createMessage`): with a person's word. How often is the
 * client's to limit.
 *
 * The server gets an answer to its own messages alone: nothing of the conversation goes to it, and none of harness9's tools are
 * offered. Tools of the request are offered, and run by the server.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Origin, Refused, type SamplingFeature } from "../mcp/ClientFeatures.ts"
import { ErrorCode } from "../mcp/JsonRpc.ts"
import type * as Sampling from "../mcp/Sampling.ts"
import * as ModelTurn from "./internal/ModelTurn.ts"
import * as Offer from "./internal/Offer.ts"
import * as SamplingTurn from "./internal/SamplingTurn.ts"
import * as Spans from "./internal/Spans.ts"
import type { ModelInfo } from "./model/ModelInfo.ts"
import * as ModelInUse from "./model/ModelInUse.ts"
import { OutputLimit } from "./model/OutputLimit.ts"
import type { Decision } from "./Permission.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Whether the server's request may go to the model. */
  readonly decide: (request: Sampling.Request, origin: Origin) => Effect.Effect<Decision>
}

/**
 * Sampling by the model in use. A request that is denied is refused; what goes wrong with the model is told to
 * the server as an error of the program.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* ({ decide }: Options) {
  const current = yield* ModelInUse.current
  const spans = yield* Spans.make

  const createMessage = Effect.fnUntraced(function* (request: Sampling.Request, origin: Origin) {
    const decision = yield* decide(request, origin)
    if (decision._tag === "Deny") return yield* new Refused({ message: decision.reason })
    const { info, service } = yield* current
    const offer = offerOf(request, origin, info)
    const asked = ModelTurn.make(service, info, spans).ask({
      server: origin.server,
      prompt: SamplingTurn.toPrompt(request),
      offer,
      toolChoice: request.toolChoice === "required" && offer.count > 0 ? "required" : "auto",
      isTaken: (id) => callIds(request).has(id),
      emit: () => Effect.void,
      onCut: () => Effect.void
    })
    const answer = yield* asked.pipe(
      Effect.provideService(OutputLimit, { maxTokens: Math.max(1, Math.floor(request.maxTokens)) }),
      Effect.mapError(({ message }) => new Refused({ message, code: ErrorCode.InternalError }))
    )
    return SamplingTurn.toResult(answer, request, info, offer.registryName)
  })

  const feature: SamplingFeature = { tools: true, createMessage }
  return feature
})

const offerOf = (request: Sampling.Request, { server }: Origin, info: ModelInfo): Offer.Offer =>
  Offer.maker(info)(SamplingTurn.toToolSet(request, server))

const callIds = ({ messages }: Sampling.Request): ReadonlySet<string> =>
  new Set(messages.flatMap(({ content }) => content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))))
