/**
 * Servers as people and scripts read them.
 *
 * @since 0.1.0
 */
import type { JsonObject } from "../../mcp/JsonRpc.ts"
import type { McpError } from "../../mcp/McpError.ts"
import type { ServerConfig } from "../../mcp/ServerConfig.ts"
import { type ServerStatus, word } from "../../mcp/ServerStatus.ts"
import * as Trust from "../../mcp/Trust.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import { moreOn } from "../CliError.ts"
import { json } from "./json.ts"
import { quoted } from "./quoted.ts"
import type { Style } from "./Style.ts"
import { table } from "./table.ts"

/**
 * A server with what the configuration says of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Server {
  readonly config: ServerConfig
  readonly status: ServerStatus
}

/**
 * Each status beside its entry, in the order of the statuses.
 *
 * @since 0.1.0
 * @category constructors
 */
export const pair = (
  configs: ReadonlyArray<ServerConfig>,
  statuses: ReadonlyArray<ServerStatus>
): ReadonlyArray<Server> =>
  statuses.flatMap((status) => {
    const config = configs.find(({ name }) => name === status.name)
    return config === undefined ? [] : [{ config, status }]
  })

/**
 * An error as the JSON contract has it.
 *
 * @since 0.1.0
 * @category encoding
 */
export const errorToJson = ({ kind, message, stderr }: McpError) => ({
  kind,
  message,
  ...(stderr === undefined ? {} : { stderr })
})

/**
 * A server as the JSON contract has it.
 *
 * @since 0.1.0
 * @category encoding
 */
export const toJson = ({ config, status }: Server) => ({
  name: config.name,
  transport: config.transport._tag,
  status: word(status),
  ...(status._tag === "Connected" && {
    protocolVersion: status.protocolVersion,
    serverInfo: status.serverInfo,
    toolCount: status.tools.length,
    connectMs: Math.round(status.connectMs)
  }),
  ...("error" in status && { error: errorToJson(status.error) }),
  ...(status._tag === "NeedsApproval" && { entry: config.consent?.entry })
})

/**
 * A row for each server, and under a server that is not usable what to know of it.
 *
 * @since 0.1.0
 * @category formatting
 */
export const rows = (servers: ReadonlyArray<Server>, style: Style): string => {
  const lines = table(servers.map((server) => row(server, style))).split("\n")
  return servers
    .flatMap((server, index) => [lines[index] ?? "", ...troubles(server.status, style), ...wanted(server, style)])
    .join("\n")
}

const row = ({ config, status }: Server, style: Style): ReadonlyArray<string> => [
  `${mark(status, style)} ${oneLine(config.name)}`,
  config.transport._tag,
  word(status),
  ...(status._tag === "Connected"
    ? [
        `${status.tools.length} ${status.tools.length === 1 ? "tool" : "tools"}`,
        status.protocolVersion,
        style.dim(
          `${oneLine(status.serverInfo.name)} ${oneLine(status.serverInfo.version)}, ${seconds(status.connectMs)}`
        )
      ]
    : [])
]

/**
 * `●` connected, `○` not yet, `✗` failed, `–` switched off; in its colour.
 *
 * @since 0.1.0
 * @category formatting
 */
export const mark = (status: ServerStatus, style: Style): string => {
  switch (status._tag) {
    case "Connected":
      return style.green("●")
    case "Failed":
      return style.red("✗")
    case "Disabled":
      return style.dim("–")
    default:
      return style.yellow("○")
  }
}

/**
 * What is wrong with a server and what to try, a line each, indented.
 *
 * @since 0.1.0
 * @category formatting
 */
export const troubles = (status: ServerStatus, style: Style): ReadonlyArray<string> => {
  if (!("error" in status)) return []
  const { hint, kind, message, stderr } = status.error
  return [
    `    ${style.red(oneLine(message))}`,
    ...(hint === undefined ? [] : [`    ${oneLine(hint)}`]),
    ...quoted(stderr ?? "", "    ", style),
    style.dim(`    ${moreOn(kind)}`)
  ]
}

/** What a server that waits for a person's word would start, and how to give it. */
const wanted = ({ config, status }: Server, style: Style): ReadonlyArray<string> =>
  status._tag === "NeedsApproval"
    ? [...entryLines(config.consent?.entry ?? {}, style), `    ${oneLine(Trust.hint(status.name))}`]
    : []

/**
 * An entry whose credentials are masked, a line for each field, indented.
 *
 * @since 0.1.0
 * @category formatting
 */
export const entryLines = (entry: JsonObject, style: Style): ReadonlyArray<string> =>
  table(
    Object.entries(entry).map(([field, value]) => [
      `    ${style.dim(oneLine(field))}`,
      oneLine(typeof value === "string" ? value : json(value))
    ])
  )
    .split("\n")
    .filter((line) => line !== "")

const seconds = (millis: number): string => `${(millis / 1000).toFixed(millis < 995 ? 2 : 1)} s`
