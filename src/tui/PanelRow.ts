/**
 * The rows of the full-screen views: each is one line of the screen, so that only those in sight are drawn.
 *
 * @since 0.1.0
 */
import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import * as Option from "effect/Option"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import type { Waiting } from "../mcp/auth/LoginPrompt.ts"
import type { McpError } from "../mcp/McpError.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import type { ServerStatus } from "../mcp/ServerStatus.ts"
import * as ToolName from "../mcp/ToolName.ts"
import { oneLine, visible } from "../mcp/VisibleText.ts"
import type { Tool, Withheld } from "../tool/Tool.ts"
import { type ToolSet, withheldOf } from "../tool/ToolRegistry.ts"
import { duration } from "./Elapsed.ts"
import * as ServerSays from "./ServerSays.ts"
import * as ServerView from "./ServerView.ts"
import * as ToolFilter from "./ToolFilter.ts"
import type { Call } from "./Transcript.ts"

/**
 * - `Server`: a server and what is known of its connection
 * - `Tool`: a tool's name. `key` is what unfolding it is remembered by
 * - `Line`: text, cut at the edge
 * - `Link`: a part of an address, without anything beside it, so that it can be copied
 * - `Session`: a conversation of before, by its first prompt
 * - `More`: tools that are not shown until the server is unfolded
 *
 * @since 0.1.0
 * @category models
 */
export type PanelRow = Data.TaggedEnum<{
  Server: { readonly status: ServerStatus; readonly detail: string }
  Tool: { readonly key: string; readonly name: string; readonly server: string | undefined }
  Line: { readonly text: string; readonly indent: number; readonly tone: "plain" | "muted" | "bad" | "heading" }
  Link: { readonly text: string; readonly href: string }
  Session: { readonly id: string; readonly text: string }
  More: { readonly server: string; readonly count: number }
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const PanelRow = Data.taggedEnum<PanelRow>()

/**
 * What of a view is unfolded, and which tools are looked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Folding {
  /** Servers by name: unfolded or folded by a person. */
  readonly servers: ReadonlyMap<string, boolean>
  /** Tools whose whole description is shown. */
  readonly tools: ReadonlySet<string>
  readonly filter: string
  /** Servers of which it is shown what they say of themselves, and log. */
  readonly says?: ReadonlySet<string> | undefined
}

/** With more tools than this, a server shows its first few until it is unfolded. */
const foldAbove = 100
const folded = 10
/** What a filter finds beyond this is counted. */
const mostFound = 200

/**
 * Whether the row can be selected.
 *
 * @since 0.1.0
 * @category guards
 */
export const isSelectable = (row: PanelRow): boolean => row._tag !== "Line" && row._tag !== "Link"

