/**
 * How far a task is, for a caller that wants to see it: the progress that its server notifies of, and the task's own words.
 */
import * as Effect from "effect/Effect"
import type { JsonObject } from "../../JsonRpc.ts"
import type { Progress } from "../../McpSchema.ts"
import type { Task } from "../../Tasks.ts"
import * as Field from "../Field.ts"

export interface TaskReports {
  readonly progress: (progress: Progress) => Effect.Effect<void>
  readonly status: (task: Task) => Effect.Effect<void>
}

export const make = (onProgress: (progress: Progress) => Effect.Effect<void>): TaskReports => {
  let last: Progress | undefined
  let message: string | undefined
  let steps = 0
  return {
    progress: (progress) => {
      last = progress
      return onProgress(progress)
    },
    status: ({ statusMessage }) => {
      if (statusMessage === undefined || statusMessage === message) return Effect.void
      message = statusMessage
      steps += 1
      return onProgress({ ...(last ?? { progress: steps }), message })
    }
  }
}

/** Reads the params of a `notifications/progress`. */
export const readProgress = (params: JsonObject | undefined): Progress | undefined => {
  const progress = Field.number(params?.progress)
  return progress === undefined
    ? undefined
    : { progress, total: Field.number(params?.total), message: Field.string(params?.message) }
}
