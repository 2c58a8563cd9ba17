/**
 * The servers of a command line: the configuration that it names, and the Manager that connects them.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Settings from "../engine/Settings.ts"
import { ClientFeatures } from "../mcp/ClientFeatures.ts"
import * as EraStore from "../mcp/EraStore.ts"
import * as McpAuth from "../mcp/McpAuth.ts"
import * as McpConfig from "../mcp/McpConfig.ts"
import type { McpError } from "../mcp/McpError.ts"
import * as McpManager from "../mcp/McpManager.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import * as TransportFactory from "../mcp/TransportFactory.ts"
import * as Trust from "../mcp/Trust.ts"
import * as ToolLock from "../tool/ToolLock.ts"
import { CliError, exitCodeOf, usage } from "./CliError.ts"
import * as CommandFeatures from "./CommandFeatures.ts"
import { didYouMean } from "./suggest.ts"
import type { Tape } from "./Tape.ts"

/**
 * The options that say which servers, and how long to wait for them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly config: string | undefined
  readonly connectTimeout: Duration.Duration | undefined
  readonly toolTimeout?: Duration.Duration | undefined
  /** Whether what a project lists may be started without a person's word. */
  readonly trust?: boolean | undefined
  /** Whether servers that are lost are connected again: for a program that stays. Default: no. */
  readonly supervised?: boolean | undefined
  /** What records or replays them. */
  readonly tape?: Tape | undefined
}

/**
 * Reads the configuration, and logs what is wrong with parts of it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load = ({
  config
}: Pick<Options, "config">): Effect.Effect<McpConfig.McpConfig, CliError, FileSystem.FileSystem> =>
  McpConfig.load({ file: config }).pipe(
    Effect.mapError(({ hint, message }) => usage(message, hint ?? "no other file was read")),
    Effect.tap(({ problems }) => Effect.forEach(problems, logProblem, { discard: true }))
  )

const logProblem = ({ message, path, server }: McpConfig.Problem) => {
  const where = server === undefined ? (path ?? "configuration") : `server "${server}"`
  return Effect.logWarning(`[mcp] ${where}: ${message}`)
}

/**
 * The entry of a server that a command names. Fails with what the configuration has instead.
 *
 * @since 0.1.0
 * @category getters
 */
export const find = (config: McpConfig.McpConfig, name: string): Effect.Effect<ServerConfig, CliError> =>
  Effect.suspend(() => {
    const server = config.servers.find((known) => known.name === name)
    if (server !== undefined) return Effect.succeed(server)
    const problem = config.problems.find((known) => known.server === name)
    if (problem !== undefined) return usage(`server "${name}" cannot be used: ${problem.message}`)
    const names = config.servers.map((known) => known.name)
    const known = names.length === 0 ? "no server is configured" : `the servers are ${names.join(", ")}`
    return usage(`no server is called "${name}"`, didYouMean(name, names) ?? known)
  })

/**
 * The entries with the times that the command line names, and the limits of harness9.json where they have none of their own.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withSettings = (
  servers: ReadonlyArray<ServerConfig>,
  { connectTimeout, toolTimeout }: Pick<Options, "connectTimeout" | "toolTimeout">
): Effect.Effect<ReadonlyArray<ServerConfig>, never, FileSystem.FileSystem> =>
  Effect.map(limits, (limits) =>
    servers.map((server) => ({
      ...server,
      ...(Object.keys(limits).length > 0 && { limits: { ...limits, ...server.limits } }),
      ...(connectTimeout !== undefined && { connectTimeout }),
      ...(toolTimeout !== undefined && { callTimeout: toolTimeout })
    }))
  )

const limits = Settings.load().pipe(
  Effect.map(Settings.limits),
  Effect.catchAll(({ message }) => Effect.as(Effect.logWarning(`[settings] ${message}`), {}))
)

/**
 * The Manager of these servers, on real transports, and the locks of their tools. A time that the command line names wins over
 * the file's.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  servers: ReadonlyArray<ServerConfig>,
  options: Options
): Layer.Layer<McpManager.McpManager, never, FileSystem.FileSystem> => {
  const supervision = options.supervised ? {} : false
  const real = Layer.provideMerge(TransportFactory.layer, logins)
  const configured = Effect.map(withSettings(servers, options), (servers) =>
    McpManager.layerConfig(servers, { supervision })
  )
  const manager = Layer.provide(Layer.unwrapEffect(configured), [
    options.tape === undefined ? real : options.tape.transports(real),
    options.trust ? Trust.trustAll : Trust.layer,
    // What was found out before is no part of a recording.
    options.tape === undefined ? EraStore.layer : EraStore.layerMemory,
    features
  ])
  return Layer.merge(manager, ToolLock.layer)
}

/** Where nobody else takes care of logins, they are told in the log. */
const logins = Layer.unwrapEffect(
  Effect.map(
    Effect.serviceOption(McpAuth.McpAuth),
    Option.match({ onNone: () => McpAuth.layerDefault, onSome: (given) => Layer.succeed(McpAuth.McpAuth, given) })
  )
)

/** What servers may ask, where the program does not say otherwise. */
const features = Layer.unwrapEffect(
  Effect.map(
    Effect.serviceOption(ClientFeatures),
    Option.match({ onNone: () => CommandFeatures.layer, onSome: (given) => Layer.succeed(ClientFeatures, given) })
  )
)

/**
 * A failure of a server that a command needs.
 *
 * @since 0.1.0
 * @category conversions
 */
export const asCliError = (error: McpError): CliError =>
  new CliError({
    exitCode: exitCodeOf(error),
    kind: error.kind,
    message: `server "${error.server}": ${error.message}`,
    hint: [error.hint, error.stderr].filter((part) => part !== undefined && part !== "").join("\n") || undefined
  })
