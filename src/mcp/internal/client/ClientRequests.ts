/**
 * What servers ask of the program, answered from its `ClientFeatures`: the same for requests of servers with a handshake and
 * for the input requests of stateless ones.
 */
import * as Effect from "effect/Effect"
import type * as ClientFeatures from "../../ClientFeatures.ts"
import type * as Elicitation from "../../Elicitation.ts"
import { ErrorCode, type ErrorObject, isObject, type JsonObject } from "../../JsonRpc.ts"
import type { Era } from "../../ProtocolVersion.ts"
import * as Field from "../Field.ts"
import * as ElicitationForm from "./ElicitationForm.ts"
import * as SamplingMessages from "./SamplingMessages.ts"

export interface ClientRequests {
  /** What the program can do, as servers of an era are told. */
  readonly capabilities: (era: Era) => JsonObject
  /** The result of a server's request, or the error that it gets. */
  readonly answer: (method: string, params: JsonObject | undefined) => Effect.Effect<unknown, ErrorObject>
  /** The params of a `notifications/elicitation/complete`. */
  readonly completed: (params: JsonObject | undefined) => Effect.Effect<void>
}

type Answer = (params: JsonObject) => Effect.Effect<unknown, ErrorObject>

export const make = (features: ClientFeatures.Service, origin: ClientFeatures.Origin): ClientRequests =>
  features.relay === undefined ? own(features, origin) : relayed(features.relay, features, origin)

/** What servers ask goes on to others. */
const relayed = (
  relay: ClientFeatures.Relay,
  { extensions, roots }: ClientFeatures.Service,
  origin: ClientFeatures.Origin
): ClientRequests => {
  const ownRoots = own({ roots, extensions }, origin)
  return {
    capabilities: (era) => ({ ...relay.capabilities, ...ownRoots.capabilities(era) }),
    answer: (method, params) =>
      Effect.catchIf(
        relay.answer(method, params, origin),
        ({ code }) => code === ErrorCode.MethodNotFound,
        () => ownRoots.answer(method, params)
      ),
    completed: () => Effect.void
  }
}

const own = (features: ClientFeatures.Service, origin: ClientFeatures.Origin): ClientRequests => {
  const { elicitation, extensions, roots, sampling } = features
  const asksUser = elicitation?.form !== undefined || elicitation?.url !== undefined
  const answers: Record<string, Answer> = {
    ...(roots === undefined ? undefined : { "roots/list": () => Effect.map(roots.list, (all) => ({ roots: all })) }),
    ...(sampling === undefined ? undefined : { "sampling/createMessage": createMessage(sampling, origin) }),
    ...(asksUser ? { "elicitation/create": elicit(elicitation, origin) } : undefined)
  }

  return {
    capabilities: (era) => ({
      ...(roots === undefined
        ? undefined
        : { roots: era === "legacy" && roots.changes !== undefined ? { listChanged: true } : {} }),
      ...(sampling === undefined
        ? undefined
        : { sampling: flags({ context: sampling.context, tools: sampling.tools }) }),
      ...(asksUser
        ? { elicitation: flags({ form: elicitation.form !== undefined, url: elicitation.url !== undefined }) }
        : undefined),
      ...(era === "modern" ? { extensions: { "io.modelcontextprotocol/tasks": {}, ...extensions } } : undefined)
    }),
    answer: (method, params) => {
      const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
      return answer === undefined
        ? failure(ErrorCode.MethodNotFound, `${method} is not supported`)
        : Effect.map(answer(params ?? {}), (result) => ofTask(params, result))
    },
    completed: (params) => {
      const id = Field.string(params?.elicitationId)
      return id === undefined ? Effect.void : (elicitation?.completed?.(id, origin) ?? Effect.void)
    }
  }
}

/** What a task asks for is answered in its name (2025-11-25). */
const ofTask = (params: JsonObject | undefined, result: unknown): unknown => {
  const task = isObject(params?._meta) ? params._meta[relatedTask] : undefined
  if (task === undefined || !isObject(result)) return result
  return { ...result, _meta: { ...Field.object(result._meta), [relatedTask]: task } }
}

const relatedTask = "io.modelcontextprotocol/related-task"

const flags = (all: Readonly<Record<string, boolean | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(all).flatMap(([name, on]) => (on === true ? [[name, {}]] : [])))

const createMessage =
  (sampling: ClientFeatures.SamplingFeature, origin: ClientFeatures.Origin): Answer =>
  (params) => {
    const request = SamplingMessages.read(params)
    if (typeof request === "string") return failure(ErrorCode.InvalidParams, request)
    if (request.tools !== undefined && sampling.tools !== true) {
      return failure(ErrorCode.InvalidParams, "tools in sampling are not supported")
    }
    return sampling.createMessage(request, origin).pipe(
      Effect.map(SamplingMessages.result),
      Effect.mapError(({ code = ErrorCode.UserRejected, message }) => ({ code, message }))
    )
  }

const elicit =
  (elicitation: ClientFeatures.ElicitationFeature, origin: ClientFeatures.Origin): Answer =>
  (params) => {
    const { form, url } = elicitation
    const mode = params.mode ?? "form"
    if (mode === "form" && form !== undefined) return fillIn(form, params, origin)
    if (mode === "url" && url !== undefined) return visit(url, params, origin)
    return failure(ErrorCode.InvalidParams, `elicitation of mode ${String(mode)} is not supported`)
  }

const fillIn = (
  form: NonNullable<ClientFeatures.ElicitationFeature["form"]>,
  params: JsonObject,
  origin: ClientFeatures.Origin
) => {
  const request = ElicitationForm.read(params)
  return Effect.flatMap(form(request, origin), (answer) => {
    const result = ElicitationForm.result(request.fields, answer)
    return typeof result === "string" ? failure(ErrorCode.InternalError, result) : Effect.succeed(result)
  })
}

const visit = (
  url: NonNullable<ClientFeatures.ElicitationFeature["url"]>,
  params: JsonObject,
  origin: ClientFeatures.Origin
) => {
  const request = readUrlRequest(params)
  return typeof request === "string"
    ? failure(ErrorCode.InvalidParams, request)
    : Effect.map(url(request, origin), ({ action }) => ({ action }))
}

/** Reads a wish that a page be visited; a string says why it cannot be. */
export const readUrlRequest = (params: JsonObject): Elicitation.UrlRequest | string => {
  const address = Field.string(params.url)
  if (address === undefined || !URL.canParse(address)) return "url must be a URL"
  const url = new URL(address)
  if (url.protocol !== "https:" && url.protocol !== "http:") return `a page cannot be opened by ${url.protocol}`
  return { message: Field.string(params.message) ?? "", url, elicitationId: Field.string(params.elicitationId) }
}

const failure = (code: number, message: string): Effect.Effect<never, ErrorObject> => Effect.fail({ code, message })
