/**
 * `harness9 mcp get`: everything about one server.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { JsonObject } from "../../mcp/JsonRpc.ts"
import type { ServerCapabilities } from "../../mcp/McpSchema.ts"
import type { ServerStatus } from "../../mcp/ServerStatus.ts"
import { oneLine, visible } from "../../mcp/VisibleText.ts"
import { ExitCode } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as MaskedEntry from "../maskedEntry.ts"
import * as OfferedTools from "../OfferedTools.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"
import * as ServerView from "../output/servers.ts"
import { table } from "../output/table.ts"
import * as ToolView from "../output/tools.ts"
import * as Servers from "../Servers.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp get",
  summary: "Connects to one server and shows its entry, state, revision, capabilities, instructions and tools",
  flags: { ...options.connecting, json: options.json },
  args: { server: Flag.required("SERVER", "The server's name in the configuration") },
  examples: [
    ["harness9 mcp get everything", "secrets of the entry are masked"],
    ["harness9 mcp get everything --json | jq .capabilities", "for a script"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const config = yield* Servers.load(input)
      const server = yield* Servers.find(config, input.server)
      const { servers, tools } = yield* OfferedTools.list([server], input)
      // Until a person has agreed to a project's entry, it is their own of that name that is used.
      const used = servers[0]?.config ?? server
      const shown = { source: used.source, entry: yield* MaskedEntry.read(used), servers, tools }
      if (input.json) yield* output.line(json({ ...toJson(shown), problems: config.problems }))
      else yield* output.line(lines(shown, output.style, output.columns))
      return ExitCode.Done
    })
})

interface Shown extends Pick<OfferedTools.OfferedTools, "servers" | "tools"> {
  readonly source: string | undefined
  readonly entry: JsonObject
}

const toJson = ({ entry, servers, source, tools }: Shown) => ({
  ...Object.assign({}, ...servers.map(serverToJson)),
  source,
  entry,
  tools
})

const serverToJson = (server: ServerView.Server) => ({
  ...ServerView.toJson(server),
  ...(server.status._tag === "Connected" && {
    negotiation: server.status.negotiation,
    capabilities: server.status.capabilities,
    instructions: server.status.instructions
  })
})

const lines = ({ entry, servers, source, tools }: Shown, style: Style, columns: number): string => {
  const connected = servers.flatMap(({ status }) => (status._tag === "Connected" ? [status] : []))
  const facts = [
    ["file", source ?? ""],
    ...Object.entries(entry).map(([key, value]) => [key, typeof value === "string" ? value : json(value)]),
    ...connected.flatMap(connectedFacts)
  ]
  return [
    ServerView.rows(servers, style),
    table(facts.map(([name = "", value = ""]) => [`  ${style.bold(oneLine(name))}`, oneLine(value)])),
    ...connected.flatMap(({ instructions }) =>
      instructions === undefined ? [] : [`${style.bold("Instructions")}\n${visible(instructions, { newlines: true })}`]
    ),
    ...(tools.length === 0 ? [] : [ToolView.rows(tools, style, columns)])
  ].join("\n\n")
}

const connectedFacts = ({
  capabilities,
  negotiation,
  protocolVersion,
  serverInfo
}: Extract<ServerStatus, { _tag: "Connected" }>) => [
  ["server", `${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`],
  ["revision", negotiation === undefined ? protocolVersion : `${protocolVersion}: ${negotiation.reason}`],
  ["capabilities", declared(capabilities).join(", ") || "none"]
]

const declared = (capabilities: ServerCapabilities): ReadonlyArray<string> =>
  Object.entries(capabilities)
    .flatMap(([name, value]) => (value === undefined ? [] : [name]))
    .sort()
