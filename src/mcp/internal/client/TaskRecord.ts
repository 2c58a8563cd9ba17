/**
 * A task as servers tell of it, in the words of either revision.
 */
import { isObject } from "../../JsonRpc.ts"
import type { Task } from "../../Tasks.ts"
import * as Field from "../Field.ts"

/** Reads a task; undefined when it is none. */
export const read = (value: unknown): Task | undefined => {
  if (!isObject(value)) return undefined
  const { status, taskId } = value
  if (typeof taskId !== "string" || taskId === "" || !isStatus(status)) return undefined
  return {
    taskId,
    status,
    statusMessage: Field.string(value.statusMessage),
    createdAt: Field.string(value.createdAt),
    lastUpdatedAt: Field.string(value.lastUpdatedAt),
    ttlMs: Field.number(value.ttlMs ?? value.ttl),
    pollIntervalMs: Field.number(value.pollIntervalMs ?? value.pollInterval)
  }
}

const statuses: ReadonlyArray<Task["status"]> = ["working", "input_required", "completed", "failed", "cancelled"]

const isStatus = (value: unknown): value is Task["status"] => statuses.some((status) => status === value)
