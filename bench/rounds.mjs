/**
 * Measures subjects against each other: alternately, in rounds, so that what else the machine does meets them all alike.
 * Medians are kept, and only their ratios count.
 */

/** Runs the short form: fewer rounds, for CI. */
export const isShort = process.argv.includes("--short")

/** A number for the short form and one for the whole. */
export const amount = (short, whole) => (isShort ? short : whole)

export const median = (values) => {
  const sorted = [...values].sort((left, right) => left - right)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

/** How many milliseconds a piece of work takes. */
export const timed = async (work) => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * The median of each subject. A subject is a function that runs once a round and gives how long it took, where it measures that
 * itself. One round before the first does not count.
 */
export const rounds = async (subjects, count) => {
  const names = Object.keys(subjects)
  const taken = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round <= count; round += 1) {
    const order = round % 2 === 0 ? names : names.toReversed()
    for (const name of order) {
      let own
      const whole = await timed(async () => {
        own = await subjects[name]()
      })
      if (round > 0) taken[name].push(typeof own === "number" ? own : whole)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(taken[name])]))
}

/** Calls with so many under way at any time. */
export const pool = async (call, count, concurrency) => {
  let next = 0
  const worker = async () => {
    while (next < count) {
      next += 1
      await call({ text: `hello ${next}` })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
