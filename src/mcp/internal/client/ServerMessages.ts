/**
 * What a server sends on its own, read as long as the connection lives: its requests are answered, whatever they are and
 * however early they come, and its notifications handed on.
 *
 * An answer may take a person's time, so nothing waits for it; a server that no longer wants it says so.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ErrorCode, type ErrorObject, type Id, type JsonObject, type Reply } from "../../JsonRpc.ts"
import type * as McpClient from "../../McpClient.ts"
import type * as McpTransport from "../../McpTransport.ts"

/** How many requests of a server may be open at once; more are refused. */
const maxOpen = 100

export interface Options {
  readonly transport: McpTransport.Service
  readonly answer: (method: string, params: JsonObject | undefined) => Effect.Effect<unknown, ErrorObject>
  readonly onNotification: (notification: McpClient.Notification) => Effect.Effect<void>
}

/** Reads in the background until the connection or the Scope ends; never fails. */
export const serve = Effect.fnUntraced(function* ({
  answer,
  onNotification,
  transport
}: Options): Effect.fn.Return<void, never, Scope.Scope> {
  const open = new Map<Id, Fiber.RuntimeFiber<void>>()
  let replying = 0

  // A reply that cannot be sent means a broken connection, which `closed` tells.
  const respond = (id: Id, reply: Reply) => Effect.ignore(transport.respond(id, reply))

  /** Beside the reading. A server that asks faster than it takes answers gets no more of them than it takes. */
  const replyBeside = (id: Id, reply: Reply) =>
    Effect.suspend(() => {
      if (replying >= maxOpen) return Effect.void
      replying += 1
      return Effect.fork(
        Effect.ensuring(
          respond(id, reply),
          Effect.sync(() => (replying -= 1))
        )
      )
    })

  const answered = (id: Id, method: string, params: JsonObject | undefined) =>
    Effect.exit(answer(method, params)).pipe(
      Effect.flatMap((exit) => (Exit.isInterrupted(exit) ? Effect.void : respond(id, reply(exit)))),
      Effect.ensuring(Effect.sync(() => open.delete(id)))
    )

  const handle = (message: McpTransport.Inbound) => {
    if (message._tag === "Notification") {
      return message.method === "notifications/cancelled"
        ? Effect.zipRight(withdraw(message.params?.requestId), onNotification(message))
        : onNotification(message)
    }
    const { id, method, params } = message
    if (method === "ping") return replyBeside(id, { _tag: "Result", result: {} })
    if (open.size >= maxOpen) return replyBeside(id, tooMany)
    return Effect.map(Effect.fork(answered(id, method, params)), (fiber) => {
      if (fiber.unsafePoll() === null) open.set(id, fiber)
    })
  }

  const withdraw = (id: unknown) => {
    const fiber = open.get(id as Id) // a value of another type finds nothing
    return fiber === undefined ? Effect.void : Fiber.interruptFork(fiber)
  }

  // Pulled by hand: a running Stream would be the largest part of an idle connection.
  const pull = yield* Stream.toPull(transport.inbound)
  yield* Effect.flatMap(pull, (messages) => Effect.forEach(messages, handle, { discard: true })).pipe(
    Effect.forever,
    Effect.ignore,
    Effect.forkScoped
  )
})

const reply = (exit: Exit.Exit<unknown, ErrorObject>): Reply =>
  Exit.match(exit, {
    onSuccess: (result) => ({ _tag: "Result", result }),
    onFailure: (cause) => ({ _tag: "Error", error: cause._tag === "Fail" ? cause.error : broken })
  })

/** What is wrong with the program is none of the server's business. */
const broken: ErrorObject = { code: ErrorCode.InternalError, message: "the request could not be answered" }

const tooMany: Reply = {
  _tag: "Error",
  error: { code: ErrorCode.InternalError, message: `more than ${maxOpen} requests are open` }
}
