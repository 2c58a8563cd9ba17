/**
 * A Manager on scripted servers, and what tests ask of it.
 */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as McpManager from "../../src/mcp/McpManager.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as ServerStatus from "../../src/mcp/ServerStatus.ts"
import type { TransportFactory } from "../../src/mcp/TransportFactory.ts"

/** An entry; the scripted server is chosen by its name, the rest is there to differ in. */
export const entry = (
  name: string,
  more: Partial<Omit<ServerConfig.ServerConfig, "name" | "transport">> & { readonly args?: ReadonlyArray<string> } = {}
): ServerConfig.ServerConfig => ServerConfig.stdio(name, { command: "-", ...more })

/** A started Manager, without the log lines. */
export const started = (
  entries: ReadonlyArray<ServerConfig.ServerConfig>,
  options?: McpManager.Options
): Effect.Effect<McpManager.Service, never, TransportFactory | Scope.Scope> =>
  McpManager.make(entries, options).pipe(
    Effect.tap(({ start }) => start),
    Logger.withMinimumLogLevel(LogLevel.None)
  )

/** The state of each server in a word. */
export const words = (manager: McpManager.Service) =>
  Effect.map(manager.statuses, (statuses) =>
    Object.fromEntries(statuses.map((status) => [status.name, ServerStatus.word(status)]))
  )

export const statusOf = (manager: McpManager.Service, name: string) =>
  Effect.map(manager.statuses, (statuses) => statuses.find((status) => status.name === name))

/** Waits, without the clock, until a server is in a state. */
export const until = (manager: McpManager.Service, name: string, word: string) =>
  manager.changes.pipe(
    Stream.filter((statuses) => statuses.some((s) => s.name === name && ServerStatus.word(s) === word)),
    Stream.runHead
  )
