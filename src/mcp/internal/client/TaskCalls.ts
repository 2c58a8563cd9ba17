/**
 * Calls of tools that run as tasks: asked for where a tool wants it (2025-11-25), and taken as they come where the server
 * decides (2026-07-28). Either way the caller gets the result of the call.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import { McpError } from "../../McpError.ts"
import type { Progress } from "../../McpSchema.ts"
import type * as McpTransport from "../../McpTransport.ts"
import type { Agreement } from "./Agreement.ts"
import type { ClientRequests } from "./ClientRequests.ts"
import * as LegacyTask from "./LegacyTask.ts"
import * as ModernTask from "./ModernTask.ts"
import * as TaskPolling from "./TaskPolling.ts"
import * as TaskRecord from "./TaskRecord.ts"
import * as TaskReports from "./TaskReports.ts"
import type { Send } from "./ToolCalls.ts"
import type { ToolList } from "./ToolList.ts"

export interface Options {
  readonly server: string
  readonly agreement: Pick<Agreement, "capabilities" | "negotiation">
  readonly request: McpTransport.Service["request"]
  /** Sends a call that does not ask for a task. */
  readonly send: Send
  readonly list: Effect.Effect<ToolList>
  readonly answer: ClientRequests["answer"]
}

export interface TaskCalls {
  readonly send: Send
  /** The params of a `notifications/progress` that belongs to no open request. */
  readonly progressed: (params: JsonObject | undefined) => Effect.Effect<void>
}

export const make = (options: Options): TaskCalls => {
  const { capabilities, negotiation } = options.agreement
  if (negotiation.era === "modern") return { send: serverDecides(options), progressed: unseen }
  return takesTasks(capabilities.tasks) ? toolDecides(options) : { send: options.send, progressed: unseen }
}

const takesTasks = (tasks: JsonObject | undefined): boolean =>
  isObject(tasks?.requests) && isObject(tasks.requests.tools) && isObject(tasks.requests.tools.call)

const serverDecides =
  ({ answer, request, send, server }: Options): Send =>
  (name, args, callOptions, rest) =>
    Effect.flatMap(send(name, args, callOptions, rest), (result) => {
      if (!isObject(result) || result.resultType !== "task") return Effect.succeed(result)
      const task = TaskRecord.read(result)
      if (task === undefined) return Effect.fail(unreadable(server))
      const settle = ModernTask.settling({ server, request, callOptions, answer })
      const reports = TaskReports.make(callOptions.onProgress ?? unseen)
      return TaskPolling.follow({ server, request, callOptions, task, settle, canCancel: true, reports })
    })

const toolDecides = (options: Options): TaskCalls => {
  const { agreement, list, request, send, server } = options
  const canCancel = isObject(agreement.capabilities.tasks?.cancel)
  const watchers = new Map<string, (progress: Progress) => Effect.Effect<void>>()
  let started = 0

  const asTask: Send = (name, args, callOptions, rest) =>
    Effect.suspend(() => {
      const { maxTimeout, onProgress = unseen } = callOptions
      // The token lives as long as the task, which is longer than the request.
      const progressToken = `task-${++started}`
      const reports = TaskReports.make(onProgress)
      watchers.set(progressToken, reports.progress)
      const ttl = maxTimeout === undefined ? undefined : Duration.toMillis(maxTimeout)
      const _meta = isObject(rest?._meta) ? { ...rest._meta, progressToken } : { progressToken }
      const params = { ...rest, name, arguments: args, task: { ttl }, _meta }
      return Effect.flatMap(request("tools/call", params, { ...callOptions, onProgress: undefined }), (result) => {
        const task = isObject(result) ? TaskRecord.read(result.task) : undefined
        // Done before a task was worth it.
        if (task === undefined) return Effect.succeed(result)
        const settle = LegacyTask.settling({ server, request, callOptions })
        return TaskPolling.follow({ server, request, callOptions, task, settle, canCancel, reports })
      }).pipe(Effect.ensuring(Effect.sync(() => watchers.delete(progressToken))))
    })

  return {
    send: (name, args, callOptions, rest) =>
      Effect.flatMap(list, ({ tools }) => {
        const mustBeTask = tools.find((tool) => tool.name === name)?.taskSupport === "required"
        return (mustBeTask ? asTask : send)(name, args, callOptions, rest)
      }),
    progressed: (params) => {
      const progress = TaskReports.readProgress(params)
      const watcher = watchers.get(String(params?.progressToken))
      return progress === undefined || watcher === undefined ? Effect.void : watcher(progress)
    }
  }
}

const unseen = () => Effect.void

const unreadable = (server: string): McpError =>
  new McpError({ server, phase: "call", kind: "protocol", message: "the server answered with a task that has no id" })
