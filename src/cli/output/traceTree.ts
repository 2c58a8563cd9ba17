/**
 * The spans of a command as a tree for people: what was done within what, how long it took, and what failed.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import { oneLine } from "../../mcp/VisibleText.ts"
import * as Elapsed from "../../tui/Elapsed.ts"
import type { Style } from "./Style.ts"
import { shortened, table } from "./table.ts"

/** A failure's text is told elsewhere in full. */
const longestFailure = 100

/**
 * A line a span, in the order in which they began.
 *
 * @since 0.1.0
 * @category formatting
 */
export const format = (spans: ReadonlyArray<Tracer.Span>, style: Style): string => {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const children = new Map<string, Array<Tracer.Span>>()
  for (const span of spans) {
    const parent = parentId(span)
    const key = parent !== undefined && ids.has(parent) ? parent : ""
    children.set(key, [...(children.get(key) ?? []), span])
  }
  const rows = (span: Tracer.Span, indent: string, mark: string): ReadonlyArray<ReadonlyArray<string>> => {
    const below = mark === "" ? "" : mark === "└─ " ? "   " : "│  "
    const inner = children.get(span.spanId) ?? []
    return [
      [style.dim(indent + mark) + name(span, style), elapsed(span), detail(span, style)],
      ...inner.flatMap((child, index) => rows(child, indent + below, index === inner.length - 1 ? "└─ " : "├─ "))
    ]
  }
  return table((children.get("") ?? []).flatMap((root) => rows(root, "", "")))
}

const parentId = ({ parent }: Tracer.Span): string | undefined =>
  Option.getOrUndefined(Option.map(parent, ({ spanId }) => spanId))

const name = (span: Tracer.Span, { red }: Style): string => {
  const turn = span.attributes.get("harness9.turn")
  const text = shortened(oneLine(turn === undefined ? span.name : `${span.name} ${turn}`), 80)
  return failure(span) === undefined ? text : red(`✗ ${text}`)
}

const elapsed = ({ status }: Tracer.Span): string =>
  status._tag === "Started" ? "not ended" : Elapsed.duration(Number(status.endTime - status.startTime) / 1e6)

const detail = (span: Tracer.Span, { dim, red }: Style): string => {
  const failed = failure(span)
  if (failed !== undefined) return red(shortened(oneLine(failed), longestFailure))
  const { attributes } = span
  const [asked, answered] = [attributes.get("gen_ai.usage.input_tokens"), attributes.get("gen_ai.usage.output_tokens")]
  if (asked !== undefined) return dim(`${asked} → ${answered ?? 0} tokens`)
  return dim(String(span.kind === "internal" ? (attributes.get("mcp.protocol.version") ?? "") : ""))
}

const failure = ({ status }: Tracer.Span): string | undefined => {
  if (status._tag === "Started" || status.exit._tag === "Success") return undefined
  const { cause } = status.exit
  if (Cause.isInterruptedOnly(cause)) return "cancelled"
  return Cause.prettyErrors(cause)[0]?.message ?? "failed"
}
