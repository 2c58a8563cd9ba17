/**
 * What a server sends on its own, read as long as the connection lives: its requests are answered, whatever they are and
 * however early they come, and its notifications handed on.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ErrorCode, type Id, type Reply } from "../../JsonRpc.ts"
import type * as McpClient from "../../McpClient.ts"
import type * as McpTransport from "../../McpTransport.ts"

/** How many answers may be on their way at once. */
const concurrency = 16

/** Reads in the background until the connection or the Scope ends; never fails. */
export const serve = Effect.fnUntraced(function* (
  transport: McpTransport.Service,
  onNotification: (notification: McpClient.Notification) => Effect.Effect<void>
): Effect.fn.Return<void, never, Scope.Scope> {
  const answers = yield* Effect.makeSemaphore(concurrency)

  /** An answer that is slow on the wire does not hold up the next message. */
  const respond = (id: Id, reply: Reply) =>
    Effect.zipRight(
      answers.take(1),
      transport.respond(id, reply).pipe(
        // A reply that cannot be sent means a broken connection, which `closed` tells.
        Effect.ignore,
        Effect.ensuring(answers.release(1)),
        Effect.fork
      )
    )

  const handle = (message: McpTransport.Inbound) =>
    message._tag === "Request" ? respond(message.id, answer(message.method)) : onNotification(message)

  // Pulled by hand: a running Stream would be the largest part of an idle connection.
  const pull = yield* Stream.toPull(transport.inbound)
  yield* Effect.flatMap(pull, (messages) => Effect.forEach(messages, handle, { discard: true })).pipe(
    Effect.forever,
    Effect.ignore,
    Effect.forkScoped
  )
})

const answer = (method: string): Reply =>
  method === "ping"
    ? { _tag: "Result", result: {} }
    : { _tag: "Error", error: { code: ErrorCode.MethodNotFound, message: `${method} is not supported` } }
