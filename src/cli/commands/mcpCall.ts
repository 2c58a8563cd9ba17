/**
 * `harness9 mcp call`: one tool of one server, called by a person or a script.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ShellWord from "../../mcp/internal/ShellWord.ts"
import type * as McpClient from "../../mcp/McpClient.ts"
import type { McpTool } from "../../mcp/McpSchema.ts"
import type { ServerConfig } from "../../mcp/ServerConfig.ts"
import * as ToolLock from "../../tool/ToolLock.ts"
import { type CliError, ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import * as Content from "../output/content.ts"
import * as ServerAnswer from "../ServerAnswer.ts"
import { didYouMean } from "../suggest.ts"
import * as Tape from "../Tape.ts"
import * as Tracing from "../Tracing.ts"
import * as ToolArguments from "../toolArguments.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp call",
  summary: "Calls one tool, and connects to its server alone",
  flags: {
    ...options.connecting,
    ...Tape.flags,
    ...Tracing.flags,
    toolTimeout: options.toolTimeout,
    args: Flag.text("args", "JSON", "The whole arguments object; key=value pairs are put over it"),
    json: options.json
  },
  args: {
    server: Flag.required("SERVER", "The server's name in the configuration"),
    tool: Flag.required("TOOL", "The tool's name, as the server has it"),
    pairs: Flag.rest("key=value", "Arguments, typed by the tool's input schema; a key given twice is a list")
  },
  examples: [
    ["harness9 mcp call everything echo message=hi", "one text argument"],
    ["harness9 mcp call everything get-sum a=2 b=3 --json", "numbers, and JSON for a script"],
    ["harness9 mcp call memory create_entities --args '{\"entities\":[]}'", "the whole object"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const tape = yield* Tape.open(input)
      const work = show({ ...input, tape })
      return yield* tape === undefined ? work : tape.whole(work)
    }).pipe(Tracing.around(input, "mcp call"))
})

const show = (input: ServerAnswer.Input & Call) =>
  ServerAnswer.show(input, {
    about: { tool: input.tool },
    ask: callTool(input),
    toJson: ({ durationMs, result: { isError, raw, structuredContent, text, warnings } }) => ({
      isError,
      text,
      content: raw,
      structuredContent,
      warnings,
      durationMs
    }),
    toText: ({ result }) => Content.lines(result.content, result.structuredContent),
    warnings: ({ result }) => result.warnings ?? [],
    exitCode: ({ result }) => (result.isError ? ExitCode.Failed : ExitCode.Done)
  })

interface Call {
  readonly tool: string
  readonly pairs: ReadonlyArray<string>
  readonly args: string | undefined
  readonly tape?: Tape.Tape | undefined
}

const callTool =
  ({ args, pairs, tape, tool }: Call) =>
  (client: McpClient.Service, config: ServerConfig) =>
    Effect.gen(function* () {
      const { inputSchema } = yield* findTool(tool, client.server, yield* client.tools)
      yield* checkLock(tool, config, yield* client.tools)
      const values = yield* ToolArguments.parse(pairs, args, inputSchema)
      const started = yield* Clock.currentTimeMillis
      const result = yield* client.callTool(tool, values)
      const measured = (yield* Clock.currentTimeMillis) - started
      return { result, durationMs: tape === undefined ? measured : yield* tape.duration("call", measured) }
    })

const checkLock = (tool: string, config: ServerConfig, tools: ReadonlyArray<McpTool>): Effect.Effect<void, CliError> =>
  Effect.gen(function* () {
    const { withheld } = yield* ToolLock.ToolLock
    const found = (yield* withheld(config, tools)).get(tool)
    if (found === undefined) return
    const name = ShellWord.quote(`${config.name}/${tool}`)
    return yield* usage(
      `"${tool}" is withheld: ${found.reason}`,
      `harness9 mcp lock --accept ${name} accepts it as it is now`
    )
  })

const findTool = (name: string, server: string, tools: ReadonlyArray<McpTool>): Effect.Effect<McpTool, CliError> =>
  Effect.suspend(() => {
    const tool = tools.find((known) => known.name === name)
    if (tool !== undefined) return Effect.succeed(tool)
    const names = tools.map((known) => known.name)
    return usage(
      `server "${server}" has no tool "${name}"`,
      didYouMean(name, names) ?? `see harness9 mcp tools ${server}`
    )
  })