/**
 * What `/mcp` shows.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServersInput {
  readonly statuses: ReadonlyArray<ServerStatus>
  readonly configs: ReadonlyMap<string, ServerConfig>
  readonly stderr: ReadonlyMap<string, string>
  readonly logins: ReadonlyMap<string, Waiting>
  readonly toolSet: ToolSet
  readonly logs: ServerSays.Logs
  readonly width: number
}

/**
 * The rows of `/mcp`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofServers = (input: ServersInput, folding: Folding): ReadonlyArray<PanelRow> =>
  input.statuses.flatMap((status) => {
    const rows = status._tag === "Connected" ? connected(status, folding, input) : troubled(status, input)
    const wanted = status._tag === "Connected" ? rows.length > 0 : ToolFilter.names(status.name, folding.filter)
    if (folding.filter !== "" && !wanted) return []
    const detail = details(status, input.configs.get(status.name))
    const says = folding.says?.has(status.name) === true ? ServerSays.texts(status, input.logs) : []
    const said = says.flatMap(({ text, tone }) => lines(text, 4, input.width, tone))
    return [PanelRow.Server({ status, detail }), ...said, ...rows, blank]
  })

const blank = PanelRow.Line({ text: "", indent: 0, tone: "plain" })

const connected = (
  status: Extract<ServerStatus, { readonly _tag: "Connected" }>,
  folding: Folding,
  { toolSet, width }: ServersInput
): ReadonlyArray<PanelRow> => {
  const tools = ToolFilter.find(status.tools, status.name, folding.filter)
  const open = folding.servers.get(status.name)
  const count = shownOf(tools.length, open, folding.filter)
  const withheldByName = withheldOf(toolSet, status.name)
  const rows = tools
    .slice(0, count)
    .flatMap((tool) => {
      const withheld = withheldByName.get(tool.name)
      const [name, ...about] = toolRows(
        { server: status.name, name: tool.name, description: tool.description },
        folding,
        width
      )
      return name === undefined || withheld === undefined ? [name, ...about] : [name, ...withheldRows(withheld, width)]
    })
    .filter((row) => row !== undefined)
  return count < tools.length ? [...rows, PanelRow.More({ server: status.name, count: tools.length - count })] : rows
}

const shownOf = (count: number, open: boolean | undefined, filter: string): number => {
  if (filter !== "") return Math.min(count, mostFound)
  if (open === undefined) return count > foldAbove ? folded : count
  return open ? count : 0
}

/** What has changed, field by field, before the person accepts it. */
const withheldRows = ({ differences, reason }: Withheld, width: number): ReadonlyArray<PanelRow> => [
  ...lines(`withheld: ${reason}; a accepts it`, 4, width, "bad"),
  ...differences.flatMap(({ after, before, field }) => [
    ...lines(field, 6, width, "muted"),
    ...(before === undefined ? [] : lines(`- ${written(before)}`, 6, width, "plain")),
    ...(after === undefined ? [] : lines(`+ ${written(after)}`, 6, width, "plain"))
  ])
]

const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const toolRows = (
  tool: { readonly server: string | undefined; readonly name: string; readonly description: string },
  folding: Folding,
  width: number
): ReadonlyArray<PanelRow> => {
  const key = `${tool.server ?? ""}\n${tool.name}`
  const name = PanelRow.Tool({ key, name: tool.name, server: tool.server })
  if (tool.description.trim() === "") return [name]
  if (!folding.tools.has(key)) return [name, PanelRow.Line({ text: tool.description, indent: 4, tone: "muted" })]
  return [name, ...lines(tool.description, 4, width, "plain")]
}

const troubled = (
  status: Exclude<ServerStatus, { readonly _tag: "Connected" }>,
  { configs, logins, stderr, width }: ServersInput
): ReadonlyArray<PanelRow> => {
  switch (status._tag) {
    case "Pending":
    case "Disabled":
      return []
    case "NeedsApproval":
      return [
        ...lines("comes with this project, and nobody has agreed to it yet: a agrees to", 4, width, "plain"),
        ...Object.entries(configs.get(status.name)?.consent?.entry ?? {}).flatMap(([field, value]) =>
          lines(`${field}: ${written(value)}`, 6, width, "plain")
        )
      ]
    case "NeedsAuth":
      return [...reasons(status.error, "", width, "l logs in"), ...loginRows(logins.get(status.name), width)]
    case "Failed":
    case "Reconnecting":
      return reasons(status.error, stderr.get(status.name) ?? "", width)
  }
}

const loginRows = (login: Waiting | undefined, width: number): ReadonlyArray<PanelRow> =>
  login === undefined
    ? []
    : [
        ...lines(login.opened ? "log in in the browser that was opened, or at" : "log in at", 4, width, "plain"),
        ...address(login.url.href, width),
        ...lines(
          `a browser on another machine ends at ${login.redirectUri}… and finds nothing: paste that whole address here`,
          4,
          width,
          "muted"
        )
      ]

const address = (href: string, width: number): ReadonlyArray<PanelRow> =>
  wrapAnsi(href, Math.max(20, width - 2), { hard: true, trim: false, wordWrap: false })
    .split("\n")
    .map((text) => PanelRow.Link({ text, href }))

const stderrLines = 6

const reasons = (
  error: McpError,
  stderr: string,
  width: number,
  hint = error.hint ?? `harness9 mcp doctor ${error.server}`
): ReadonlyArray<PanelRow> => {
  const said = (error.stderr ?? stderr).trimEnd().split("\n").slice(-stderrLines)
  return [
    ...lines(error.message, 4, width, "bad"),
    ...said.filter((line) => line.trim() !== "").map((line) => muted(`stderr │ ${oneLine(line)}`)),
    ...lines(`try: ${hint}`, 4, width, "plain")
  ]
}

