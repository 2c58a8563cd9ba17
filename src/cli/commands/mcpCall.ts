/**
 * `harness9 mcp call`: one tool of one server, called by a person or a script.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { McpError } from "../../mcp/McpError.ts"
import { McpManager } from "../../mcp/McpManager.ts"
import type { McpTool, ToolCallResult } from "../../mcp/McpSchema.ts"
import { CliError, ExitCode, exitCodeOf, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import * as Content from "../output/content.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import * as Servers from "../Servers.ts"
import { didYouMean } from "../suggest.ts"
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
      const output = yield* Output
      const server = yield* Servers.find(yield* Servers.load(input), input.server)
      const called = yield* callTool(input).pipe(Effect.either, Effect.provide(Servers.layer([server], input)))
      if (Either.isRight(called)) return yield* show(input, called.right)
      const error = called.left
      if (error._tag === "CliError" || !input.json) return yield* asCliError(error)
      const { kind, message } = error
      yield* output.line(json({ server: input.server, tool: input.tool, error: { kind, message } }))
      return exitCodeOf(error)
    })
})

interface Call {
  readonly server: string
  readonly tool: string
  readonly pairs: ReadonlyArray<string>
  readonly args: string | undefined
}

interface Called {
  readonly result: ToolCallResult
  readonly durationMs: number
}

const callTool = ({ args, pairs, server, tool }: Call) =>
  Effect.gen(function* () {
    const manager = yield* McpManager
    yield* manager.start
    const client = yield* manager.client(server)
    const { inputSchema } = yield* findTool(tool, server, yield* client.tools)
    const values = yield* ToolArguments.parse(pairs, args, inputSchema)
    const started = yield* Clock.currentTimeMillis
    const result = yield* client.callTool(tool, values)
    return { result, durationMs: (yield* Clock.currentTimeMillis) - started }
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

const show = (
  { json: asJson, server, tool }: { readonly json: boolean; readonly server: string; readonly tool: string },
  { durationMs, result }: Called
) =>
  Effect.gen(function* () {
    const output = yield* Output
    const { content, isError, raw, structuredContent, text } = result
    yield* output.line(
      asJson
        ? json({ server, tool, isError, text, content: raw, structuredContent, durationMs })
        : Content.lines(content, structuredContent)
    )
    return isError ? ExitCode.Failed : ExitCode.Done
  })

const asCliError = (error: CliError | McpError): CliError =>
  error._tag === "CliError"
    ? error
    : new CliError({
        exitCode: exitCodeOf(error),
        message: `server "${error.server}": ${error.message}`,
        hint: [error.hint, error.stderr].filter((part) => part !== undefined && part !== "").join("\n") || undefined
      })
