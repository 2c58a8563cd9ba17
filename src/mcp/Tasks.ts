/**
 * Tasks: calls that a server goes on working at after it has answered, and whose outcome is fetched later.
 *
 * `McpClient.callTool` runs a call as a task by itself where the tool wants it (2025-11-25, experimental) or the server decides so
 * (the extension `io.modelcontextprotocol/tasks` of 2026-07-28), and gives the task's result. This module is for looking at tasks
 * beside that.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Pages from "./internal/client/Pages.ts"
import * as TaskRecord from "./internal/client/TaskRecord.ts"
import { isObject } from "./JsonRpc.ts"
import type * as McpClient from "./McpClient.ts"
import { McpError } from "./McpError.ts"

/**
 * A task as its server tells of it (2025-11-25, and the extension of 2026-07-28). Both revisions have every field, under the names that are given here where they differ.
 *
 * @since 0.1.0
 * @category models
 */
export interface Task {
  /** Chosen by the server. */
  readonly taskId: string
  /**
   * - `working`: the server works at it
   * - `input_required`: the server waits for something of the client
   * - `completed`: the result is there; in 2026-07-28 one with `isError` too
   * - `failed`: it came to an error; in 2025-11-25 to a result with `isError` as well
   * - `cancelled`: it was stopped
   */
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled"
  /** What it is at, or why it ended so: words for a person. */
  readonly statusMessage?: string | undefined
  /** When the call became a task: ISO 8601. */
  readonly createdAt?: string | undefined
  /** When its state last changed: ISO 8601. */
  readonly lastUpdatedAt?: string | undefined
  /** How long after its creation the server keeps it; without it for good (2025-11-25: `ttl`). */
  readonly ttlMs?: number | undefined
  /** How often the server likes to be asked for it (2025-11-25: `pollInterval`). */
  readonly pollIntervalMs?: number | undefined
}

/**
 * The tasks that the server has for this client. Empty where servers cannot list them, as none can from 2026-07-28 on.
 *
 * @since 0.1.0
 * @category operations
 */
export const list = (client: McpClient.Service): Effect.Effect<ReadonlyArray<Task>, McpError> => {
  const { capabilities, negotiation, request, server } = client
  if (negotiation.era === "modern" || !isObject(capabilities.tasks?.list)) return Effect.succeed([])
  const pages = Pages.collect({
    server,
    method: "tasks/list",
    field: "tasks",
    request: (method, params) => request(method, params, { phase: "list", timeout })
  })
  return Effect.map(pages, ({ entries }) => entries.flatMap((entry) => TaskRecord.read(entry) ?? []))
}

/**
 * The present state of a task.
 *
 * @since 0.1.0
 * @category operations
 */
export const get = Effect.fnUntraced(function* (
  { request, server }: McpClient.Service,
  taskId: string
): Effect.fn.Return<Task, McpError> {
  const task = TaskRecord.read(yield* request("tasks/get", { taskId }, { timeout }))
  if (task !== undefined) return task
  return yield* new McpError({ server, phase: "call", kind: "protocol", message: "the answer to tasks/get is no task" })
})

/**
 * Asks the server to stop a task. It decides itself whether and when: `get` tells. The call that runs as this task then fails.
 *
 * @since 0.1.0
 * @category operations
 */
export const cancel = ({ request }: McpClient.Service, taskId: string): Effect.Effect<void, McpError> =>
  Effect.asVoid(request("tasks/cancel", { taskId }, { timeout }))

/**
 * Tasks whose state has changed, as far as the server tells of it without being asked: servers need not.
 *
 * @since 0.1.0
 * @category streams
 */
export const changes = ({ notifications }: McpClient.Service): Stream.Stream<Task> =>
  Stream.flatMap(notifications, ({ method, params }) => {
    const task = told.has(method) ? TaskRecord.read(params) : undefined
    return task === undefined ? Stream.empty : Stream.succeed(task)
  })

/** Of 2025-11-25, and of 2026-07-28. */
const told: ReadonlySet<string> = new Set(["notifications/tasks/status", "notifications/tasks"])

const timeout = Duration.seconds(30)
