/**
 * What a task of the extension of 2026-07-28 comes to. Result and error come with its state, and so does what the server
 * asks for, which is sent back in an update.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import { McpError } from "../../McpError.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as Field from "../Field.ts"
import type { ClientRequests } from "./ClientRequests.ts"
import * as RoundTrips from "./RoundTrips.ts"
import { cancelled, type Settle } from "./TaskPolling.ts"

export interface Options {
  readonly server: string
  readonly request: McpTransport.Service["request"]
  readonly callOptions: McpTransport.RequestOptions
  readonly answer: ClientRequests["answer"]
}

/** For one task: what it has asked for once is not answered again. */
export const settling = (options: Options): Settle => {
  const { server } = options
  const answered = new Set<string>()
  return (task, state) => {
    switch (task.status) {
      case "working":
        return Effect.succeedNone
      case "input_required":
        return Effect.as(update(options, answered, task.taskId, state), Option.none())
      case "completed":
        return state.result === undefined
          ? Effect.fail(broken(server, "the task is completed and has no result"))
          : Effect.succeedSome(state.result)
      case "failed":
        return Effect.fail(failed(server, task.statusMessage, state.error))
      case "cancelled":
        return Effect.fail(cancelled(server, task))
    }
  }
}

const update = Effect.fnUntraced(function* (
  { answer, callOptions, request, server }: Options,
  answered: Set<string>,
  taskId: string,
  { inputRequests }: JsonObject
) {
  if (!isObject(inputRequests)) return yield* broken(server, "the task waits for input and does not say for which")
  const open = Object.fromEntries(Object.entries(inputRequests).filter(([key]) => !answered.has(key)))
  if (Object.keys(open).length === 0) return
  const inputResponses = yield* Effect.mapError(RoundTrips.responses(open, answer), ({ code, message }) =>
    rpc(server, message, code)
  )
  yield* request("tasks/update", { taskId, inputResponses }, { timeout: callOptions.timeout })
  for (const key of Object.keys(open)) answered.add(key)
})

const failed = (server: string, statusMessage: string | undefined, error: unknown): McpError => {
  const { code, data, message } = isObject(error) ? error : {}
  return rpc(server, Field.string(message) ?? statusMessage ?? "the task failed", Field.number(code), data)
}

const rpc = (server: string, message: string, code?: number, data?: unknown): McpError =>
  new McpError({ server, phase: "call", kind: "rpc", message, code, data })

const broken = (server: string, message: string): McpError =>
  new McpError({ server, phase: "call", kind: "protocol", message })
