/**
 * The resources whose changes the program wants to be told of, where servers are asked one by one (revisions with a handshake).
 */
import * as Effect from "effect/Effect"
import type { McpError } from "../../McpError.ts"
import type * as McpTransport from "../../McpTransport.ts"

type Request = McpTransport.Service["request"]

export interface ResourceSubscriptions {
  readonly add: (uri: string) => Effect.Effect<void, McpError>
  readonly remove: (uri: string) => Effect.Effect<void, McpError>
}

/** `subscribed` holds the URIs, for a new session. */
export const make = (
  subscribed: Set<string>,
  request: Request,
  options: McpTransport.RequestOptions
): ResourceSubscriptions => ({
  add: (uri) => Effect.map(request("resources/subscribe", { uri }, options), () => void subscribed.add(uri)),
  remove: (uri) =>
    Effect.suspend(() => {
      subscribed.delete(uri)
      return Effect.asVoid(request("resources/unsubscribe", { uri }, options))
    })
})

/** A new session knows of none: subscribes to all of them again. */
export const renew = (
  subscribed: ReadonlySet<string>,
  request: Request,
  options: McpTransport.RequestOptions
): Effect.Effect<void> =>
  Effect.forEach([...subscribed], (uri) => Effect.ignore(request("resources/subscribe", { uri }, options)), {
    discard: true
  })
