/** Levels of log messages, compared. */
import type { LogLevel } from "../../mcp/McpSchema.ts"

const levels: ReadonlyArray<unknown> = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency"
] satisfies ReadonlyArray<LogLevel>

/** Whether somebody who wants messages from this level on wants that one. A level that is none is as good as `info`. */
export const covers = (wanted: unknown, level: unknown): boolean =>
  levels.includes(wanted) && rank(level) >= rank(wanted)

/** The less serious of two, the more talkative. */
export const lower = (a: LogLevel | undefined, b: LogLevel): LogLevel => (a === undefined || rank(b) < rank(a) ? b : a)

export const isLevel = (value: unknown): value is LogLevel => levels.includes(value)

const rank = (level: unknown): number => Math.max(levels.indexOf(level), 0) || (level === "debug" ? 0 : 1)
