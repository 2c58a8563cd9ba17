/**
 * What a task of 2025-11-25 comes to. Its result is asked for in a request of its own; while that is open, the server can ask
 * for the input that it waits for.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as McpTransport from "../../McpTransport.ts"
import { cancelled, type Settle } from "./TaskPolling.ts"

export const settling =
  (options: {
    readonly server: string
    readonly request: McpTransport.Service["request"]
    readonly callOptions: McpTransport.RequestOptions
  }): Settle =>
  (task) => {
    const { callOptions, request, server } = options
    switch (task.status) {
      case "working":
        return Effect.succeedNone
      case "cancelled":
        return Effect.fail(cancelled(server, task))
      case "input_required":
        // A person may take their time.
        return result(request, task.taskId, { maxTimeout: callOptions.maxTimeout })
      case "completed":
      case "failed":
        return result(request, task.taskId, { timeout: callOptions.timeout })
    }
  }

const result = (request: McpTransport.Service["request"], taskId: string, options: McpTransport.RequestOptions) =>
  Effect.map(request("tasks/result", { taskId }, options), Option.some)
