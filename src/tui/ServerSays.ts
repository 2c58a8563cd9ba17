/**
 * What servers say without being asked: how they want to be used, and what they log.
 *
 * @since 0.1.0
 */
import type { LogLevel, LogMessage } from "../mcp/McpSchema.ts"
import type { ServerStatus } from "../mcp/ServerStatus.ts"

/**
 * The last messages of each server, oldest first.
 *
 * @since 0.1.0
 * @category models
 */
export type Logs = ReadonlyMap<string, ReadonlyArray<LogMessage>>

/** How many messages of a server are kept. */
const kept = 50

/** How much of one is. */
const longest = 2_000

/** How much of what a server says of itself is shown. */
const longestInstructions = 4_000

/**
 * The messages with one more.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onLog = (logs: Logs, server: string, { data, level, logger }: LogMessage): Logs => {
  const message = { level, logger, data: textOf(data).slice(0, longest) }
  return new Map(logs).set(server, [...(logs.get(server) ?? []), message].slice(-kept))
}

const textOf = (data: unknown): string => (typeof data === "string" ? data : (JSON.stringify(data) ?? ""))

/**
 * A text to show, and how much it matters.
 *
 * @since 0.1.0
 * @category models
 */
export interface Said {
  readonly text: string
  readonly tone: "plain" | "muted" | "bad"
}

/**
 * Everything that a server says.
 *
 * @since 0.1.0
 * @category getters
 */
export const texts = (status: ServerStatus, logs: Logs): ReadonlyArray<Said> => {
  const instructions = status._tag === "Connected" ? status.instructions?.trim() : undefined
  const messages = logs.get(status.name) ?? []
  const says: ReadonlyArray<Said> = [
    ...revision(status),
    instructions === undefined || instructions === ""
      ? { text: "says nothing of itself", tone: "muted" }
      : { text: `says of itself:\n${bounded(instructions)}`, tone: "plain" }
  ]
  if (messages.length === 0) return [...says, { text: "has logged nothing", tone: "muted" }]
  return [...says, { text: "has logged:", tone: "plain" }, ...messages.map(logged)]
}

/** Which revision of MCP is spoken with the server, and why that one. */
const revision = (status: ServerStatus): ReadonlyArray<Said> =>
  status._tag === "Connected" && status.negotiation !== undefined
    ? [{ text: `speaks ${status.protocolVersion}: ${status.negotiation.reason}`, tone: "muted" }]
    : []

const bounded = (text: string): string =>
  text.length <= longestInstructions
    ? text
    : `${text.slice(0, longestInstructions)}\n… ${text.length - longestInstructions} more characters`

const logged = ({ data, level, logger }: LogMessage): Said => ({
  text: `${level}${logger === undefined ? "" : ` ${logger}`}: ${String(data)}`,
  tone: grave.has(level) ? "bad" : "muted"
})

const grave: ReadonlySet<LogLevel> = new Set(["error", "critical", "alert", "emergency"])
