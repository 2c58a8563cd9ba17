/**
 * How long an answer may be, for requests whose author says so.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * The most tokens that the model may write; undefined leaves it to the model. Provided around a request.
 *
 * @since 0.1.0
 * @category references
 */
export class OutputLimit extends Context.Reference<OutputLimit>()("harness9/OutputLimit", {
  defaultValue: (): { readonly maxTokens?: number | undefined } => ({})
}) {}
