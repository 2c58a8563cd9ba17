/**
 * Living sessions: servers of every kind, connected as the program connects them.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as McpClient from "../../src/mcp/McpClient.ts"
import * as McpConfig from "../../src/mcp/McpConfig.ts"
import * as McpManager from "../../src/mcp/McpManager.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as ServerStatus from "../../src/mcp/ServerStatus.ts"
import * as TransportFactory from "../../src/mcp/TransportFactory.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"
import * as McpToolAdapter from "../../src/tool/McpToolAdapter.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { fixture } from "../mcp/stdioServer.ts"

/** A folder that is gone when the Scope closes. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "harness9-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A configuration file with this content. */
export const configFile = (content: string | Uint8Array) =>
  Effect.map(folder, (path) => {
    const file = join(path, "mcp.json")
    writeFileSync(file, content)
    return file
  })

/** What the file says. */
export const load = (file: string, env: Readonly<Record<string, string>> = {}) =>
  McpConfig.load({ file, env: { PATH: process.env.PATH, ...env } }).pipe(Effect.provide(NodeFileSystem.layer))

/** What a file with these entries says. */
export const loadEntries = (mcpServers: Readonly<Record<string, unknown>>, env?: Readonly<Record<string, string>>) =>
  Effect.flatMap(configFile(JSON.stringify({ mcpServers })), (file) => load(file, env))

/** The entry of a fixture that speaks stdio. */
export const entry = (name: string, ...args: ReadonlyArray<string>) => ({
  command: process.execPath,
  args: [fixture(name), ...args]
})

/** The same for a program that makes its configuration itself. */
export const stdio = (
  name: string,
  args: ReadonlyArray<string> = [],
  options: Partial<Omit<ServerConfig.ServerConfig, "name" | "transport">> & { readonly as?: string } = {}
): ServerConfig.ServerConfig => {
  const { as = name, ...rest } = options
  return ServerConfig.stdio(as, { ...entry(name, ...args), ...rest })
}

/** Without the log lines of the outcome of each server. */
const quiet = Logger.withMinimumLogLevel(LogLevel.None)

/** Real servers, not yet started. */
export const unstarted = (servers: ReadonlyArray<ServerConfig.ServerConfig>, options?: McpManager.Options) =>
  McpManager.make(servers, options).pipe(quiet, Effect.provide(TransportFactory.layer))

/** Real servers, all connected or failed. */
export const living = (servers: ReadonlyArray<ServerConfig.ServerConfig>, options?: McpManager.Options) =>
  Effect.tap(unstarted(servers, options), (manager) => manager.start)

type Scripted = Parameters<typeof TestTransportFactory.layer>[0]

type Entry = Partial<Omit<ServerConfig.ServerConfig, "name" | "transport">>

/** Scripted servers, not yet started. */
export const scripted = (
  servers: Scripted,
  options?: McpManager.Options,
  entries: Readonly<Record<string, Entry>> = {}
) =>
  McpManager.make(
    Object.keys(servers).map((name) => ServerConfig.stdio(name, { command: "-", ...entries[name] })),
    options
  ).pipe(quiet, Effect.provide(TestTransportFactory.layer(servers)))

/** The client of one scripted server. */
export const connect = (
  server: TestServer.TestServer,
  options?: McpClient.Options
): Effect.Effect<McpClient.Service, unknown, Scope.Scope> =>
  Effect.flatMap(MemoryTransport.make({ server: "it", handler: server.handler }), (transport) =>
    McpClient.make(options).pipe(Effect.provideService(McpTransport.McpTransport, transport))
  )

/** The client of one fixture that speaks stdio. */
export const client = (name: string, args?: ReadonlyArray<string>) =>
  Effect.flatMap(living([stdio(name, args)]), (manager) => manager.client(name))

/** The text that a tool answers. */
export const textOf = (manager: McpManager.Service, server: string, tool: string, args = {}) =>
  manager.client(server).pipe(
    Effect.flatMap(({ callTool }) => callTool(tool, args)),
    Effect.map(({ text }) => text)
  )

export const statusOf = (manager: McpManager.Service, name: string) =>
  Effect.map(manager.statuses, (statuses) => statuses.find((status) => status.name === name))

/** The state of each server in a word. */
export const words = (manager: McpManager.Service) =>
  Effect.map(manager.statuses, (statuses) =>
    Object.fromEntries(statuses.map((status) => [status.name, ServerStatus.word(status)]))
  )

/** Waits until a server is in a state. */
export const until = (manager: McpManager.Service, name: string, word: string) =>
  manager.changes.pipe(
    Stream.filter((statuses) => statuses.some((s) => s.name === name && ServerStatus.word(s) === word)),
    Stream.runHead
  )

/** Waits until a server is no longer connected. */
export const untilLost = (manager: McpManager.Service, name: string) =>
  manager.changes.pipe(
    Stream.filter((statuses) => statuses.some((s) => s.name === name && ServerStatus.word(s) !== "connected")),
    Stream.runHead
  )

/** The methods of what a scripted server got. */
export const methods = (server: TestServer.TestServer) =>
  Effect.map(server.messages, (messages) =>
    messages.flatMap((message) => (message._tag === "Response" ? [] : [message.method]))
  )

/** The registry with the tools of a started Manager. */
export const registryOf = Effect.fnUntraced(function* (manager: McpManager.Service) {
  const registry = yield* ToolRegistry.make
  yield* McpToolAdapter.sync(manager, registry)
  return registry
})

/** The registry with the tools of one scripted server, which is called "it". */
export const registryOfServer = (server: TestServer.TestServer) =>
  scripted({ it: server }).pipe(
    Effect.tap((manager) => manager.start),
    Effect.flatMap(registryOf)
  )

/** What the model is given for the result of one tool of a scripted server. */
export const given = (result: unknown, tool: Partial<TestServer.Tool> = {}) =>
  registryOfServer(
    TestServer.make({
      tools: { t: { ...tool, handler: () => "-" } },
      methods: { "tools/call": () => Effect.succeed(result) }
    })
  ).pipe(Effect.flatMap((registry) => registry.execute("mcp__it__t", {})))
