/**
 * A cassette: what a program said to its servers, its model and its own tools, and what they said to it, in a file that can be
 * played back without any of them.
 *
 * The file is NDJSON: a header, then a line for each message in the order in which the program saw them.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Limits from "./Limits.ts"
import * as ProtocolVersion from "./ProtocolVersion.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Json = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/**
 * What a replay has to know of a server's entry. What is started or reached is not in it, nor is any credential.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Server = Schema.Struct({
  name: Schema.String,
  transport: Schema.Literal("stdio", "http", "sse"),
  disabled: Schema.Boolean,
  required: Schema.Boolean,
  connectTimeoutMs: optional(Schema.Number),
  callTimeoutMs: optional(Schema.Number),
  includeTools: optional(Schema.Array(Schema.String)),
  excludeTools: Schema.Array(Schema.String),
  defer: optional(Schema.Union(Schema.Boolean, Schema.Literal("auto"))),
  protocolVersion: optional(Schema.Literal(...ProtocolVersion.modern, ...ProtocolVersion.legacy)),
  limits: optional(Limits.Settings),
  unusable: optional(Schema.String),
  /** It waited for a person's word, and was not started. */
  unapproved: optional(Schema.Boolean)
})

/**
 * @since 0.1.0
 * @category models
 */
export type Server = typeof Server.Type

/**
 * The first line.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Header = Schema.Struct({
  /** The version of the format. */
  cassette: Schema.Literal(1),
  /** The version of harness9 that recorded. */
  harness9: Schema.String,
  /** Where it was recorded: a replay takes its own directory for this one. */
  directory: Schema.String,
  /** Of the servers' entries, without their credentials. */
  config: Schema.String,
  servers: Schema.Array(Server)
})

/**
 * @since 0.1.0
 * @category models
 */
export type Header = typeof Header.Type

/**
 * A line: one message, or something that happened to a connection.
 *
 * - sent (`out`): `open` a connection, a `request`, a `notification`, an `answer` to the server's request, `negotiated`, and
 *   `cancel` for a request that nobody waits for any more
 * - received (`in`): `opened`, a `reply`, a `failure` where there was no reply, the `progress` of a request, a `request` or a
 *   `notification` of the server, a `part` of the model's answer, `closed`
 * - `duration`: how long a call took, as it was shown
 *
 * @since 0.1.0
 * @category schemas
 */
export const Entry = Schema.Struct({
  /** Milliseconds since the recording began. */
  at: Schema.Number,
  with: Schema.Literal("server", "model", "tool"),
  server: optional(Schema.String),
  /** Connections of a server count from 1. */
  connection: optional(Schema.Number),
  direction: Schema.Literal("out", "in"),
  kind: Schema.Literal(
    "open",
    "opened",
    "request",
    "notification",
    "answer",
    "negotiated",
    "cancel",
    "reply",
    "failure",
    "progress",
    "part",
    "closed",
    "duration"
  ),
  /** What ties a reply to its request. It means nothing beyond the file. */
  id: optional(Schema.Union(Schema.Number, Schema.String)),
  message: Json
})

/**
 * @since 0.1.0
 * @category models
 */
export type Entry = typeof Entry.Type

/**
 * A cassette that has been read.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cassette {
  /** Its file, for messages. */
  readonly name: string
  readonly header: Header
  readonly entries: ReadonlyArray<Entry>
  /** The last line was not whole: the recording program ended while it wrote it. */
  readonly torn: boolean
}

/**
 * A cassette that cannot be read or written.
 *
 * @since 0.1.0
 * @category errors
 */
export class CassetteError extends Data.TaggedError("CassetteError")<{
  readonly message: string
  readonly hint?: string | undefined
}> {}

/**
 * A field in which the program does not do what the recording has.
 *
 * @since 0.1.0
 * @category models
 */
export interface Field {
  readonly path: string
  readonly expected: unknown
  readonly got: unknown
}

/**
 * The program does something else than it did when it was recorded. The message tells which exchange and which fields.
 *
 * @since 0.1.0
 * @category errors
 */
export class ReplayDifference extends Data.TaggedError("ReplayDifference")<{
  readonly message: string
  /** The line of the file that was expected, where there is one. */
  readonly line: number | undefined
  readonly fields: ReadonlyArray<Field>
}> {}

const decodeHeader = Schema.decodeUnknownEither(Schema.parseJson(Header))
const decodeEntry = Schema.decodeUnknownEither(Schema.parseJson(Entry))

/**
 * Reads the text of a cassette. A last line without its end is left out.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (text: string, name = "cassette"): Either.Either<Cassette, CassetteError> =>
  Either.gen(function* () {
    const [first = "", ...rest] = text.split("\n")
    const header = yield* Either.mapLeft(decodeHeader(first), () => unreadable(first, name))
    const lines = rest.filter((line) => line.trim() !== "")
    const entries: Array<Entry> = []
    for (const [index, line] of lines.entries()) {
      const entry = decodeEntry(line)
      if (Either.isRight(entry)) entries.push(entry.right)
      else if (index === lines.length - 1 && !text.endsWith("\n")) return { name, header, entries, torn: true }
      else return yield* Either.left(new CassetteError({ message: `${name}:${index + 2} is no line of a cassette` }))
    }
    return { name, header, entries, torn: false }
  })

const unreadable = (first: string, name: string): CassetteError => {
  const [, version] = /^\{"cassette":(\d+),/.exec(first) ?? []
  return version === undefined || version === "1"
    ? new CassetteError({ message: `${name} is no cassette: its first line is no header` })
    : new CassetteError({ message: `${name} is a cassette of version ${version}; this harness9 plays version 1` })
}
