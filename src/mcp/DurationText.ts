/**
 * Times as people write them, in the configuration and on the command line: `30 seconds`, `500 millis`, `30s`, `500ms`, `2m`.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

const millisPerUnit: ReadonlyMap<string, number> = new Map(
  [
    { millis: 1, units: ["ms", "milli", "millis"] },
    { millis: 1000, units: ["s", "sec", "second", "seconds"] },
    { millis: 60_000, units: ["m", "min", "minute", "minutes"] },
    { millis: 3_600_000, units: ["h", "hour", "hours"] }
  ].flatMap(({ millis, units }) => units.map((unit) => [unit, millis] as const))
)

/** The longest wait that a Node timer can keep; a longer one would end at once. */
const longestMillis = 2 ** 31 - 1

const expected = `must be a time such as "30 seconds", "30s", "500ms" or "2m"`

/**
 * Reads a time; the left side says in a word what would be right. A bare number is refused: it could mean seconds or milliseconds.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parseDuration = (text: string): Either.Either<Duration.Duration, string> => {
  const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(text) ?? []
  const millis = millisPerUnit.get(unit?.toLowerCase() ?? "")
  return amount === undefined || millis === undefined ? Either.left(expected) : fromMillis(Number(amount) * millis)
}

const fromMillis = (millis: number): Either.Either<Duration.Duration, string> => {
  if (!(millis > 0)) return Either.left("must be more than zero")
  if (millis > longestMillis) return Either.left("must be at most 24 days")
  return Either.right(Duration.millis(millis))
}

/**
 * A time in a file: a number of milliseconds, or a text that `parseDuration` reads.
 *
 * @since 0.1.0
 * @category schemas
 */
export const DurationText = Schema.transformOrFail(
  Schema.Union(Schema.Number, Schema.String).annotations({
    message: () => ({ message: `${expected}, or a number of milliseconds`, override: true })
  }),
  Schema.DurationFromSelf,
  {
    strict: true,
    decode: (input, _, ast) =>
      Either.mapLeft(
        typeof input === "number" ? fromMillis(input) : parseDuration(input),
        (message) => new ParseResult.Type(ast, input, message)
      ),
    encode: (duration) => ParseResult.succeed(Duration.toMillis(duration))
  }
)
