/**
 * Requests of clients without sessions (2026-07-28): each is a client of its own, so that nothing of one request reaches another.
 */
import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { isObject, type JsonObject } from "../../../mcp/JsonRpc.ts"
import type * as Clients from "../../Clients.ts"
import type * as Gateway from "../../Gateway.ts"
import * as ClientServer from "../ClientServer.ts"
import * as Listening from "../Listening.ts"

export interface Stateless {
  readonly handle: (request: Request, body: unknown, from: string) => Effect.Effect<Response>
  /** The request is answered, and its stream closed. */
  readonly done: (request: Request) => Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* ({
  clients,
  gateway
}: {
  readonly gateway: Gateway.Service
  readonly clients: Clients.Service
}): Effect.fn.Return<Stateless, never, Scope.Scope> {
  const runtime = yield* Effect.runtime<never>()
  const origins = new WeakMap<Request, string>()
  let instructions = ""

  const handler = yield* Effect.acquireRelease(
    Effect.sync(() =>
      createMcpHandler(
        ({ requestInfo }) => {
          const from = (requestInfo && origins.get(requestInfo)) ?? "http"
          const client = (server: Parameters<typeof single>[0]) => single(server, from)
          return ClientServer.make({ gateway, runtime, instructions, era: "modern", from, client }).server
        },
        { legacy: "reject" }
      )
    ),
    (handler) => Effect.promise(() => handler.close())
  )
  const listener = listening(handler)
  clients.add(listener)
  const subscriptions = Listening.make(gateway, listener)

  return {
    handle: (request, body, from) =>
      Effect.gen(function* () {
        origins.set(request, from)
        if (isObject(body) && body.method === "subscriptions/listen") yield* subscriptions.begin(request, body.params)
        instructions = yield* gateway.instructions
        return yield* Effect.promise(() => handler.fetch(request, body === undefined ? {} : { parsedBody: body }))
      }),
    done: subscriptions.end
  }
})

const single = (server: { readonly getClientVersion: () => unknown }, from: string): Clients.Client => ({
  name: () => ClientServer.nameOf(server.getClientVersion(), from),
  era: "modern",
  logLevel: undefined,
  subscriptions: new Map(),
  notify: () => {}
})

/** All who listen, as one client: the SDK tells each of them what it has asked for. */
const listening = ({ notify }: McpHttpHandler): Clients.Client => ({
  name: () => "listeners",
  era: "modern",
  logLevel: undefined,
  subscriptions: new Map(),
  notify: (method, params: JsonObject = {}) => {
    switch (method) {
      case "notifications/tools/list_changed":
        return notify.toolsChanged()
      case "notifications/prompts/list_changed":
        return notify.promptsChanged()
      case "notifications/resources/list_changed":
        return notify.resourcesChanged()
      case "notifications/resources/updated":
        return notify.resourceUpdated(String(params.uri))
    }
  }
})
