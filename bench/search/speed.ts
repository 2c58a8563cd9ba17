/** How long indexing and searching take with 10,000 tools: the published ones, over and over under other names. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import type { Tool } from "../../src/tool/Tool.ts"
import type { Finder } from "./quality.ts"

export interface Speed {
  /** Milliseconds. */
  readonly indexCpu: number
  readonly index: number
  readonly longestHold: number
  readonly queryMedian: number
  readonly query95: number
}

const count = 10_000

/** As many tools, the first ones as they are; each further round of them is of other servers, with names of its own. */
export const replicate = (tools: ReadonlyArray<Tool>): ReadonlyArray<Tool> =>
  Array.from({ length: count }, (_, index) => {
    const tool = tools[index % tools.length]
    if (tool === undefined || tool.origin._tag !== "Mcp") throw new Error("there are no tools")
    const round = Math.floor(index / tools.length)
    if (round === 0) return tool
    const origin = { ...tool.origin, server: `${tool.origin.server}${round}`, tool: `${tool.origin.tool}_${round}` }
    return { ...tool, name: `${tool.name}_${round}`, origin }
  })

/** An index made cold, another one with an eye on the event loop, then a search for each request. */
export const measure = Effect.fnUntraced(function* (
  indexing: Effect.Effect<Finder>,
  requests: ReadonlyArray<string>
): Effect.fn.Return<Speed> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const find = yield* indexing
  const index = performance.now() - start
  const { system, user } = process.cpuUsage(cpu)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  yield* indexing
  delay.disable()
  const taken = requests
    .map((request) => {
      const before = performance.now()
      find(request)
      return performance.now() - before
    })
    .sort((a, b) => a - b)
  const quantile = (part: number): number => taken[Math.floor((taken.length - 1) * part)] ?? 0
  return {
    indexCpu: (user + system) / 1000,
    index,
    longestHold: delay.max / 1e6,
    queryMedian: quantile(0.5),
    query95: quantile(0.95)
  }
})
