/**
 * A task, followed to its end: asked for at the interval that its server likes, for as long as the call may take in all. A
 * caller that gives up takes the task with it.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { JsonObject } from "../../JsonRpc.ts"
import { McpError } from "../../McpError.ts"
import type * as McpTransport from "../../McpTransport.ts"
import type { Task } from "../../Tasks.ts"
import * as TaskRecord from "./TaskRecord.ts"
import type { TaskReports } from "./TaskReports.ts"

/** What a state of the task means for the call: its result, or nothing while it goes on. */
export type Settle = (task: Task, state: JsonObject) => Effect.Effect<Option.Option<unknown>, McpError>

export interface Options {
  readonly server: string
  readonly request: McpTransport.Service["request"]
  /** Of the call that became the task. */
  readonly callOptions: McpTransport.RequestOptions
  /** As it was created. */
  readonly task: Task
  readonly settle: Settle
  readonly canCancel: boolean
  readonly reports: TaskReports
}

/** When a server does not say how often it likes to be asked. */
const usualInterval = 1000
/** No server is asked more often, whatever it likes. */
const shortestInterval = 50
/** How long the wish to cancel may take: nothing depends on what comes of it. */
const cancelTimeout = Duration.seconds(1)

/** The result of the call that became the task. */
export const follow = (options: Options): Effect.Effect<unknown, McpError> => {
  const { canCancel, request, server, task } = options
  const { maxTimeout } = options.callOptions
  const cancel = canCancel
    ? Effect.ignore(request("tasks/cancel", { taskId: task.taskId }, { timeout: cancelTimeout }))
    : Effect.void
  const result = Effect.onInterrupt(poll(options, cancel), () => cancel)
  return maxTimeout === undefined
    ? result
    : Effect.timeoutFail(result, { duration: maxTimeout, onTimeout: () => notDone(server, maxTimeout) })
}

const poll = Effect.fnUntraced(function* (
  { callOptions, reports, request, server, settle, task }: Options,
  cancel: Effect.Effect<void>
): Effect.fn.Return<unknown, McpError> {
  const { taskId } = task
  const ask = Effect.retry(request("tasks/get", { taskId }, { timeout: callOptions.timeout }), again)

  yield* reports.status(task)
  if (task.status === "working") yield* Effect.sleep(interval(task))
  while (true) {
    const state = yield* ask
    const present = TaskRecord.read(state)
    if (present?.taskId !== taskId) return yield* noTask(server)
    yield* reports.status(present)
    // What was read as a task is an object.
    const outcome = yield* Effect.tapError(settle(present, state as JsonObject), () =>
      isOver(present) ? Effect.void : cancel
    )
    if (Option.isSome(outcome)) return outcome.value
    yield* Effect.sleep(interval(present))
  }
})

const interval = ({ pollIntervalMs = usualInterval }: Task): Duration.Duration =>
  Duration.millis(Math.max(shortestInterval, pollIntervalMs))

const isOver = ({ status }: Task): boolean => status !== "working" && status !== "input_required"

/** The task goes on without us: a question that got lost is asked again. */
const again = {
  while: ({ kind }: McpError) => kind === "timeout" || kind === "network",
  schedule: Schedule.intersect(Schedule.spaced("1 second"), Schedule.recurs(2))
}

/** The server has stopped the task. */
export const cancelled = (server: string, { statusMessage }: Task): McpError => {
  const why = statusMessage === undefined || statusMessage === "" ? "" : `: ${statusMessage}`
  return new McpError({ server, phase: "call", kind: "rpc", message: `the server cancelled the task${why}` })
}

const notDone = (server: string, maxTimeout: Duration.Duration): McpError =>
  new McpError({
    server,
    phase: "call",
    kind: "timeout",
    message: `the call became a task, which was not done within ${Duration.format(maxTimeout)}`
  })

const noTask = (server: string): McpError =>
  new McpError({ server, phase: "call", kind: "protocol", message: "the answer to tasks/get is not the task" })
