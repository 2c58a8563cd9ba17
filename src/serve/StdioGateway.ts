/**
 * The gateway for one client: the program that has started it and speaks to its stdin and stdout.
 *
 * @since 0.1.0
 */
import type { Server } from "@modelcontextprotocol/server"
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { isObject } from "../mcp/JsonRpc.ts"
import type { Era } from "../mcp/ProtocolVersion.ts"
import * as Clients from "./Clients.ts"
import * as Gateway from "./Gateway.ts"
import * as ClientServer from "./internal/ClientServer.ts"
import * as Listening from "./internal/Listening.ts"

/**
 * Serves until the client closes our stdin. `ready` is waited for before the client gets its first answer.
 *
 * @since 0.1.0
 * @category constructors
 */
export const serve = Effect.fnUntraced(function* (ready: Effect.Effect<void>) {
  const gateway = yield* Gateway.Gateway
  const clients = yield* Clients.Clients
  const runtime = yield* Effect.runtime<never>()
  const run = Runtime.runPromise(runtime)
  const fork = Runtime.runFork(runtime)
  const gone = yield* Deferred.make<void>()
  let listening: Listening.Listening | undefined

  const join = (era: Era, { client, server }: ClientServer.ClientServer): Server => {
    const { onclose } = server
    server.onclose = () => {
      onclose?.()
      fork(gateway.leave(client))
    }
    if (era === "modern") {
      clients.add(client)
      listening = Listening.make(gateway, client)
    } else {
      // Before its handshake is over, a client must not be told anything.
      server.oninitialized = () => clients.add(client)
    }
    return server
  }

  const transport = new StdioServerTransport()
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      serveStdio(
        ({ era }) =>
          run(Effect.zipRight(ready, gateway.instructions)).then((instructions) =>
            join(era, ClientServer.make({ gateway, runtime, instructions, era, from: "stdio", sharesChunks: true }))
          ),
        { transport }
      )
    ),
    (handle) => Effect.promise(() => handle.close())
  )

  const { onclose, onmessage } = transport
  transport.onclose = () => {
    onclose?.()
    Deferred.unsafeDone(gone, Effect.void)
  }
  transport.onmessage = (message) => {
    onmessage?.(message)
    if (listening === undefined || !("method" in message) || !isObject(message.params)) return
    if (message.method === "subscriptions/listen" && "id" in message) fork(listening.begin(message.id, message.params))
    if (message.method === "notifications/cancelled") fork(listening.end(message.params.requestId))
  }
  yield* Deferred.await(gone)
})
