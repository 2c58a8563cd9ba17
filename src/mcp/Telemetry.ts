/**
 * Spans and figures of what the program does, for those who watch it: made where somebody reads them, at no cost elsewhere.
 *
 * A service looks once, when it is made, whether there is a tracer. So a tracer is installed around the Layers of the services,
 * not around a call. Names and attributes are those of OpenTelemetry's conventions for MCP and generative AI; what belongs to
 * harness9 alone begins with `harness9.`. Arguments, results, prompts, headers and environment values are in none of them.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type * as MetricKeyType from "effect/MetricKeyType"
import * as MetricLabel from "effect/MetricLabel"
import * as Predicate from "effect/Predicate"
import * as Tracer from "effect/Tracer"
import { McpError } from "./McpError.ts"

/**
 * Whether figures are wanted where there is no tracer. Default: no.
 *
 * @since 0.1.0
 * @category references
 */
export class Recording extends Context.Reference<Recording>()("harness9/Telemetry/Recording", {
  defaultValue: () => false
}) {}

/**
 * Has the services that it is provided to record their figures, tracer or not: for `Metric.snapshot` and its exporters.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMetrics: Layer.Layer<Recording> = Layer.succeed(Recording, true)

const standardTracer = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/**
 * Whether somebody reads spans or figures here: another tracer than Effect's own, which keeps nothing, or `layerMetrics`.
 *
 * @since 0.1.0
 * @category getters
 */
export const isOn: Effect.Effect<boolean> = Effect.zipWith(
  Effect.tracer,
  Recording,
  (tracer, isRecording) => isRecording || tracer !== standardTracer
)

/**
 * What a span or a figure is told by. A value that is not there is left out.
 *
 * @since 0.1.0
 * @category models
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * Why a result counts as a failure: its `error.type`, and a sentence.
 *
 * @since 0.1.0
 * @category models
 */
export interface Problem {
  readonly type: string
  readonly message: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface SpanOptions<A> {
  readonly attributes: Attributes
  /** Default: `internal`. */
  readonly kind?: Tracer.SpanKind | undefined
  /** What the result adds. */
  readonly onResult?: ((result: A) => Attributes) | undefined
  /** What is wrong with a result that is no failure of the work: the span is marked as failed, and the result stays one. */
  readonly problem?: ((result: A) => Problem | undefined) | undefined
}

/** Ends a span as failed, and goes no further. */
class Flawed extends Data.TaggedError("Flawed")<{ readonly message: string }> {}

/**
 * Does the work inside a span.
 *
 * @since 0.1.0
 * @category combinators
 */
export const span = <A, E, R>(
  name: string,
  { attributes, kind = "internal", onResult, problem }: SpanOptions<A>,
  work: (span: Tracer.Span) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let kept: { readonly result: A } | undefined
    const judged = (span: Tracer.Span, result: A) => {
      if (onResult !== undefined) annotate(span, onResult(result))
      const found = problem?.(result)
      if (found === undefined) return Effect.succeed(result)
      kept = { result }
      span.attribute("error.type", found.type)
      return Effect.fail(new Flawed({ message: found.message }))
    }
    return Effect.useSpan(bounded(name), { kind, attributes: present(attributes), captureStackTrace: false }, (span) =>
      work(span).pipe(
        Effect.withParentSpan(span),
        Effect.tapError((error) => Effect.sync(() => span.attribute("error.type", typeOf(error)))),
        Effect.flatMap((result) => judged(span, result))
      )
    ).pipe(
      Effect.catchAll((error) => {
        if (!(error instanceof Flawed)) return Effect.fail(error)
        return kept === undefined ? Effect.die(error) : Effect.succeed(kept.result)
      })
    )
  })

const annotate = (span: Tracer.Span, attributes: Attributes): void => {
  for (const [key, value] of Object.entries(present(attributes))) span.attribute(key, value)
}

/** What servers and models call things may be of any length. */
const longest = 200

const bounded = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest)}…`)

const present = (attributes: Attributes): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, typeof value === "string" ? bounded(value) : value]]
    )
  )

/**
 * The word for a failure: an error's code or kind, else its tag.
 *
 * @since 0.1.0
 * @category getters
 */
export const typeOf = (error: unknown): string => {
  if (error instanceof McpError) return String(error.code ?? error.kind)
  return Predicate.hasProperty(error, "_tag") ? String(error._tag) : "_OTHER"
}

/**
 * The span as W3C Trace Context writes it, for another program to go on with. A tracer whose ids have another form has none.
 *
 * @see https://www.w3.org/TR/trace-context/
 * @since 0.1.0
 * @category conversions
 */
export const traceparent = ({ sampled, spanId, traceId }: Tracer.AnySpan): string | undefined =>
  /^[0-9a-f]{32}$/.test(traceId) && /^[0-9a-f]{16}$/.test(spanId)
    ? `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`
    : undefined

/**
 * Adds to a figure, told apart by the attributes.
 *
 * @since 0.1.0
 * @category metrics
 */
export const record = <Type extends MetricKeyType.MetricKeyType<number, unknown>>(
  metric: Metric.Metric<Type, number, unknown>,
  amount: number,
  attributes: Attributes
): Effect.Effect<void> => {
  const labels = Object.entries(present(attributes)).map(([key, value]) => MetricLabel.make(key, String(value)))
  return Metric.update(Metric.taggedWithLabels(metric, labels), amount)
}
