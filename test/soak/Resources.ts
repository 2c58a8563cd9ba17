/**
 * What the process holds: memory over time, and at the end what nobody has let go.
 */
import { readdirSync, readFileSync } from "node:fs"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export interface Sample {
  readonly at: number
  readonly heapMb: number
  readonly rssMb: number
  readonly files: number
  readonly programs: number
}

const collect: () => void = Object.assign(() => {}, globalThis).gc ?? (() => {})

/** Measures now, without garbage. */
export const sample = (marker: string): Effect.Effect<Sample> =>
  Effect.map(Clock.currentTimeMillis, (at) => {
    collect()
    const { heapUsed, rss } = process.memoryUsage()
    return {
      at,
      heapMb: heapUsed / 2 ** 20,
      rssMb: rss / 2 ** 20,
      files: entries("/proc/self/fd").length,
      programs: programsWith(marker).length
    }
  })

/** The growth of a quantity in a minute, by least squares. */
export const slope = (samples: ReadonlyArray<Sample>, of: (sample: Sample) => number): number => {
  const minutes = samples.map(({ at }) => at / 60_000)
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(minutes), mean(samples.map(of))]
  const spread = minutes.reduce((sum, minute) => sum + (minute - x) ** 2, 0)
  const shared = samples.reduce((sum, each, i) => sum + ((minutes[i] ?? x) - x) * (of(each) - y), 0)
  return spread === 0 ? 0 : shared / spread
}

/** What keeps the process alive, by kind: sockets, pipes, timers, watched files. */
export const active = (): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** What there is more of than before. */
export const surplus = (
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>
): ReadonlyArray<string> =>
  [...after].flatMap(([kind, count]) =>
    count > (before.get(kind) ?? 0) ? [`${count - (before.get(kind) ?? 0)} ${kind}`] : []
  )

/** The processes that have the marker in their environment. */
export const programsWith = (marker: string): ReadonlyArray<string> =>
  entries("/proc").filter((pid) => /^\d+$/.test(pid) && mentions(pid, marker))

const entries = (path: string): ReadonlyArray<string> => {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Whether a process has the marker in its environment. */
export const mentions = (pid: string, marker: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").includes(marker)
  } catch {
    return false
  }
}
