/**
 * What becomes of a server: its status for each way in which connecting ends, the tools it offers, and why it has no client.
 */
import * as Cause from "effect/Cause"
import * as Either from "effect/Either"
import { McpError } from "../McpError.ts"
import type { McpTool } from "../McpSchema.ts"
import type { ServerConfig } from "../ServerConfig.ts"
import { ServerStatus } from "../ServerStatus.ts"
import * as Glob from "./Glob.ts"

/** The status of a server that cannot be used for this reason. */
export const unusable = (name: string, error: McpError): ServerStatus =>
  error.kind === "needs-auth" ? ServerStatus.NeedsAuth({ name, error }) : ServerStatus.Failed({ name, error })

/** The reason why connecting ended; a defect of a transport is one server's failure as any other. */
export const reason = (server: string, cause: Cause.Cause<McpError>): McpError =>
  Either.match(Cause.failureOrCause(cause), {
    onLeft: (error) => error,
    onRight: (other) =>
      Cause.isInterruptedOnly(other)
        ? new McpError({ server, phase: "connect", kind: "closed", message: "connecting was stopped" })
        : new McpError({
            server,
            phase: "connect",
            kind: "closed",
            message: `the transport broke: ${Cause.prettyErrors(other)[0]?.message ?? "no reason given"}`,
            cause: other
          })
  })

/** Why a server that is in this status has no client. */
export const absence: (status: ServerStatus) => McpError = ServerStatus.$match({
  Pending: ({ name }) => notUsable(name, "closed", "the server is still connecting"),
  Connected: ({ name }) => notUsable(name, "closed", "the connection was just closed"),
  Failed: ({ error }) => error,
  Reconnecting: ({ error }) => error,
  NeedsAuth: ({ error }) => error,
  NeedsApproval: ({ name }) => notUsable(name, "disabled", "nobody has agreed to this server yet"),
  Disabled: ({ name }) => notUsable(name, "disabled", "the server is disabled")
})

const notUsable = (server: string, kind: McpError["kind"], message: string) =>
  new McpError({ server, phase: "connect", kind, message })

/** The tools that the entry's filters let through, in the server's order. */
export const offeredTools = ({
  excludeTools,
  includeTools
}: ServerConfig): ((tools: ReadonlyArray<McpTool>) => ReadonlyArray<McpTool>) => {
  if (includeTools === undefined && excludeTools.length === 0) return (tools) => tools
  const included = includeTools === undefined ? () => true : Glob.matcher(includeTools)
  const excluded = Glob.matcher(excludeTools)
  return (tools) => tools.filter(({ name }) => included(name) && !excluded(name))
}
