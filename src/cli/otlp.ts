/**
 * Where traces and metrics are sent, as the command line and the environment of OpenTelemetry say.
 *
 * @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 * @since 0.1.0
 */
import * as OtlpMetrics from "@effect/opentelemetry/OtlpMetrics"
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Tracer from "effect/Tracer"
import { version } from "../mcp/internal/version.ts"
import { type CliError, usage } from "./CliError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Settings {
  /** Not there where they are not wanted. */
  readonly traces: string | undefined
  readonly metrics: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly protocol: "http/json" | "http/protobuf"
  readonly serviceName: string
}

const read = (name: string): Effect.Effect<string | undefined> =>
  Effect.map(Effect.option(Config.nonEmptyString(name)), Option.getOrUndefined)

/**
 * What is asked for. A mistake of the command line is an error; one of the environment, which may be meant for other programs, is
 * a warning, and nothing is sent.
 *
 * @since 0.1.0
 * @category constructors
 */
export const settings = (url: string | undefined): Effect.Effect<Settings | undefined, CliError> => {
  const found = Effect.gen(function* () {
    if (url === undefined && (yield* read("OTEL_SDK_DISABLED")) === "true") return undefined
    const base = url ?? (yield* read("OTEL_EXPORTER_OTLP_ENDPOINT"))
    const traces = yield* endpoint("traces", base, url !== undefined)
    const metrics = yield* endpoint("metrics", base, url !== undefined)
    if (traces === undefined && metrics === undefined) return undefined
    return {
      traces,
      metrics,
      headers: pairs(yield* read("OTEL_EXPORTER_OTLP_HEADERS")),
      protocol: yield* protocol,
      serviceName: (yield* read("OTEL_SERVICE_NAME")) ?? "harness9"
    }
  })
  return url === undefined
    ? Effect.catchAll(found, ({ message }) =>
        Effect.as(Effect.logWarning(`[otlp] nothing is sent: ${message}`), undefined)
      )
    : found
}

/** The address of its own that a signal has, else the common one and the signal's path. */
const endpoint = Effect.fnUntraced(function* (
  signal: "traces" | "metrics",
  base: string | undefined,
  isGiven: boolean
) {
  const name = signal.toUpperCase()
  if (!isGiven && (yield* read(`OTEL_${name}_EXPORTER`)) === "none") return undefined
  const own = isGiven ? undefined : yield* read(`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`)
  const address = own ?? (base === undefined ? undefined : `${base.replace(/\/+$/, "")}/v1/${signal}`)
  if (address === undefined) return undefined
  const source = isGiven ? "--otlp" : "the endpoint of the environment"
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    return yield* usage(`${source} is no http address`, "a collector listens at http://127.0.0.1:4318, say")
  }
  return address
})

const protocol = Effect.flatMap(
  read("OTEL_EXPORTER_OTLP_PROTOCOL"),
  (name = "http/json"): Effect.Effect<Settings["protocol"], CliError> =>
    name === "http/json" || name === "http/protobuf"
      ? Effect.succeed(name)
      : usage(`OTEL_EXPORTER_OTLP_PROTOCOL=${name} is not spoken`, "http/json and http/protobuf are")
)

/** `key=value` pairs, as the specification writes headers. */
const pairs = (text = ""): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const at = pair.indexOf("=")
      return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]]
    })
  )

const decoded = (text: string): string => Option.getOrElse(Option.liftThrowable(decodeURIComponent)(text), () => text)

/**
 * A tracer whose spans are sent, and metrics sent beside them, until the Scope closes; what is left goes out then. No tracer where
 * metrics alone are wanted.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = ({
  headers,
  metrics,
  protocol,
  serviceName,
  traces
}: Settings): Effect.Effect<Tracer.Tracer | undefined, never, Scope.Scope> =>
  Effect.gen(function* () {
    const options = {
      headers,
      resource: { serviceName, serviceVersion: version },
      shutdownTimeout: "2 seconds"
    } as const
    if (metrics !== undefined) yield* Layer.build(OtlpMetrics.layer({ ...options, url: metrics }))
    return traces === undefined ? undefined : yield* OtlpTracer.make({ ...options, url: traces })
  }).pipe(Effect.provide(serialization(protocol)), Effect.provide(client))

const serialization = (protocol: Settings["protocol"]) =>
  Layer.effect(
    OtlpSerialization.OtlpSerialization,
    Effect.map(OtlpSerialization.OtlpSerialization, (inner) => ({
      ...inner,
      traces: (data: unknown) => inner.traces(JSON.parse(JSON.stringify(data), unmarked))
    }))
  ).pipe(Layer.provide(protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf))

/** The exporter says of each span that has failed that it was interrupted. */
const unmarked = (key: string, value: unknown): unknown =>
  key === "attributes" && Array.isArray(value)
    ? value.filter(({ key }) => key !== "span.label" && key !== "status.interrupted")
    : value

/**
 * Says once that the collector does not take what is sent: the exporter goes on without a word. One that cannot be reached is not
 * tried again at once, which would keep a command from its end.
 */
const client = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, (client) => {
    let isTold = false
    const tell = (url: string, reason: string) =>
      Effect.suspend(() => {
        if (isTold) return Effect.void
        isTold = true
        return Effect.logWarning(`[otlp] ${new URL(url).origin}: ${reason}`)
      })
    return HttpClient.filterStatusOk(client).pipe(
      HttpClient.transformResponse(
        Effect.catchAll((error) =>
          error._tag === "RequestError"
            ? Effect.zipRight(tell(error.request.url, "it cannot be reached"), Effect.die(error))
            : Effect.zipRight(tell(error.request.url, `it answered ${error.response.status}`), Effect.fail(error))
        )
      )
    )
  })
).pipe(Layer.provide(FetchHttpClient.layer))
