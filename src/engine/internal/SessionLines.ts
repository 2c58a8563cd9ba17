/** A session as lines of JSON: its header, then its events. What a crash has left of a last line is passed over. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isObject, parseObject } from "../../mcp/JsonRpc.ts"
import { SessionEvent, SessionHeader, version } from "../SessionEvent.ts"

export interface Lines {
  readonly header: SessionHeader
  readonly events: ReadonlyArray<SessionEvent>
  /** How many lines say nothing that this version knows. */
  readonly unknown: number
  /** How many bytes the whole lines take: what comes after them was never kept. */
  readonly bytes: number
}

const decodeHeader = Schema.decodeUnknownOption(SessionHeader)
const decodeEvent = Schema.decodeUnknownOption(SessionEvent)
const encodeEvent = Schema.encodeSync(SessionEvent)
const newline = 10

/** Left: why it is no session that can be read. */
export const parse = (content: Uint8Array): Either.Either<Lines, string> => {
  const bytes = content.lastIndexOf(newline) + 1
  const [first, ...rest] = new TextDecoder().decode(content.subarray(0, bytes)).split("\n").slice(0, -1)
  const header = headerOf(first ?? "")
  if (Either.isLeft(header)) return Either.left(header.left)
  const events = rest.map((line) => Option.flatMap(fieldsOf(line), decodeEvent))
  return Either.right({
    header: header.right,
    events: events.flatMap(Option.toArray),
    unknown: events.filter(Option.isNone).length,
    bytes
  })
}

export const headerOf = (line: string): Either.Either<SessionHeader, string> => {
  const header = Option.flatMap(fieldsOf(line), decodeHeader)
  if (Option.isNone(header)) return Either.left("its first line is not that of a session")
  return header.value.version > version
    ? Either.left(`it was written by a newer harness9 (version ${header.value.version} of the format)`)
    : Either.right(header.value)
}

export const ofHeader = (header: SessionHeader): string => `${JSON.stringify(header)}\n`

/** Strings are masked, names of fields and the format's own words are not: a line stays one that can be read. */
export const ofEvent = (event: SessionEvent, at: string, mask: (text: string) => string): string =>
  `${JSON.stringify({ type: event.type, ...maskedFields(encodeEvent(event), mask), at })}\n`

const maskedFields = (fields: Readonly<Record<string, unknown>>, mask: (text: string) => string) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, masked(value, mask)]))

const words = new Set<string>([
  ...SessionEvent.members.map(({ fields }) => fields.type.literals[0]),
  ...["text", "reasoning", "tool-call", "image", "audio", "user", "assistant"],
  ...["answer", "max-turns", "cancelled", "error"]
])

const masked = (value: unknown, mask: (text: string) => string): unknown => {
  if (typeof value === "string") return words.has(value) ? value : mask(value)
  if (Array.isArray(value)) return value.map((item) => masked(item, mask))
  return isObject(value) ? maskedFields(value, mask) : value
}

/** What a list shows, without reading more than that takes. */
export const glance = (content: Uint8Array): Option.Option<Glance> => {
  const lines = new TextDecoder().decode(content).split("\n")
  const prompts = lines.filter((line) => line.startsWith(promptStart))
  const first = Option.flatMap(fieldsOf(prompts[0] ?? ""), decodeEvent)
  return Option.map(Either.getRight(headerOf(lines[0] ?? "")), (header) => ({
    header,
    prompt: Option.match(first, { onNone: () => "", onSome: (event) => ("prompt" in event ? event.prompt : "") }),
    turns: prompts.length
  }))
}

export interface Glance {
  readonly header: SessionHeader
  /** The first one. */
  readonly prompt: string
  readonly turns: number
}

const promptStart = '{"type":"prompted"'

const fieldsOf = (line: string) => Option.fromNullable(parseObject(line))
