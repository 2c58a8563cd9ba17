/**
 * `--trace` and `--otlp`: where the time of a command went, for a person or for a collector. Nothing of it is loaded where nobody asks.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type { CliError, ExitCode } from "./CliError.ts"
import * as Flag from "./Flag.ts"
import type { Output } from "./output/Output.ts"

/**
 * @since 0.1.0
 * @category options
 */
export const otlp = Flag.text(
  "otlp",
  "URL",
  "Send traces and metrics to this OTLP/HTTP collector; default: $OTEL_EXPORTER_OTLP_ENDPOINT"
)

/**
 * @since 0.1.0
 * @category options
 */
export const flags = {
  trace: Flag.toggle("trace", "Show on stderr where the time went, as a tree"),
  otlp
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Input {
  readonly trace?: boolean | undefined
  readonly otlp: string | undefined
}

/**
 * The work, watched as the command line or the environment wants it. `name` is that of the span around all of it; without one,
 * what happens in it are traces of their own.
 *
 * @since 0.1.0
 * @category combinators
 */
export const around =
  (input: Input, name?: string) =>
  <E, R>(work: Effect.Effect<ExitCode, E, R>): Effect.Effect<ExitCode, E | CliError, R | Output> =>
    Effect.flatMap(isWanted(input), (isWanted) =>
      isWanted
        ? Effect.flatMap(
            Effect.promise(() => import("./tracer.ts")),
            (tracer) => tracer.around(input, name, work)
          )
        : work
    )

const isWanted = ({ otlp, trace = false }: Input): Effect.Effect<boolean> =>
  trace || otlp !== undefined
    ? Effect.succeed(true)
    : Effect.exists(endpoints, (name) =>
        Effect.orElseSucceed(Effect.as(Config.nonEmptyString(name), true), () => false)
      )

const endpoints = ["", "_TRACES", "_METRICS"].map((signal) => `OTEL_EXPORTER_OTLP${signal}_ENDPOINT`)
