/**
 * The resources that stateless clients listen for: their servers are asked for as long as somebody does. That a change reaches
 * the client is the SDK's part.
 */
import * as Effect from "effect/Effect"
import { isObject } from "../../mcp/JsonRpc.ts"
import type * as Clients from "../Clients.ts"
import type * as Gateway from "../Gateway.ts"

export interface Listening {
  /** A `subscriptions/listen` with these params has come; `key` is what it will be ended by. */
  readonly begin: (key: unknown, params: unknown) => Effect.Effect<void>
  readonly end: (key: unknown) => Effect.Effect<void>
}

export const make = (gateway: Gateway.Service, client: Clients.Client): Listening => {
  const open = new Map<unknown, ReadonlyArray<string>>()
  return {
    begin: (key, params) =>
      Effect.suspend(() => {
        const uris = urisOf(params)
        open.set(key, uris)
        return Effect.forEach(uris, (uri) => Effect.ignore(gateway.subscribe(client, uri)), { discard: true })
      }),
    end: (key) =>
      Effect.suspend(() => {
        const uris = open.get(key) ?? []
        open.delete(key)
        const wanted = new Set([...open.values()].flat())
        const left = uris.filter((uri) => !wanted.has(uri))
        return Effect.forEach(left, (uri) => gateway.unsubscribe(client, uri), { discard: true })
      })
  }
}

const urisOf = (params: unknown): ReadonlyArray<string> => {
  const notifications = isObject(params) && isObject(params.notifications) ? params.notifications : {}
  const uris = notifications.resourceSubscriptions
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : []
}
