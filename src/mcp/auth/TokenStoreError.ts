/**
 * The error of a token store.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/**
 * A store cannot be read or written. The message names the file or the program, and nothing of what is kept.
 *
 * @since 0.1.0
 * @category errors
 */
export class TokenStoreError extends Data.TaggedError("TokenStoreError")<{
  readonly message: string
  /** Nothing is there. */
  readonly missing: boolean
}> {}
