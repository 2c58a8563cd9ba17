/**
 * How a built-in tool is made: parameters as a `Schema`, from which both the JSON Schema for the model and the check of what the
 * model gives are derived.
 *
 * @since 0.1.0
 */
import type { PlatformError } from "@effect/platform/Error"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as JSONSchema from "effect/JSONSchema"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { failure, type Hints, type RunOptions, type Tool, type ToolResult } from "../Tool.ts"

/**
 * Why a built-in tool could not do what it was asked; the message is for the model.
 *
 * @since 0.1.0
 * @category errors
 */
export class Refusal extends Data.TaggedError("Refusal")<{ readonly message: string }> {}

/**
 * A refusal in a word.
 *
 * @since 0.1.0
 * @category errors
 */
export const refuse = (message: string): Effect.Effect<never, Refusal> => Effect.fail(new Refusal({ message }))

/**
 * What the file system said, for the model. `shown` is the path as the model gave it.
 *
 * @since 0.1.0
 * @category errors
 */
export const refusalOf =
  (shown: string) =>
  (error: PlatformError): Refusal => {
    const reason = error._tag === "SystemError" ? error.reason : error._tag
    switch (reason) {
      case "NotFound":
        return new Refusal({ message: `There is no ${JSON.stringify(shown)}.` })
      case "PermissionDenied":
        return new Refusal({ message: `No permission for ${JSON.stringify(shown)}.` })
      default:
        return new Refusal({ message: `${JSON.stringify(shown)} could not be used: ${error.message}` })
    }
  }

/**
 * A parameter that must be given.
 *
 * @since 0.1.0
 * @category parameters
 */
export const required = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.propertySignature(schema).annotations({ description })

/**
 * A parameter that may be left out.
 *
 * @since 0.1.0
 * @category parameters
 */
export const optional = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.optionalWith(schema, { exact: true }).annotations({ description })

/**
 * A count of lines or the like, from 1.
 *
 * @since 0.1.0
 * @category parameters
 */
export const Count = Schema.Number.pipe(Schema.int(), Schema.positive())

/**
 * @since 0.1.0
 * @category models
 */
export interface Definition<A, I> {
  readonly name: string
  readonly description: string
  readonly parameters: Schema.Schema<A, I>
  readonly hints: Hints
  readonly timeout?: Duration.Duration | undefined
  readonly run: (parameters: A, options: RunOptions) => Effect.Effect<ToolResult, Refusal>
}

/**
 * A tool from its definition.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <A, I>(definition: Definition<A, I>): Tool => {
  const { description, hints, name, parameters, run, timeout } = definition
  const decode = Schema.decodeUnknownEither(parameters, { errors: "all", onExcessProperty: "error" })
  const { $schema: _, ...inputSchema } = JSONSchema.make(parameters)
  return {
    name,
    description,
    inputSchema,
    origin: { _tag: "Builtin" },
    hints,
    timeout,
    run: (args, options) => {
      const decoded = decode(args)
      return Either.isLeft(decoded)
        ? Effect.succeed(failure(misfit(name, decoded.left)))
        : Effect.catchAll(run(decoded.right, options), ({ message }) => Effect.succeed(failure(message)))
    }
  }
}

const misfit = (name: string, error: ParseResult.ParseError): string => {
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message, path }) =>
    path.length === 0 ? message : `${path.join(".")} ${message}`
  )
  return `The arguments of ${name} do not fit its schema: ${issues.join("; ")}.`
}
