/**
 * Finds tools by what a person or a model asks for, in their own words, a misspelling or another language. A request that no tool
 * fits finds nothing.
 *
 * ```ts
 * const tools = yield* ToolSearch.make(registry.tools)
 * tools.search("what changed in the repository", { limit: 5 })
 * ```
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Ranking from "./search/Ranking.ts"
import * as Request from "./search/Request.ts"
import * as ToolIndex from "./search/ToolIndex.ts"
import type { Tool } from "./Tool.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Default: 5. */
  readonly limit?: number | undefined
}

/**
 * A tool that fits a request.
 *
 * @since 0.1.0
 * @category models
 */
export interface Hit {
  readonly tool: Tool
  /** Compares the hits of one request; means nothing across requests. */
  readonly score: number
}

/**
 * Tools that can be searched.
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolSearch {
  /** The tools that fit, best first; the same request always finds the same. */
  readonly search: (query: string, options?: Options) => ReadonlyArray<Hit>
}

/**
 * Indexes the tools, in slices of a few milliseconds between which the event loop goes on.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (tools: ReadonlyArray<Tool>): Effect.fn.Return<ToolSearch> {
  const index = yield* ToolIndex.make(tools)
  const read = yield* Request.reader(index)
  return {
    search: (query, { limit = 5 } = {}) =>
      Ranking.rank(index, read(query))
        .slice(0, Math.max(0, limit))
        .flatMap(({ score, tool: at }) => {
          const tool = index.tools[at]
          return tool === undefined ? [] : [{ tool, score }]
        })
  }
})
