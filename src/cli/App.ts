/**
 * The whole program behind a conversation with the model: servers, tools, permissions, model and engine, wired once.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Engine from "../engine/Engine.ts"
import * as ModelSwitch from "../engine/model/ModelSwitch.ts"
import type { Permission } from "../engine/Permission.ts"
import * as ProjectInstructions from "../engine/ProjectInstructions.ts"
import * as ServerInstructions from "../engine/ServerInstructions.ts"
import * as Settings from "../engine/Settings.ts"
import * as Browser from "../mcp/auth/Browser.ts"
import type { LoginPrompt } from "../mcp/auth/LoginPrompt.ts"
import * as TokenStore from "../mcp/auth/TokenStore.ts"
import type { ClientFeatures } from "../mcp/ClientFeatures.ts"
import * as McpAuth from "../mcp/McpAuth.ts"
import * as McpConfig from "../mcp/McpConfig.ts"
import * as McpManager from "../mcp/McpManager.ts"
import * as Sandbox from "../mcp/Sandbox.ts"
import { type ServerStatus, word } from "../mcp/ServerStatus.ts"
import * as Trust from "../mcp/Trust.ts"
import * as BuiltinTools from "../tool/BuiltinTools.ts"
import * as McpToolAdapter from "../tool/McpToolAdapter.ts"
import * as SkillCatalogue from "../tool/SkillCatalogue.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as BashSandbox from "./bashSandbox.ts"
import { CliError, ExitCode, exitCodeOf, usage } from "./CliError.ts"
import * as Servers from "./Servers.ts"
import * as Sessions from "./Sessions.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Servers.Options {
  readonly model: string | undefined
  /** What confines `bash`. */
  readonly sandbox: BashSandbox.Mode
  /** Whether nothing is kept of the conversation. */
  readonly noSession: boolean
}

/**
 * Everything, rooted in the working directory. No server is started yet. `features` are what servers may ask for.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <R, R2>(
  options: Options,
  permission: Layer.Layer<Permission, never, R>,
  features: Layer.Layer<ClientFeatures, never, R2>,
  config: ReturnType<typeof Servers.load> = options.tape?.config ?? Servers.load(options)
) => {
  const { tape } = options
  const live = Layer.mapError(ModelSwitch.layer(options.model), ({ message }) => usage(message))
  const model = tape === undefined ? live : tape.model(live)
  const servers = Layer.unwrapEffect(
    Effect.map(config, ({ servers }) => Servers.layer(servers, { ...options, supervised: true }))
  ).pipe(Layer.provide(features), Layer.provide(model))
  const tools = Layer.mergeAll(builtinTools(options), mcpTools, SkillCatalogue.layer).pipe(
    Layer.provideMerge(ToolRegistry.layer),
    Layer.provideMerge(servers)
  )
  return Layer.merge(engine(options), Sessions.layer(options)).pipe(
    Layer.provide(permission),
    Layer.provideMerge(model),
    Layer.provideMerge(tools)
  )
}

/**
 * The configuration, or none where it cannot be read: for those who can mend it while the program runs.
 *
 * @since 0.1.0
 * @category constructors
 */
export const usableConfig = (options: Options) => Effect.orElseSucceed(Servers.load(options), () => McpConfig.empty)

/**
 * Logins for a person in front of a `LoginPrompt`.
 *
 * @since 0.1.0
 * @category layers
 */
export const logins: Layer.Layer<McpAuth.McpAuth, never, LoginPrompt> = Layer.provide(
  McpAuth.layer,
  Layer.merge(TokenStore.layer, Browser.layer)
)

const builtinTools = (options: Options) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { tape } = options
      const sandbox = tape?.isLive === false ? undefined : BashSandbox.make(options.sandbox)
      if (sandbox !== undefined) {
        yield* Effect.mapError(Sandbox.available, ({ hint, message }) => usage(`no sandbox for bash: ${message}`, hint))
      }
      return BuiltinTools.layer({ root: process.cwd(), sandbox, through: tape?.tool })
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
    Effect.gen(function* () {
      const { statuses } = yield* McpManager.McpManager
      const skills = yield* SkillCatalogue.SkillCatalogue
      const fs = yield* FileSystem.FileSystem
      const settings = yield* Effect.option(Settings.load())
      return Engine.layer({
        instructions: Effect.provideService(ProjectInstructions.load(process.cwd()), FileSystem.FileSystem, fs),
        systemContext: Effect.zipWith(statuses, skills.prompt, (all, skills) =>
          [...all.flatMap(ServerInstructions.of), skills].join("\n\n")
        ),
        notices: Effect.map(statuses, (all) => all.flatMap(notice)),
        toolTimeout,
        compactAt: Option.getOrUndefined(Option.map(settings, Settings.compactAt))
      })
    })
  )

const notice = (status: ServerStatus): ReadonlyArray<string> => {
  switch (status._tag) {
    case "Failed":
    case "NeedsAuth":
      return [`The MCP server "${status.name}" is not usable: ${status.error.message}`]
    case "Reconnecting":
      return [`The MCP server "${status.name}" is not connected, which is tried again: ${status.error.message}`]
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
    kind: error?.kind,
    message: `the required server "${status.name}" is not connected: ${error?.message ?? word(status)}`,
    hint: status._tag === "NeedsApproval" ? Trust.hint(status.name) : (error?.hint ?? error?.stderr)
  })
}
