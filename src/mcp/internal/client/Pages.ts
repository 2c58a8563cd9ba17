/**
 * A list that a server hands out in pages, read to its end.
 *
 * A cursor means something to the server alone and is sent back as it came. A server whose cursors lead nowhere new does
 * not keep the reader: a repeated cursor and a page limit end the list, with a warning.
 */
import * as Effect from "effect/Effect"
import { ErrorCode, isObject, type JsonObject } from "../../JsonRpc.ts"
import { defaults, type Limits } from "../../Limits.ts"
import { type Kind, McpError } from "../../McpError.ts"
import * as Field from "../Field.ts"
import * as JsonSize from "../JsonSize.ts"

export interface Pages {
  readonly entries: ReadonlyArray<unknown>
  readonly warnings: ReadonlyArray<string>
  /** A later page failed: what came before it is here, and the rest is not. */
  readonly partial: boolean
  /** Entries from here on came for the cursor `""`, which many servers mean as "no more": they may be there twice. */
  readonly afterEmptyCursor: number
  /** How long the server allows the list to be used again: the shortest time of all pages (2026-07-28). */
  readonly ttlMs: number | undefined
}

/**
 * Reads every page. Fails when the first one cannot be had; a server that does not know the method has an empty list.
 */
export const collect = Effect.fnUntraced(function* (options: {
  readonly server: string
  readonly method: string
  /** The field of the result that holds the entries. */
  readonly field: string
  /** Reading stops after so many pages, or so much. */
  readonly limits?: Pick<Limits, "maxPages" | "maxListBytes">
  readonly request: (method: string, params: JsonObject | undefined) => Effect.Effect<unknown, McpError>
}): Effect.fn.Return<Pages, McpError> {
  const { field, limits = defaults, method, request, server } = options
  const { maxListBytes, maxPages } = limits
  const entries: Array<unknown> = []
  const seen = new Set<string>()
  let cursor: string | undefined
  let size = 0
  let afterEmptyCursor = Number.POSITIVE_INFINITY
  let ttlMs: number | undefined
  const end = (warning?: string, partial = false): Pages => ({
    entries,
    ttlMs: partial ? undefined : ttlMs,
    warnings: warning === undefined ? [] : [`${method}: ${warning}`],
    partial,
    afterEmptyCursor
  })

  for (let page = 1; page <= maxPages; page++) {
    const outcome = yield* Effect.either(
      Effect.flatMap(request(method, cursor === undefined ? undefined : { cursor }), readPage(server, method, field))
    )
    if (outcome._tag === "Left") {
      const error = outcome.left
      if (page === 1 && error.code === ErrorCode.MethodNotFound) return end()
      if (page === 1 || !costsOnePage.has(error.kind)) return yield* error
      return cursor === "" ? end() : end(`page ${page} failed (${error.message}): the list is not complete`, true)
    }
    for (const entry of outcome.right.entries) entries.push(entry)
    const { nextCursor: next, ttlMs: pageTtl = 0 } = outcome.right
    ttlMs = Math.min(ttlMs ?? pageTtl, pageTtl)
    if (next === undefined || (next === "" && cursor === "")) return end()
    if (seen.has(next)) return end("the server's cursor repeats: reading stopped there")
    // What has come in one message is bounded already.
    size += JsonSize.upTo(outcome.right.entries, maxListBytes - size)
    if (size > maxListBytes) return end(`more than ${maxListBytes} bytes (limits.maxListBytes): reading stopped there`)
    if (next === "") afterEmptyCursor = entries.length
    seen.add(next)
    cursor = next
  }
  return end(`more than ${maxPages} pages (limits.maxPages): reading stopped there`)
})

/** Failures after which the connection, and what has been read, is still good. */
const costsOnePage: ReadonlySet<Kind> = new Set<Kind>(["rpc", "protocol", "timeout", "too-large"])

const readPage = (server: string, method: string, field: string) => (result: unknown) => {
  const entries = isObject(result) ? result[field] : undefined
  if (!isObject(result) || !Array.isArray(entries)) {
    const message = `the answer to ${method} has no list of ${field}`
    return Effect.fail(new McpError({ server, phase: "list", kind: "protocol", message }))
  }
  return Effect.succeed({
    entries: entries as ReadonlyArray<unknown>,
    nextCursor: Field.string(result.nextCursor),
    ttlMs: Field.number(result.ttlMs)
  })
}
