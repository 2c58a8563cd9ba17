/**
 * The whole program behind `harness9 mcp serve`: the servers, their tools in the registry, and the gateway to them.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as PersonRequests from "../engine/PersonRequests.ts"
import * as ClientFeatures from "../mcp/ClientFeatures.ts"
import { McpManager } from "../mcp/McpManager.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import * as Audit from "../serve/Audit.ts"
import type { Prefix } from "../serve/Catalogue.ts"
import * as Clients from "../serve/Clients.ts"
import * as Gateway from "../serve/Gateway.ts"
import * as Rules from "../serve/Rules.ts"
import * as McpToolAdapter from "../tool/McpToolAdapter.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import { type CliError, usage } from "./CliError.ts"
import * as Servers from "./Servers.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Servers.Options {
  readonly prefix: Prefix
  readonly search: boolean
  /** The file that gets a line for each call. */
  readonly audit: string | undefined
}

/**
 * The gateway to these servers. None is started yet.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  servers: ReadonlyArray<ServerConfig>,
  options: Options
): Layer.Layer<
  Gateway.Gateway | Clients.Clients | McpManager | ToolRegistry.ToolRegistry,
  CliError,
  FileSystem.FileSystem
> =>
  Layer.scoped(Gateway.Gateway, gateway(options)).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.provide(Servers.layer(servers, { ...options, supervised: true }), relayed),
        ToolRegistry.layer
      )
    ),
    Layer.provideMerge(Clients.layer)
  )

/**
 * Starts the servers, and waits until each has settled and its tools are there, though not longer than a client would.
 *
 * @since 0.1.0
 * @category combinators
 */
export const start = Effect.gen(function* () {
  const manager = yield* McpManager
  const registry = yield* ToolRegistry.ToolRegistry
  const settled = Effect.zipRight(manager.start, McpToolAdapter.sync(manager, registry))
  return Effect.asVoid(Effect.timeoutOption(Fiber.await(yield* Effect.forkScoped(settled)), patience))
})

/** How long a client waits for servers before it is answered without them. */
const patience = "10 seconds"

const gateway = (
  options: Options
): Effect.Effect<
  Gateway.Service,
  CliError,
  McpManager | ToolRegistry.ToolRegistry | Clients.Clients | FileSystem.FileSystem | Scope.Scope
> =>
  Effect.gen(function* () {
    yield* McpToolAdapter.inject(yield* McpManager, yield* ToolRegistry.ToolRegistry)
    const rules = yield* Effect.mapError(Rules.load, ({ hint, message }) => usage(message, hint))
    const audit = yield* auditOf(options.audit)
    return yield* Gateway.make({ prefix: options.prefix, search: options.search, rules, audit })
  })

const auditOf = (path: string | undefined) =>
  path === undefined
    ? Effect.succeed(Audit.none)
    : Effect.mapError(Audit.toFile(path), ({ message }) => usage(`--audit: ${message}`))

/** What servers ask is asked of the gateway's clients. */
const relayed = Layer.effect(
  ClientFeatures.ClientFeatures,
  Effect.map(Clients.Clients, ({ relay }) => ({ roots: PersonRequests.roots(), relay }))
)
