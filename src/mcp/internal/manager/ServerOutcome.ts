/**
 * What becomes of a server: its status for each way in which connecting ends, the tools it offers, and why it has no client.
 */
import * as Cause from "effect/Cause"
import * as Either from "effect/Either"
import { McpError, withHint } from "../../McpError.ts"
import type { McpTool } from "../../McpSchema.ts"
import type { ServerConfig } from "../../ServerConfig.ts"
import { ServerStatus } from "../../ServerStatus.ts"
import type * as Supervision from "../../Supervision.ts"
import * as Trust from "../../Trust.ts"
import * as Glob from "../Glob.ts"

/** The status of a server that cannot be used for this reason. */
export const unusable = (name: string, error: McpError): ServerStatus =>
  error.kind === "needs-auth" ? ServerStatus.NeedsAuth({ name, error }) : ServerStatus.Failed({ name, error })

/** The status of a server while it is connected for another time. */
export const tryingAgain = (before: ServerStatus, { attempt }: Supervision.History, now: number): ServerStatus => {
  const { name } = before
  return "error" in before
    ? ServerStatus.Reconnecting({ name, error: before.error, attempt: Math.max(1, attempt), nextTryAt: now })
    : ServerStatus.Pending({ name })
}

/** Whether a use of the server may lead to another attempt: nobody has switched it off, and it waits for nobody. */
export const canBeTried = ({ _tag }: ServerStatus): boolean => _tag === "Failed" || _tag === "Reconnecting"

/** The reason why connecting ended; a defect of a transport is a failure of that server alone. */
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
  Reconnecting: ({ attempt, error }) => withHint(`It is being connected again (attempt ${attempt}).`)(error),
  NeedsAuth: ({ error }) => error,
  NeedsApproval: ({ name }) => unapproved(name),
  Disabled: ({ name }) => notUsable(name, "disabled", "the server is disabled")
})

/** The error of a server that waits for a person's word. */
export const unapproved = (server: string): McpError =>
  new McpError({
    server,
    phase: "config",
    kind: "needs-approval",
    message: "the server comes with the project, and nobody has agreed to it yet",
    hint: Trust.hint(server)
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
