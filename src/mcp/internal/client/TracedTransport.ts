/**
 * A transport each of whose requests is a span and a figure. The server is told of the span in `_meta`, so that its own spans join.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as Metrics from "../../Metrics.ts"
import * as Telemetry from "../../Telemetry.ts"
import * as Field from "../Field.ts"
import type { Redaction } from "../Redact.ts"

export const make = (transport: McpTransport.Service, redaction: Redaction): McpTransport.Service => {
  const { server } = transport
  let version: string | undefined

  const request: McpTransport.Service["request"] = (method, params, options) => {
    // What lasts as long as the connection would be a span without an end.
    if (options?.standing === true) return transport.request(method, params, options)
    const target = targetOf(method, params)
    const attributes = {
      "harness9.server": server,
      "mcp.method.name": method,
      ...target,
      "mcp.protocol.version": version,
      "network.transport": networks[transport.kind]
    }
    const name = [method, ...Object.values(target)].join(" ")
    return Telemetry.span(name, { kind: "client", attributes, problem: toolError }, (span) =>
      redaction.failure(transport.request(method, withTrace(params, span), options))
    ).pipe(measured({ "harness9.server": server, "mcp.method.name": method, ...target }))
  }

  return {
    ...transport,
    // It may change in the handshake.
    get kind() {
      return transport.kind
    },
    request,
    negotiated: (agreed) => {
      version = agreed
      return transport.negotiated(agreed)
    }
  }
}

const networks = { stdio: "pipe", http: "tcp", sse: "tcp", memory: undefined } as const

/** What a request is about, where its name is no secret: URIs may hold one. */
const targetOf = (method: string, params: JsonObject | undefined): Telemetry.Attributes => {
  const name = Field.string(params?.name)
  if (name === undefined) return {}
  if (method === "tools/call") return { "gen_ai.tool.name": name }
  return method === "prompts/get" ? { "gen_ai.prompt.name": name } : {}
}

/** What a caller says itself of the trace counts. */
const withTrace = (params: JsonObject | undefined, span: Tracer.Span): JsonObject | undefined => {
  const traceparent = Telemetry.traceparent(span)
  if (traceparent === undefined) return params
  return { ...params, _meta: { traceparent, ...(isObject(params?._meta) ? params._meta : undefined) } }
}

const toolError = (result: unknown): Telemetry.Problem | undefined =>
  isObject(result) && result.isError === true
    ? { type: "tool_error", message: "the tool reported an error" }
    : undefined

/** Counts the request and its time, however it ends. */
const measured =
  (attributes: Telemetry.Attributes) =>
  <E, R>(work: Effect.Effect<unknown, E, R>): Effect.Effect<unknown, E, R> =>
    Effect.flatMap(Clock.currentTimeNanos, (begun) =>
      Effect.onExit(work, (exit) =>
        Effect.flatMap(Clock.currentTimeNanos, (now) =>
          count({ ...attributes, "error.type": failureOf(exit) }, Number(now - begun) / 1e9)
        )
      )
    )

const failureOf: (exit: Exit.Exit<unknown, unknown>) => string | undefined = Exit.match({
  onSuccess: (result) => toolError(result)?.type,
  onFailure: (cause) =>
    Option.match(Cause.failureOption(cause), { onNone: () => "cancelled", onSome: Telemetry.typeOf })
})

const count = (attributes: Telemetry.Attributes, seconds: number): Effect.Effect<void> => {
  const { "error.type": failure, "gen_ai.tool.name": tool, "harness9.server": server } = attributes
  const duration = Telemetry.record(Metrics.operationDuration, seconds, attributes)
  if (attributes["mcp.method.name"] !== "tools/call") return duration
  const labels = { "harness9.server": server, "gen_ai.tool.name": tool }
  const calls = Effect.zipRight(duration, Telemetry.record(Metrics.toolCalls, 1, labels))
  return failure === undefined
    ? calls
    : Effect.zipRight(calls, Telemetry.record(Metrics.toolFailures, 1, { ...labels, "error.type": failure }))
}
