/** Long work in slices: between two of them the program's input, output and timers have their turn. */
import * as Effect from "effect/Effect"

/** A turn of the event loop. `Effect.yieldNow` gives way to other fibers alone. */
const turn = Effect.async<void>((resume) => {
  const pending = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(pending))
})

/** Does the work for each item, which says how much it was; a slice ends when it has come to `slice`. */
export const inSlices = Effect.fnUntraced(function* <A>(items: Iterable<A>, slice: number, work: (item: A) => number) {
  let left = slice
  for (const item of items) {
    left -= work(item)
    if (left > 0) continue
    left = slice
    yield* turn
  }
})
