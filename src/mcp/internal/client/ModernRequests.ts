/**
 * Requests of the stateless revisions: each says which revision it is and what the client can do, and its result says whether
 * it is one, or what the server needs first.
 */
import * as Effect from "effect/Effect"
import { ErrorCode, isObject, type JsonObject } from "../../JsonRpc.ts"
import { McpError } from "../../McpError.ts"
import type { LogLevel } from "../../McpSchema.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as ProtocolVersion from "../../ProtocolVersion.ts"
import * as Agreement from "./Agreement.ts"
import type { ClientRequests } from "./ClientRequests.ts"
import * as RequestMeta from "./RequestMeta.ts"
import * as RoundTrips from "./RoundTrips.ts"

type Request = McpTransport.Service["request"]

export interface Options extends Agreement.Offer {
  readonly transport: McpTransport.Service
  readonly version: ProtocolVersion.ModernVersion
  readonly answer: ClientRequests["answer"]
}

export interface ModernRequests {
  readonly request: Request
  /** From the next request on. */
  readonly setLogLevel: (level: LogLevel) => Effect.Effect<void>
}

export const make = (options: Options): ModernRequests => {
  const { answer, transport } = options
  const { server } = transport
  const extensions = isObject(options.capabilities.extensions) ? options.capabilities.extensions : {}
  const resultTypes: ReadonlySet<unknown> = new Set(Object.keys(extensions).map((id) => resultTypeOf[id]))
  let meta = RequestMeta.make(options)

  const metaFor = ({ capabilities, logLevel }: McpTransport.OnBehalf): JsonObject => ({
    ...RequestMeta.make({ ...options, capabilities: { ...capabilities, extensions } }),
    ...(logLevel === undefined ? undefined : { [RequestMeta.logLevel]: logLevel })
  })

  const send: Request = (method, params, options) =>
    transport.request(
      method,
      withMeta(params, options?.onBehalf === undefined ? meta : metaFor(options.onBehalf)),
      options
    )

  const request: Request = (method, params, options) => {
    const sent = send(method, params, options)
    return Effect.matchEffect(sent, {
      onSuccess: (result) =>
        isComplete(result) ? Effect.succeed(result) : incomplete(result, method, params, options),
      // It supports what was sent, and says so: a server that has just been replaced, or one of several.
      onFailure: (error) => (isPassingRefusal(error) ? sent : Effect.fail(error))
    })
  }

  const incomplete = (
    result: JsonObject,
    method: string,
    params: JsonObject | undefined,
    options: McpTransport.RequestOptions | undefined
  ): Effect.Effect<unknown, McpError> => {
    if (result.resultType === "input_required") {
      if (options?.onBehalf?.answersItself === true) return Effect.succeed(result)
      const resend = (inputs: JsonObject) => send(method, { ...params, ...inputs }, options)
      return RoundTrips.run({ server, method, first: result, answer, resend })
    }
    if (resultTypes.has(result.resultType)) return Effect.succeed(result)
    const message = `the result of ${method} is of a type that is not known: ${String(result.resultType).slice(0, 40)}`
    return Effect.fail(new McpError({ server, phase: options?.phase ?? "call", kind: "protocol", message }))
  }

  return {
    request,
    setLogLevel: (logLevel) =>
      Effect.sync(() => {
        meta = RequestMeta.make({ ...options, logLevel })
      })
  }
}

/** The result types that extensions bring along. */
const resultTypeOf: Readonly<Record<string, string>> = { "io.modelcontextprotocol/tasks": "task" }

const withMeta = (params: JsonObject | undefined, meta: JsonObject): JsonObject => ({
  ...params,
  _meta: isObject(params?._meta) ? { ...params._meta, ...meta } : meta
})

/** A result without a type is complete. */
const isComplete = (result: unknown): result is Exclude<unknown, JsonObject> =>
  !isObject(result) || result.resultType === undefined || result.resultType === "complete"

const isPassingRefusal = ({ code, data }: McpError): boolean =>
  code === ErrorCode.UnsupportedProtocolVersion &&
  Agreement.listedVersions(data, "supported").some(ProtocolVersion.isModern)
