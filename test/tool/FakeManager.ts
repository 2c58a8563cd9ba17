/**
 * A Manager without servers: a test says what is connected and what a call gives.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import type * as McpClient from "../../src/mcp/McpClient.ts"
import { McpError } from "../../src/mcp/McpError.ts"
import type * as McpManager from "../../src/mcp/McpManager.ts"
import type { McpTool, ToolCallResult } from "../../src/mcp/McpSchema.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import { ServerStatus } from "../../src/mcp/ServerStatus.ts"

export type CallTool = McpClient.Service["callTool"]

export interface FakeManager {
  readonly manager: McpManager.Service
  readonly set: (statuses: ReadonlyArray<ServerStatus>) => Effect.Effect<void>
}

/** `servers` in the order of the configuration; each call goes to `callTool`, told which server it is for. */
export const make = (
  servers: ReadonlyArray<ServerConfig.ServerConfig>,
  callTool: (server: string) => CallTool = () => () => Effect.die("no call expected")
): Effect.Effect<FakeManager> =>
  Effect.map(SubscriptionRef.make<ReadonlyArray<ServerStatus>>([]), (statuses) => {
    const unused = () => Effect.die("not part of the fake")
    return {
      manager: {
        start: Effect.void,
        servers: Effect.succeed(servers),
        statuses: statuses.get,
        changes: Stream.suspend(() => statuses.changes),
        client: (server) =>
          Effect.flatMap(statuses.get, (all) =>
            all.some(({ _tag, name }) => _tag === "Connected" && name === server)
              ? Effect.succeed({ ...client(server), callTool: callTool(server) })
              : Effect.fail(new McpError({ server, phase: "connect", kind: "closed", message: "the server is gone" }))
          ),
        reconnect: unused,
        disable: unused,
        enable: unused,
        approve: unused,
        diagnostics: unused,
        reload: unused
      },
      set: (next) => SubscriptionRef.set(statuses, next)
    }
  })

const client = (server: string): Omit<McpClient.Service, "callTool"> => ({
  server,
  serverInfo: { name: server, version: "1" },
  protocolVersion: "2025-06-18",
  negotiation: { era: "legacy", version: "2025-06-18", reason: "a fake" },
  capabilities: {},
  instructions: undefined,
  tools: Effect.succeed([]),
  listResources: Effect.succeed([]),
  listResourceTemplates: Effect.succeed([]),
  readResource: () => Effect.die("not part of the fake"),
  subscribeResource: () => Effect.void,
  unsubscribeResource: () => Effect.void,
  resourceUpdates: Stream.empty,
  resourcesChanged: Stream.empty,
  listPrompts: Effect.succeed([]),
  promptsChanged: Stream.empty,
  getPrompt: () => Effect.die("not part of the fake"),
  complete: () => Effect.succeed({ values: [], hasMore: false }),
  setLogLevel: () => Effect.void,
  logMessages: Stream.empty,
  notifications: Stream.empty,
  request: () => Effect.die("not part of the fake"),
  forward: () => Effect.die("not part of the fake"),
  warnings: Effect.succeed([]),
  toolsChanged: Stream.empty,
  ping: Effect.void,
  closed: Effect.never,
  diagnostics: Effect.die("not part of the fake")
})

export const config = (name: string): ServerConfig.ServerConfig => ServerConfig.stdio(name, { command: "none" })

export const connected = (name: string, tools: ReadonlyArray<McpTool>): ServerStatus =>
  ServerStatus.Connected({
    name,
    protocolVersion: "2025-06-18",
    serverInfo: { name, version: "1" },
    capabilities: {},
    instructions: undefined,
    tools,
    connectMs: 1
  })

export const tool = (name: string, more: Partial<McpTool> = {}): McpTool => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: "object" } satisfies JsonObject,
  ...more
})

export const result = (more: Partial<ToolCallResult>): ToolCallResult => {
  const content = more.content ?? []
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n")
  return { isError: false, text, content, raw: content, ...more }
}
