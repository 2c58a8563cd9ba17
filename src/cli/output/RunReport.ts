/**
 * A whole run as one JSON document: what `harness9 run --output json` prints.
 *
 * @since 0.1.0
 */
import type { EngineEvent, Reason } from "../../engine/EngineEvent.ts"
import type { JsonObject } from "../../mcp/JsonRpc.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface RunReport {
  /** The answer. */
  readonly text: string
  /** Why the run ended; `answer` is the good end. */
  readonly reason: Reason
  readonly turns: number
  /** What went wrong, when `reason` is `error`. */
  readonly error?: string
  /** What the conversation can be gone on with: `--resume`. */
  readonly session?: string
  /** Of all turns together. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
  /** In the order in which they were called. */
  readonly toolCalls: ReadonlyArray<ToolCall>
  /** What the person should know: servers that failed, tools that joined. */
  readonly notices: ReadonlyArray<string>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly server?: string
  readonly arguments: JsonObject
  /** Not there when the run ended before the call did. */
  readonly result?: {
    readonly isError: boolean
    readonly denied: boolean
    readonly text: string
    readonly structuredContent?: unknown
    /** What is wrong with the result and did not keep it from being used. */
    readonly warnings?: ReadonlyArray<string>
    readonly durationMs: number
  }
}

/**
 * A run of which nothing has been heard.
 *
 * @since 0.1.0
 * @category constructors
 */
export const empty: RunReport = {
  text: "",
  reason: "cancelled",
  turns: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  toolCalls: [],
  notices: []
}

/**
 * The report after one more event.
 *
 * @since 0.1.0
 * @category combinators
 */
export const add = (report: RunReport, event: EngineEvent): RunReport => {
  switch (event._tag) {
    case "Notice":
      return { ...report, notices: [...report.notices, event.message] }
    case "ToolStarted": {
      const { arguments: args, id, name, server } = event
      const call = { id, name, ...(server !== undefined && { server }), arguments: args }
      return { ...report, toolCalls: [...report.toolCalls, call] }
    }
    case "ToolFinished":
      return {
        ...report,
        toolCalls: report.toolCalls.map((call) => (call.id === event.id ? finished(call, event) : call))
      }
    case "Usage": {
      const { inputTokens, outputTokens } = report.usage
      const usage = { inputTokens: inputTokens + event.inputTokens, outputTokens: outputTokens + event.outputTokens }
      return { ...report, usage }
    }
    case "Done": {
      const { error, reason, session, text, turns } = event
      return {
        ...report,
        text,
        reason,
        turns,
        ...(error !== undefined && { error }),
        ...(session !== undefined && { session })
      }
    }
    default:
      return report
  }
}

const finished = (
  call: ToolCall,
  { denied, durationMs, result }: Extract<EngineEvent, { _tag: "ToolFinished" }>
): ToolCall => {
  const { isError, structuredContent, text, warnings } = result
  return {
    ...call,
    result: {
      isError,
      denied,
      text,
      ...(structuredContent !== undefined && { structuredContent }),
      ...(warnings !== undefined && { warnings }),
      durationMs
    }
  }
}
