/**
 * A regular expression over the lines of a text, within a time: a pattern that backtracks without end must not hold up the
 * program.
 *
 * @since 0.1.0
 */
import * as vm from "node:vm"
import * as Effect from "effect/Effect"
import { Refusal } from "./BuiltinTool.ts"

/** How long one text may take. */
const timeLimit = 500

// Local names, as each look at a global one would go out of the context.
const script = new vm.Script(`{
  const all = lines, most = limit, fitting = [], pattern = expression
  for (let index = 0; index < all.length && fitting.length < most; index++) {
    if (pattern.test(all[index])) fitting.push(index)
  }
  found = fitting
}`)

/**
 * @since 0.1.0
 * @category models
 */
export interface LineSearch {
  /** The indexes of at most `limit` lines that fit. */
  readonly find: (lines: ReadonlyArray<string>, limit: number) => Effect.Effect<ReadonlyArray<number>, Refusal>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  pattern: string,
  flags: string
): Effect.fn.Return<LineSearch, Refusal> {
  const expression = yield* Effect.try({
    try: () => new RegExp(pattern, flags),
    catch: (cause) => new Refusal({ message: `The pattern is no regular expression: ${messageOf(cause)}.` })
  })
  // Only where the code runs can V8 be told to stop; the context is no protection, and needs to be none.
  const scope: { expression: RegExp; lines: ReadonlyArray<string>; limit: number; found: ReadonlyArray<number> } = {
    expression,
    lines: [],
    limit: 0,
    found: []
  }
  const context = vm.createContext(scope)
  return {
    find: (lines, limit) =>
      Effect.try({
        try: () => {
          scope.lines = lines
          scope.limit = limit
          script.runInContext(context, { timeout: timeLimit })
          return [...scope.found]
        },
        catch: () =>
          new Refusal({ message: "The pattern takes too long: make it simpler, without nested repetitions." })
      })
  }
})

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
