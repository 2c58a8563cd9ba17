/** Long work in slices: between two of them the program's input, output and timers have their turn. */
import * as Effect from "effect/Effect"

/** A turn of the event loop. `Effect.yieldNow` gives way to other fibers alone. */
const turn = Effect.async<void>((resume) => {
  const pending = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(pending))
})

/** Milliseconds. What collecting garbage takes comes on top of it. */
const slice = 4

/** Does the work for each item; a slice ends by the real time that it took, whatever clock the program runs on. */
export const inSlices = Effect.fnUntraced(function* <A>(items: Iterable<A>, work: (item: A) => void) {
  let end = performance.now() + slice
  for (const item of items) {
    work(item)
    if (performance.now() < end) continue
    yield* turn
    end = performance.now() + slice
  }
})
