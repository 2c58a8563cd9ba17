/**
 * How much one server may send, list, ask and be asked, so that none can take up the memory, the context or the patience of
 * everybody else. Each limit has a default and can be set in the server's entry: `"limits": { "maxTools": 50 }`. Where one is met, the
 * error, warning or mark says so and names it.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

const count = (description: string) =>
  Schema.optionalWith(
    Schema.Int.pipe(Schema.positive()).annotations({
      description,
      message: () => ({ message: "must be a whole number of at least 1", override: true })
    }),
    { exact: true }
  )

/**
 * The limits as an entry sets them.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Settings = Schema.Struct({
  maxLineBytes: count("A longer line of a stdio server breaks the connection. Default: 64 MiB."),
  maxBodyBytes: count("A longer message of an HTTP server fails its request. Default: 64 MiB."),
  maxTools: count("Of a longer list the first so many tools are used. Default: 20,000."),
  maxPages: count("A list is read up to this page. Default: 1,000."),
  maxListBytes: count("A list in pages is read until it is so large. Default: 64 MiB."),
  maxNameCharacters: count("A tool with a longer name is left out. Default: 1,000."),
  maxDescriptionCharacters: count("A longer description is cut, with a mark. Default: 20,000."),
  maxSchemaBytes: count("A tool with a larger schema is left out. Default: 256 KiB."),
  maxResultCharacters: count("Of a longer result the model gets head and tail. Default: 100,000."),
  maxConcurrentCalls: count("Further tool calls wait. Default: 128."),
  messagesPerSecond: count(
    "Messages that nobody asked for are read no faster; requests count tenfold. Default: 2,000."
  ),
  elicitationsPerMinute: count("Further questions to the person are declined. Default: 20."),
  samplingsPerMinute: count("Further requests to the model are refused. Default: 20."),
  reconnectsPerMinute: count("Further attempts to connect to a server that was lost wait. Default: 20."),
  maxStderrBytes: count("So much of the last that a stdio server wrote to stderr is kept. Default: 64 KiB.")
}).annotations({
  description: "How much the server may send, list, ask and be asked.",
  parseOptions: { onExcessProperty: "error" }
})

/**
 * @since 0.1.0
 * @category models
 */
export type Settings = typeof Settings.Type

/**
 * The limits with nothing left open.
 *
 * @since 0.1.0
 * @category models
 */
export type Limits = Required<Settings>

/**
 * @since 0.1.0
 * @category constants
 */
export const defaults: Limits = {
  maxLineBytes: 64 * 1024 * 1024,
  maxBodyBytes: 64 * 1024 * 1024,
  maxTools: 20_000,
  maxPages: 1000,
  maxListBytes: 64 * 1024 * 1024,
  maxNameCharacters: 1000,
  maxDescriptionCharacters: 20_000,
  maxSchemaBytes: 256 * 1024,
  maxResultCharacters: 100_000,
  maxConcurrentCalls: 128,
  messagesPerSecond: 2000,
  elicitationsPerMinute: 20,
  samplingsPerMinute: 20,
  reconnectsPerMinute: 20,
  maxStderrBytes: 64 * 1024
}

/**
 * The limits of a server whose entry sets these.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (settings: Settings = {}): Limits => ({ ...defaults, ...settings })

/**
 * What to do about a limit that was met.
 *
 * @since 0.1.0
 * @category formatting
 */
export const hint = (limit: keyof Limits): string =>
  `If that is as it should be, raise limits.${limit} in the server's entry.`
