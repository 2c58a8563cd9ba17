/**
 * Pages that a server wants visited before it does what it is asked: error -32042 of 2025-11-25. The person is offered them as
 * by a question of the server; once they have agreed to each, the request is sent again when the server says that the visits
 * are over, and every few seconds, since a server need not say so. It was refused, so sending it again repeats nothing.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { ErrorCode, isObject, type JsonObject } from "../../JsonRpc.ts"
import { McpError } from "../../McpError.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as Field from "../Field.ts"
import type { ClientRequests } from "./ClientRequests.ts"

type Request = McpTransport.Service["request"]

/** How long after one attempt the next is made, when the server does not say that the visits are over. */
const interval = Duration.seconds(5)

/** How long a request without a limit of its own waits for visits. */
const patience = Duration.minutes(10)

export interface RequiredPages {
  /** The same requests; one that needs pages visited first waits for that. */
  readonly visiting: (request: Request) => Request
  /** The params of a `notifications/elicitation/complete`. */
  readonly completed: (params: JsonObject | undefined) => Effect.Effect<void>
}

/** The visits that one request waits for. */
interface Visits {
  readonly open: Set<string>
  readonly over: Effect.Latch
}

export const make = (server: string, answer: ClientRequests["answer"]): RequiredPages => {
  const waiting = new Set<Visits>()
  const failure = (message: string, hint?: string) =>
    new McpError({ server, phase: "call", kind: "rpc", code: ErrorCode.UrlElicitationRequired, message, hint })

  const offer = Effect.fnUntraced(function* (page: JsonObject) {
    const result = yield* Effect.mapError(answer("elicitation/create", { ...page, mode: "url" }), ({ message }) =>
      failure(`the server wants ${hostOf(page)} to be visited first, which cannot be offered: ${message}`)
    )
    if (isObject(result) && result.action === "accept") return
    const what = isObject(result) && result.action === "decline" ? "declined" : "not agreed to"
    return yield* failure(`the server wants ${hostOf(page)} to be visited first, which was ${what}`, hint)
  })

  /** Offers the pages that are new, and waits for a while for the visits to be over. */
  const visit = (pages: ReadonlyArray<JsonObject>, agreed: Set<string>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const open = new Set(pages.flatMap(({ elicitationId }) => Field.string(elicitationId) ?? []))
        const visits: Visits = { open, over: Effect.unsafeMakeLatch() }
        waiting.add(visits)
        return visits
      }),
      ({ over }) =>
        Effect.gen(function* () {
          for (const page of pages) {
            if (agreed.has(keyOf(page))) continue
            yield* offer(page)
            agreed.add(keyOf(page))
          }
          const began = yield* Clock.currentTimeMillis
          yield* Effect.timeoutOption(over.await, interval)
          return (yield* Clock.currentTimeMillis) - began
        }),
      (visits) => Effect.sync(() => waiting.delete(visits))
    )

  const visitAll = Effect.fnUntraced(function* (
    first: McpError,
    again: Effect.Effect<unknown, McpError>,
    limit: Duration.Duration
  ): Effect.fn.Return<unknown, McpError> {
    const agreed = new Set<string>()
    let error = first
    let waited = 0
    while (true) {
      const pages = pagesOf(error)
      if (pages.length === 0) return yield* error
      if (waited > Duration.toMillis(limit)) {
        const hosts = pages.map(hostOf).join(", ")
        return yield* failure(`${hosts} was not visited to the server's content within ${Duration.format(limit)}`)
      }
      waited += yield* visit(pages, agreed)
      const outcome = yield* Effect.either(again)
      if (outcome._tag === "Right") return outcome.right
      if (!needsPages(outcome.left)) return yield* outcome.left
      error = outcome.left
    }
  })

  return {
    visiting: (request) => (method, params, options) => {
      const sent = request(method, params, options)
      if (options?.onBehalf?.answersItself === true) return sent
      return Effect.catchIf(sent, needsPages, (error) => visitAll(error, sent, options?.maxTimeout ?? patience))
    },
    completed: (params) =>
      Effect.sync(() => {
        const id = Field.string(params?.elicitationId)
        for (const { open, over } of waiting) {
          if (id !== undefined && open.delete(id) && open.size === 0) over.unsafeOpen()
        }
      })
  }
}

const needsPages = ({ code }: McpError): boolean => code === ErrorCode.UrlElicitationRequired

const pagesOf = ({ data }: McpError): ReadonlyArray<JsonObject> => {
  const listed = isObject(data) ? data.elicitations : undefined
  return Array.isArray(listed) ? listed.filter(isObject) : []
}

const keyOf = ({ elicitationId, url }: JsonObject): string => Field.string(elicitationId) ?? String(url)

/** An address may hold what only the person should see. */
const hostOf = ({ url }: JsonObject): string =>
  typeof url === "string" && URL.canParse(url) ? `a page of ${new URL(url).host}` : "a page"

const hint = "Pages are opened by a person: in the terminal UI, or by `harness9 mcp call` in a terminal."
