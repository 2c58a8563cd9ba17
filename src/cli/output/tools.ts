/**
 * The tools of MCP servers as people and scripts read them.
 *
 * @since 0.1.0
 */
import type { McpTool } from "../../mcp/McpSchema.ts"
import type { ServerStatus } from "../../mcp/ServerStatus.ts"
import * as ToolName from "../../mcp/ToolName.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import type { Tool } from "../../tool/Tool.ts"
import type { ToolSet } from "../../tool/ToolRegistry.ts"
import type { Style } from "./Style.ts"
import { shortened, table } from "./table.ts"

/**
 * A server's tool as the JSON contract has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolRow {
  readonly name: string
  readonly server: string
  readonly tool: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: unknown
  readonly outputSchema?: unknown
  readonly annotations?: unknown
  readonly modelName?: string
  readonly skipped?: string
}

/**
 * All tools of servers, sorted by server and tool; those that cannot be offered with the reason.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromSet = (set: ToolSet, statuses: ReadonlyArray<ServerStatus>): ReadonlyArray<ToolRow> =>
  [...set.tools.map((tool) => ({ tool, reason: undefined })), ...set.skipped]
    .flatMap(({ reason, tool }) => row(tool, reason, statuses) ?? [])
    .sort((a, b) => compare(a.server, b.server) || compare(a.tool, b.tool))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const row = (
  { description, inputSchema, name, origin, outputSchema, title }: Tool,
  skipped: string | undefined,
  statuses: ReadonlyArray<ServerStatus>
): ToolRow | undefined => {
  if (origin._tag !== "Mcp") return undefined
  const { server, tool } = origin
  const annotations = listed(server, tool, statuses)?.annotations
  const modelName = ToolName.forModel(name)
  return {
    name,
    server,
    tool,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
    ...(modelName !== name && { modelName }),
    ...(skipped !== undefined && { skipped })
  }
}

const listed = (server: string, tool: string, statuses: ReadonlyArray<ServerStatus>): McpTool | undefined => {
  const status = statuses.find(({ name }) => name === server)
  return status?._tag === "Connected" ? status.tools.find(({ name }) => name === tool) : undefined
}

/**
 * A line for each tool: its name and what it does, as far as the width allows.
 *
 * @since 0.1.0
 * @category formatting
 */
export const rows = (tools: ReadonlyArray<ToolRow>, style: Style, columns: number): string => {
  const widest = Math.max(0, ...tools.map(({ name }) => name.length))
  return table(
    tools.map((tool) => [
      tool.skipped === undefined ? style.cyan(oneLine(tool.name)) : style.dim(oneLine(tool.name)),
      note(tool, style) ?? shortened(oneLine(tool.description), Math.max(20, columns - widest - 2))
    ])
  )
}

const note = ({ modelName, skipped }: ToolRow, style: Style): string | undefined => {
  if (skipped !== undefined) return style.yellow(`not offered: ${oneLine(skipped)}`)
  return modelName === undefined ? undefined : style.dim(`as ${modelName}`)
}
