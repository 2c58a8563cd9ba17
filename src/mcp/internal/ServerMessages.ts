/**
 * What a server sends on its own, read as long as the connection lives: its requests are answered, whatever they are and
 * however early they come, and its notifications handed on.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ErrorCode, type JsonObject, type Reply } from "../JsonRpc.ts"
import type * as McpTransport from "../McpTransport.ts"

/** How many messages are worked on at once: an answer that is slow on the wire does not hold up a ping. */
const concurrency = 16

/** By method. */
export type NotificationHandlers = ReadonlyMap<string, (params: JsonObject | undefined) => Effect.Effect<void>>

/** Ends with the connection; never fails. */
export const serve = (transport: McpTransport.Service, notifications: NotificationHandlers): Effect.Effect<void> =>
  transport.inbound.pipe(
    Stream.mapEffect(
      (message) => {
        if (message._tag === "Notification") return notifications.get(message.method)?.(message.params) ?? Effect.void
        // A reply that cannot be sent means a broken connection, which `closed` tells.
        return Effect.ignore(transport.respond(message.id, answer(message.method)))
      },
      { concurrency, unordered: true }
    ),
    Stream.runDrain
  )

const answer = (method: string): Reply =>
  method === "ping"
    ? { _tag: "Result", result: {} }
    : { _tag: "Error", error: { code: ErrorCode.MethodNotFound, message: `${method} is not supported` } }
