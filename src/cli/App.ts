/**
 * The whole program behind a conversation with the model: servers, tools, permissions, model and engine, wired once.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Engine from "../engine/Engine.ts"
import * as Model from "../engine/model/Model.ts"
import type { Permission } from "../engine/Permission.ts"
import * as McpManager from "../mcp/McpManager.ts"
import * as Sandbox from "../mcp/Sandbox.ts"
import { type ServerStatus, word } from "../mcp/ServerStatus.ts"
import * as Trust from "../mcp/Trust.ts"
import * as BuiltinTools from "../tool/BuiltinTools.ts"
import * as McpToolAdapter from "../tool/McpToolAdapter.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as BashSandbox from "./bashSandbox.ts"
import { CliError, ExitCode, exitCodeOf, usage } from "./CliError.ts"
import * as Servers from "./Servers.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Servers.Options {
  readonly model: string | undefined
  /** What confines `bash`. */
  readonly sandbox: BashSandbox.Mode
}

/**
 * Everything, rooted in the working directory. No server is started yet.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <R>(options: Options, permission: Layer.Layer<Permission, never, R>) => {
  const servers = Layer.unwrapEffect(
    Effect.map(Servers.load(options), (config) => Servers.layer(config.servers, options))
  )
  const tools = Layer.mergeAll(builtinTools(options), mcpTools).pipe(
    Layer.provideMerge(ToolRegistry.layer),
    Layer.provideMerge(servers)
  )
  const model = Layer.mapError(Model.layer(options.model), ({ message }) => usage(message))
  return engine(options).pipe(Layer.provide(permission), Layer.provide(model), Layer.provideMerge(tools))
}

const builtinTools = (options: Options) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const sandbox = BashSandbox.make(options.sandbox)
      if (sandbox !== undefined) {
        yield* Effect.mapError(Sandbox.available, ({ hint, message }) => usage(`no sandbox for bash: ${message}`, hint))
      }
      return BuiltinTools.layer({ root: process.cwd(), sandbox })
    })
  )

/** Each server's tools join the registry as soon as it is ready, and follow it from then on. */
const mcpTools = Layer.scopedDiscard(
  Effect.gen(function* () {
    yield* McpToolAdapter.inject(yield* McpManager.McpManager, yield* ToolRegistry.ToolRegistry)
  })
)

const engine = ({ toolTimeout }: Options) =>
  Layer.unwrapEffect(
    Effect.map(McpManager.McpManager, ({ statuses }) =>
      Engine.layer({
        systemContext: Effect.map(statuses, (all) => all.flatMap(instructions).join("\n\n")),
        notices: Effect.map(statuses, (all) => all.flatMap(notice)),
        toolTimeout
      })
    )
  )

const instructions = (status: ServerStatus): ReadonlyArray<string> =>
  status._tag === "Connected" && status.instructions !== undefined
    ? [`The MCP server "${status.name}" says of itself:\n${status.instructions}`]
    : []

const notice = (status: ServerStatus): ReadonlyArray<string> => {
  switch (status._tag) {
    case "Failed":
    case "NeedsAuth":
      return [`The MCP server "${status.name}" is not usable: ${status.error.message}`]
    case "NeedsApproval":
      return [`The MCP server "${status.name}" is not usable until a person has agreed to what it starts`]
    default:
      return []
  }
}

/**
 * Waits until every server has settled and its tools are there. Fails when one that the run requires is not connected.
 *
 * @since 0.1.0
 * @category combinators
 */
export const settled = Effect.gen(function* () {
  const manager = yield* McpManager.McpManager
  yield* manager.start
  yield* McpToolAdapter.sync(manager, yield* ToolRegistry.ToolRegistry)
  const required = (yield* manager.servers).filter((server) => server.required).map(({ name }) => name)
  const failed = (yield* manager.statuses).find(({ _tag, name }) => _tag !== "Connected" && required.includes(name))
  if (failed !== undefined) return yield* notConnected(failed)
})

const notConnected = (status: ServerStatus): CliError => {
  const error = "error" in status ? status.error : undefined
  return new CliError({
    exitCode: error === undefined ? ExitCode.NoConnection : exitCodeOf(error),
    message: `the required server "${status.name}" is not connected: ${error?.message ?? word(status)}`,
    hint: status._tag === "NeedsApproval" ? Trust.hint(status.name) : (error?.hint ?? error?.stderr)
  })
}
