import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** A tracer that keeps its spans, as a Layer, and what it has kept. */
export const kept = Effect.map(Effect.tracer, (inner) => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (...args) => {
      const span = inner.span(...args)
      spans.push(span)
      return span
    },
    context: (f, fiber) => inner.context(f, fiber)
  })
  return { layer: Layer.setTracer(tracer), spans }
})

/** The way from the outermost span to this one, by names. */
export const pathOf = (span: Tracer.AnySpan): ReadonlyArray<string> =>
  span._tag === "ExternalSpan" ? [] : [...Option.match(span.parent, { onNone: () => [], onSome: pathOf }), span.name]

export const named = (spans: ReadonlyArray<Tracer.Span>, name: string): Tracer.Span => {
  const found = spans.find((span) => span.name === name)
  if (found === undefined) throw new Error(`no span "${name}" among ${spans.map((span) => span.name).join(", ")}`)
  return found
}

/** Why a span counts as failed. */
export const errorType = (span: Tracer.Span): unknown => {
  const hasFailed = span.status._tag === "Ended" && span.status.exit._tag === "Failure"
  return hasFailed ? (span.attributes.get("error.type") ?? "cancelled") : undefined
}