const muted = (text: string): PanelRow => PanelRow.Line({ text, indent: 4, tone: "muted" })

const lines = (text: string, indent: number, width: number, tone: "plain" | "muted" | "bad"): ReadonlyArray<PanelRow> =>
  wrapAnsi(visible(text.trim(), { newlines: true }).replaceAll("\t", "  "), Math.max(20, width - indent - 3), {
    hard: true,
    trim: false
  })
    .split("\n")
    .map((line) => PanelRow.Line({ text: line, indent, tone }))

const details = (status: ServerStatus, config: ServerConfig | undefined): string => {
  const transport = config?.transport._tag
  const parts =
    status._tag === "Connected" ? [transport, status.protocolVersion, duration(status.connectMs)] : [transport]
  return parts.filter((part) => part !== undefined).join(" · ")
}

/**
 * The name of a tool row as the model knows it.
 *
 * @since 0.1.0
 * @category formatting
 */
export const toolName = ({ name, server }: Extract<PanelRow, { readonly _tag: "Tool" }>): string =>
  oneLine(server === undefined ? name : ToolName.make(server, name))

/**
 * The rows of `/tools`: what the model is offered, and what it is not and why.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofTools = ({ skipped, tools }: ToolSet, folding: Folding, width: number): ReadonlyArray<PanelRow> => {
  const offered = groupsOf(tools).flatMap((members) => {
    const origin = originOf(members[0])
    const rows = ToolFilter.find(members, origin, folding.filter).flatMap(({ description, name }) =>
      toolRows({ server: undefined, name, description }, folding, width)
    )
    const text = `${oneLine(origin)}  ${ServerView.counted(members.length, "tool")}`
    return rows.length === 0 ? [] : [PanelRow.Line({ text, indent: 0, tone: "heading" }), ...rows, blank]
  })
  const left = skipped.filter(({ tool }) => ToolFilter.find([tool], "", folding.filter).length > 0)
  if (left.length === 0) return offered
  const rows = left.flatMap(({ reason, tool }) => [
    PanelRow.Tool({ key: `skipped\n${tool.name}`, name: tool.name, server: undefined }),
    PanelRow.Line({ text: reason, indent: 4, tone: "bad" })
  ])
  return [...offered, PanelRow.Line({ text: "not offered", indent: 0, tone: "heading" }), ...rows]
}

const groups = new WeakMap<ToolSet["tools"], ReadonlyArray<Arr.NonEmptyArray<Tool>>>()

/** The tools by where they come from. The same tools give the same groups, so that a filter knows them again. */
const groupsOf = (tools: ToolSet["tools"]): ReadonlyArray<Arr.NonEmptyArray<Tool>> => {
  const known = groups.get(tools)
  if (known !== undefined) return known
  const made = Arr.isNonEmptyReadonlyArray(tools)
    ? Arr.groupWith(tools, (left, right) => originOf(left) === originOf(right))
    : []
  groups.set(tools, made)
  return made
}

const originOf = ({ origin }: Tool): string => (origin._tag === "Builtin" ? "built in" : origin.server)

/**
 * The rows of one tool call: its arguments and its result in full.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofCall = (call: Call, width: number): ReadonlyArray<PanelRow> => {
  const result = Option.fromNullable(call.outcome).pipe(
    Option.map(({ isError, text, warnings = [] }) => [
      ...lines(text === "" ? "(nothing)" : text, 2, width, isError ? "bad" : "plain"),
      ...warnings.flatMap((warning) => lines(`! ${warning}`, 2, width, "bad"))
    ]),
    Option.getOrElse(() => [muted("running")])
  )
  return [
    PanelRow.Line({ text: "arguments", indent: 0, tone: "heading" }),
    ...lines(JSON.stringify(call.arguments, undefined, 2), 2, width, "plain"),
    blank,
    PanelRow.Line({ text: "result", indent: 0, tone: "heading" }),
    ...result
  ]
}

/**
 * How wide a text is on the screen.
 *
 * @since 0.1.0
 * @category formatting
 */
export const measure: (text: string) => number = stringWidth
