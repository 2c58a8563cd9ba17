/**
 * Multi-round-trip requests (2026-07-28): a server that needs something of the program first says so in its result. What it
 * asks for is got, and the request sent again with it.
 */
import * as Effect from "effect/Effect"
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import { McpError } from "../../McpError.ts"
import type { ClientRequests } from "./ClientRequests.ts"

/** How often one request may be answered with another question. */
const maxRounds = 20

/** The requests that may be answered so. */
const allowed: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"])

export interface Options {
  readonly server: string
  readonly method: string
  /** The first `input_required` result. */
  readonly first: JsonObject
  readonly answer: ClientRequests["answer"]
  /** Sends the request again, with these params on top of its own. */
  readonly resend: (inputs: JsonObject) => Effect.Effect<unknown, McpError>
}

/** The result of the request, once the server has all that it needs. */
export const run = Effect.fnUntraced(function* ({
  answer,
  first,
  method,
  resend,
  server
}: Options): Effect.fn.Return<unknown, McpError> {
  const failure = (message: string, code?: number) =>
    new McpError({ server, phase: "call", kind: code === undefined ? "protocol" : "rpc", message, code })
  if (!allowed.has(method)) return yield* failure(`the server answered ${method} with a request for input`)

  let result: unknown = first
  for (let round = 0; isObject(result) && result.resultType === "input_required"; round++) {
    if (round === maxRounds) return yield* failure(`the server asked for input more than ${maxRounds} times`)
    const { inputRequests, requestState } = result
    if (!isObject(inputRequests) && requestState === undefined) {
      return yield* failure("the server asked for input without saying for which")
    }
    const inputResponses = isObject(inputRequests)
      ? yield* Effect.mapError(responses(inputRequests, answer), ({ code, message }) => failure(message, code))
      : undefined
    // The state is the server's own: sent back as it came, or not at all.
    result = yield* resend({
      ...(inputResponses === undefined ? undefined : { inputResponses }),
      ...(requestState === undefined ? undefined : { requestState })
    })
  }
  return result
})

/** What the program answers, by the keys of the requests. One after the other: a person answers one question at a time. */
export const responses = (inputRequests: JsonObject, answer: ClientRequests["answer"]) =>
  Effect.map(
    Effect.forEach(Object.entries(inputRequests), ([key, request]) => {
      const { method, params } = isObject(request) ? request : {}
      return Effect.map(answer(String(method), isObject(params) ? params : undefined), (response) => [key, response])
    }),
    Object.fromEntries<unknown>
  )
