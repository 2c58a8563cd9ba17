/**
 * The tracer of a command: its spans are collected for `--trace`, and sent for `--otlp`.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import * as Telemetry from "../mcp/Telemetry.ts"
import { type CliError, ExitCode } from "./CliError.ts"
import * as Otlp from "./otlp.ts"
import { Output } from "./output/Output.ts"
import * as TraceTree from "./output/traceTree.ts"
import type { Input } from "./Tracing.ts"

/**
 * @since 0.1.0
 * @category combinators
 */
export const around = <E, R>(
  { otlp, trace = false }: Input,
  name: string | undefined,
  work: Effect.Effect<ExitCode, E, R>
): Effect.Effect<ExitCode, E | CliError, R | Output> =>
  Effect.gen(function* () {
    const settings = yield* Otlp.settings(otlp)
    if (settings === undefined && !trace) return yield* work
    const sent = settings === undefined ? undefined : yield* Otlp.open(settings)
    const spans: Array<Tracer.Span> = []
    const tracer = own(sent ?? (yield* Effect.tracer), trace ? (span) => spans.push(span) : () => {})
    const watched = Effect.withTracer(name === undefined ? work : inSpan(name, work), tracer)
    return yield* trace ? Effect.ensuring(watched, show(spans)) : watched
  }).pipe(Effect.scoped)

const inSpan = <E, R>(name: string, work: Effect.Effect<ExitCode, E, R>) =>
  Effect.gen(function* () {
    const parent = yield* fromEnvironment
    const options = { attributes: { "harness9.command": name }, problem }
    const spanned = Telemetry.span(`harness9 ${name}`, options, () => work)
    return yield* parent === undefined ? spanned : Effect.withParentSpan(spanned, parent)
  })

const problem = (code: ExitCode): Telemetry.Problem | undefined =>
  code === ExitCode.Done ? undefined : { type: `exit ${code}`, message: `exit code ${code}` }

/** The span of the program that has started this one: CI systems name theirs in `TRACEPARENT`. */
const fromEnvironment = Effect.map(Effect.option(Config.string("TRACEPARENT")), (found) => {
  const text = Option.getOrElse(found, () => "")
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
})

/**
 * Keeps to harness9's own spans: those of the libraries beneath hold addresses, headers and answers of models' providers. A span
 * that is left out is passed over as a parent.
 */
const own = (inner: Tracer.Tracer, onSpan: (span: Tracer.Span) => void): Tracer.Tracer =>
  Tracer.make({
    span: (name, parent, context, links, startTime, kind, options) => {
      if (!isOwn(options)) return leftOut(name, parent, context, links, startTime, kind)
      const span = inner.span(name, parent, context, links, startTime, kind, options)
      onSpan(span)
      return span
    },
    context: (f, fiber) => inner.context(f, fiber)
  })

const isOwn = ({ attributes = {} }: Tracer.SpanOptions = {}): boolean =>
  Object.keys(attributes).some((key) => /^(harness9|mcp|gen_ai)\./.test(key))

const leftOut = (
  name: string,
  parent: Option.Option<Tracer.AnySpan>,
  context: Context.Context<never>,
  links: ReadonlyArray<Tracer.SpanLink>,
  startTime: bigint,
  kind: Tracer.SpanKind
): Tracer.Span => ({
  _tag: "Span",
  name,
  spanId: "noop",
  traceId: "noop",
  parent,
  context: Context.add(context, Tracer.DisablePropagation, true),
  status: { _tag: "Started", startTime },
  attributes: new Map(),
  links,
  sampled: false,
  kind,
  end: () => {},
  attribute: () => {},
  event: () => {},
  addLinks: () => {}
})

const show = (spans: ReadonlyArray<Tracer.Span>) =>
  Effect.flatMap(Output, ({ note, noteStyle }) => note(TraceTree.format(spans, noteStyle)))
