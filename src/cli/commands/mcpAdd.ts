/**
 * `harness9 mcp add`: a server written into the configuration, after it has been seen to work.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { JsonObject } from "../../mcp/JsonRpc.ts"
import type { McpError } from "../../mcp/McpError.ts"
import * as ToolName from "../../mcp/ToolName.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import * as Added from "../added.ts"
import { CliError, ExitCode, exitCodeOf, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as ConfigFile from "../ConfigFile.ts"
import * as Flag from "../Flag.ts"
import * as NewEntry from "../newEntry.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"
import { shortened, table } from "../output/table.ts"
import * as Probe from "../probe.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp add",
  summary: "Adds a server to the configuration, after it has been seen to work",
  details:
    "A URL is tried as Streamable HTTP and then as the HTTP+SSE of 2024. The server's tools and the entry are shown, and only then it is\n" +
    "written; the rest of the file stays as it is. ${VAR} in values is looked up when the server is connected: secrets stay out of the file.",
  flags: {
    ...ConfigFile.flags,
    env: Flag.texts("env", "KEY=VALUE", "A variable for the command; KEY alone passes your own on"),
    header: Flag.texts("header", "'KEY: VALUE'", "Sent with every request to the URL"),
    transport: Flag.choice("transport", ["stdio", "http", "sse"], "How to speak to it; else it is found out"),
    noCheck: Flag.toggle("no-check", "Write the entry without connecting"),
    ...Added.flags,
    connectTimeout: options.connectTimeout
  },
  args: {
    name: Flag.required("NAME", "What to call the server; its tools become mcp__NAME__…"),
    target: Flag.rest("URL | -- COMMAND ARG", "Its address, or the program that is the server")
  },
  examples: [
    ["harness9 mcp add docs https://example.com/mcp --header 'Authorization: Bearer ${DOCS_TOKEN}'", "an address"],
    ["harness9 mcp add fs -- npx -y @modelcontextprotocol/server-filesystem .", "a program"],
    ["harness9 mcp add github --scope user --env GITHUB_TOKEN -- docker run -i …", "for all your projects"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const name = yield* NewEntry.checkName(input.name)
      const entry = yield* NewEntry.make(input)
      const file = yield* ConfigFile.open(input)
      yield* Added.checkFree(file, name, input.force)
      const checked = yield* (input.noCheck ? unchecked : connected)(file, input, entry)
      if (Either.isLeft(checked)) return yield* refused(input, checked.left)
      const { found } = checked.right
      if (found !== undefined && !input.json) yield* output.line(tools(name, found, output.style, output.columns))
      const more = found === undefined ? {} : { check: checkToJson(name, found) }
      yield* Added.write(file, name, checked.right, { ...input, more })
      return ExitCode.Done
    })
})

interface Input {
  readonly name: string
  readonly transport: "stdio" | "http" | "sse" | undefined
  readonly connectTimeout: Parameters<typeof Probe.run>[1]
  readonly json: boolean
}

interface Checked extends Added.Checked {
  readonly found?: Probe.Found
}

const unchecked = (file: ConfigFile.ConfigFile, { name }: Input, entry: JsonObject) =>
  Effect.gen(function* () {
    const { problems, server } = yield* ConfigFile.check(file, name, entry, { expand: false })
    if (server === undefined) return yield* usage(problems.join("; "))
    return Either.right<Checked>({ entry, notes: problems, secrets: server.secrets })
  })

/** What the server is, or why it could not be connected. That it wants a login is no reason to leave it out. */
const connected = (file: ConfigFile.ConfigFile, { connectTimeout, name, transport }: Input, entry: JsonObject) =>
  Effect.gen(function* () {
    const { problems, server } = yield* ConfigFile.check(file, name, entry, { expand: true })
    if (server === undefined)
      return yield* usage(problems.join("; "), "nothing was written; --no-check adds it as it is")
    const { secrets } = server
    const probed = yield* Effect.either(Probe.run(server, connectTimeout))
    return Either.match(probed, {
      onLeft: (error): Either.Either<Checked, McpError> =>
        error.kind === "needs-auth" && !hasCredentials(entry)
          ? Either.right({ entry, notes: [...problems, "the server wants a login before it shows its tools"], secrets })
          : Either.left(error),
      onRight: (found) => {
        const isSse = transport === undefined && found.transport === "sse"
        return Either.right({ entry: isSse ? { ...entry, type: "sse" } : entry, found, notes: problems, secrets })
      }
    })
  })

const hasCredentials = ({ headers }: JsonObject): boolean =>
  Object.keys(headers ?? {}).some((key) => key.toLowerCase() === "authorization")

const refused = ({ json: asJson, name }: Input, error: McpError) =>
  Effect.gen(function* () {
    const { hint, kind, message, stderr } = error
    if (!asJson) {
      return yield* new CliError({
        exitCode: exitCodeOf(error),
        kind,
        message: `"${name}" was not added: ${message}`,
        hint: [hint, stderr, "--no-check adds it all the same"]
          .filter((part) => part !== undefined && part !== "")
          .join("\n")
      })
    }
    const output = yield* Output
    yield* output.line(json({ name, error: { kind, message, hint, stderr } }))
    return exitCodeOf(error)
  })

const checkToJson = (name: string, found: Probe.Found) => ({
  transport: found.transport,
  serverInfo: found.serverInfo,
  protocolVersion: found.protocolVersion,
  connectMs: found.connectMs,
  warnings: found.warnings,
  tools: found.tools.map((tool) => ({
    name: ToolName.make(name, tool.name),
    tool: tool.name,
    description: tool.description
  }))
})

const tools = (name: string, found: Probe.Found, style: Style, columns: number): string => {
  const { serverInfo, tools } = found
  const names = tools.map((tool) => oneLine(ToolName.make(name, tool.name)))
  const widest = Math.max(0, ...names.map((shown) => shown.length))
  const rows = tools.map((tool, index) => [
    `  ${style.cyan(names[index] ?? "")}`,
    shortened(oneLine(tool.description), Math.max(20, columns - widest - 4))
  ])
  const title =
    `${style.green("●")} ${oneLine(serverInfo.name)} ${oneLine(serverInfo.version)} over ${found.transport}, ` +
    `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`
  return [title, ...(rows.length === 0 ? [] : [table(rows)])].join("\n")
}
