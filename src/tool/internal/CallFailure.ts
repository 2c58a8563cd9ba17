/**
 * A call that did not come to a result, told to the model: which server, what happened, and whether to try again.
 */
import * as Duration from "effect/Duration"
import type { McpError } from "../../mcp/McpError.ts"
import * as VisibleText from "../../mcp/VisibleText.ts"
import { failure, type RunOptions, type ToolResult } from "../Tool.ts"

/** The result that stands for the error. */
export const toToolResult = (tool: string, error: McpError, { timeout }: RunOptions): ToolResult =>
  failure([...account(tool, error, timeout), ...lastWords(error)].join(" "))

const account = (tool: string, error: McpError, timeout: Duration.Duration): ReadonlyArray<string> => {
  const server = `server "${error.server}"`
  const what = sentence(error.message)
  switch (error.kind) {
    case "timeout":
      return [
        `The call of ${tool} on ${server} got no answer within ${Duration.format(timeout)} and was cancelled.`,
        "It may have had effects. Ask for less at a time, or try once more."
      ]
    case "rpc":
      return [
        `The ${server} refused the call of ${tool}${error.code === undefined ? "" : ` (code ${error.code})`}: ${what}`,
        error.code === -32602
          ? "Compare the arguments with the tool's schema and call it again."
          : "The same call will likely be refused again."
      ]
    case "too-large":
      return [
        `The call of ${tool} on ${server} got no answer, as a message was too large: ${what}`,
        "Ask for less at a time."
      ]
    case "needs-auth":
      return [
        `The ${server} wants a login: ${what}`,
        "Only a person can log in; do not call it again until that is done."
      ]
    case "closed":
    case "exit":
    case "network":
    case "session-lost":
    case "http":
    case "spawn":
      return [
        `The call of ${tool} could not be finished, as there is no connection to ${server}: ${what}`,
        error.phase === "call" ? "It may have had effects." : "It was not sent.",
        "Trying again helps only once the server is connected again."
      ]
    case "protocol":
      return [`The ${server} gave an answer that is no MCP: ${what}`, "Trying again is of little use."]
    case "config":
    case "disabled":
    case "needs-approval":
    case "unknown-server":
      return [`The ${server} cannot be used: ${what}`, "Trying again does not help; do without it."]
  }
}

/** What a server that ended wrote last. */
const lastWords = ({ kind, stderr }: McpError): ReadonlyArray<string> => {
  if (kind !== "exit" || !stderr?.trim()) return []
  const lines = stderr.trim().split("\n").slice(-5).join("\n")
  return [`The server wrote last:\n${VisibleText.visible(lines.slice(-1000), { newlines: true })}`]
}

const sentence = (message: string): string => {
  const shown = VisibleText.visible(message, { newlines: true }).trim()
  const bounded = shown.length > 2000 ? `${shown.slice(0, 2000)}…` : shown
  return /[.!?…]$/.test(bounded) ? bounded : `${bounded}.`
}
