/**
 * The log messages of a server.
 */
import type { JsonObject } from "../../JsonRpc.ts"
import type { LogLevel, LogMessage } from "../../McpSchema.ts"
import * as Field from "../Field.ts"

const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const

/** A level that is none is read as `info`: the message counts. */
export const read = (params: JsonObject | undefined): LogMessage => ({
  level: levels.find((level) => level === params?.level) ?? otherNames.get(params?.level) ?? "info",
  logger: Field.string(params?.logger),
  data: params?.data
})

/** What other logging systems say for it. */
const otherNames = new Map<unknown, LogLevel>([
  ["warn", "warning"],
  ["trace", "debug"],
  ["fatal", "critical"]
])
