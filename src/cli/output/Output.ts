/**
 * Where a command's words go: stdout for what was asked, stderr for everything else.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Style from "./Style.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Writes to stdout as it is; done when the text has been handed over. A reader that is gone interrupts the command. */
  readonly write: (text: string) => Effect.Effect<void>
  /** Writes a line to stdout. */
  readonly line: (text: string) => Effect.Effect<void>
  /** Writes a line to stderr. */
  readonly note: (text: string) => Effect.Effect<void>
  /** Whether a person reads stdout. */
  readonly isTerminal: boolean
  /** The width of the terminal; without one there is no limit. */
  readonly columns: number
  /** Colours for stdout. */
  readonly style: Style.Style
  /** Colours for stderr. */
  readonly noteStyle: Style.Style
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Output extends Context.Tag("harness9/cli/Output")<Output, Service>() {}

/**
 * Output to two streams.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
}): Service => {
  const { env, stderr, stdout } = options
  const write = writer(stdout)
  const note = writer(stderr)
  return {
    write,
    line: (text) => write(`${text}\n`),
    note: (text) => note(`${text}\n`),
    isTerminal: stdout.isTTY === true,
    columns: stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY,
    style: Style.forStream(stdout, env),
    noteStyle: Style.forStream(stderr, env)
  }
}

const writer = (stream: NodeJS.WriteStream) => {
  stream.on("error", () => {})
  return (text: string): Effect.Effect<void> =>
    Effect.async<void>((resume) => {
      stream.write(text, (error) => resume(error == null ? Effect.void : Effect.interrupt))
    })
}

/**
 * Output to the process's own streams.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Output> = Layer.sync(Output, () =>
  make({ stdout: process.stdout, stderr: process.stderr, env: process.env })
)
