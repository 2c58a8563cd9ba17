/**
 * An engine, servers and tools that do what a test says.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { type Conversation, Engine } from "../../src/engine/Engine.ts"
import type { EngineEvent } from "../../src/engine/EngineEvent.ts"
import { ModelNotUsable } from "../../src/engine/model/Model.ts"
import type { ModelInfo } from "../../src/engine/model/ModelInfo.ts"
import { ModelSwitch } from "../../src/engine/model/ModelSwitch.ts"
import * as SessionStore from "../../src/engine/SessionStore.ts"
import { AuthStatus, McpAuth } from "../../src/mcp/McpAuth.ts"
import { McpError } from "../../src/mcp/McpError.ts"
import { McpManager } from "../../src/mcp/McpManager.ts"
import type { McpTool } from "../../src/mcp/McpSchema.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import { ServerStatus } from "../../src/mcp/ServerStatus.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { ToolRegistry, type ToolSet } from "../../src/tool/ToolRegistry.ts"
import type { Services } from "../../src/tui/Session.ts"

export const mcpTool = (name: string, description = ""): McpTool => ({
  name,
  description,
  inputSchema: { type: "object" }
})

export const connected = (name: string, tools: ReadonlyArray<McpTool>): ServerStatus =>
  ServerStatus.Connected({
    name,
    protocolVersion: "2025-11-25",
    serverInfo: { name, version: "1" },
    capabilities: { tools: {} },
    instructions: undefined,
    tools,
    connectMs: 412
  })

export const failed = (name: string, message: string, more: { hint?: string; stderr?: string } = {}): ServerStatus =>
  ServerStatus.Failed({
    name,
    error: new McpError({ server: name, phase: "connect", kind: "network", message, ...more })
  })

export const needsAuth = (name: string): ServerStatus =>
  ServerStatus.NeedsAuth({
    name,
    error: new McpError({ server: name, phase: "auth", kind: "needs-auth", message: "the server wants a login" })
  })

export const pending = (name: string): ServerStatus => ServerStatus.Pending({ name })

export const tool = (name: string, fields: Partial<Tool.Tool> = {}): Tool.Tool => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: "object" },
  origin: { _tag: "Builtin" },
  hints: { readOnly: false, destructive: false, idempotent: false },
  run: () => Effect.succeed(Tool.text("done")),
  ...fields
})

export const toolSet = (tools: ReadonlyArray<Tool.Tool>): ToolSet => ({
  tools,
  skipped: [],
  byName: new Map(tools.map((each) => [each.name, each]))
})

export interface World {
  readonly layer: Layer.Layer<Services>
  readonly statuses: SubscriptionRef.SubscriptionRef<ReadonlyArray<ServerStatus>>
  /** What the fakes were asked, in order. */
  readonly calls: Ref.Ref<ReadonlyArray<string>>
}

/** Servers with these states, and a conversation that answers every prompt with these events. */
export const world = Effect.fnUntraced(function* (options: {
  readonly statuses?: ReadonlyArray<ServerStatus>
  readonly tools?: ReadonlyArray<Tool.Tool>
  readonly run?: (prompt: string) => Stream.Stream<EngineEvent>
}) {
  const statuses = yield* SubscriptionRef.make(options.statuses ?? [])
  const model = yield* SubscriptionRef.make<ModelInfo>({ provider: "offline", model: "" })
  const calls = yield* Ref.make<ReadonlyArray<string>>([])
  const called = (call: string) => Ref.update(calls, (before) => [...before, call])
  const tools = options.tools ?? []

  const conversation: Conversation = {
    run: (prompt) => Stream.unwrap(Effect.as(called(`ask ${prompt}`), options.run?.(prompt) ?? Stream.empty)),
    addContext: (text) => called(`context ${text}`),
    compact: (focus) => Stream.execute(called(`compact ${focus ?? ""}`)),
    clear: called("clear")
  }
  const status = (server: string) =>
    Effect.flatMap(SubscriptionRef.get(statuses), (all) =>
      Effect.orDie(Effect.fromNullable(all.find(({ name }) => name === server)))
    )
  const layer = Layer.mergeAll(
    Layer.succeed(Engine, {
      conversation: Effect.succeed(conversation),
      open: () => Effect.succeed(conversation),
      run: conversation.run
    }),
    SessionStore.layerMemory,
    Layer.succeed(McpManager, {
      start: called("start"),
      servers: Effect.map(SubscriptionRef.get(statuses), (all) =>
        all.map(({ name }) => ServerConfig.stdio(name, { command: "server" }))
      ),
      statuses: SubscriptionRef.get(statuses),
      changes: statuses.changes,
      client: (server) =>
        new McpError({ server, phase: "connect", kind: "unknown-server", message: "a fake has no client" }),
      reconnect: (server) => Effect.zipRight(called(`reconnect ${server}`), status(server)),
      disable: (server) => called(`disable ${server}`),
      enable: (server) => Effect.zipRight(called(`enable ${server}`), status(server)),
      approve: (server) => Effect.zipRight(called(`approve ${server}`), status(server)),
      diagnostics: () => Effect.succeed({ stderr: "", skipped: [] }),
      reload: () => Effect.succeed({ added: [], removed: [], changed: [], unchanged: [] })
    }),
    Layer.succeed(McpAuth, {
      forServer: () => Effect.die("a fake has no transport"),
      login: ({ name }) =>
        Effect.as(called(`login ${name}`), {
          server: name,
          issuer: "https://issuer.example",
          scopes: [],
          expiresAt: undefined,
          renewable: false
        }),
      logout: () => Effect.succeed({ forgotten: 0, revoked: 0 }),
      status: () => Effect.succeed(AuthStatus.LoggedOut()),
      events: Stream.empty
    }),
    Layer.succeed(ModelSwitch, {
      current: Effect.die("a fake has no model"),
      changes: model.changes,
      use: (name) =>
        name.startsWith("fake/")
          ? Effect.tap(Effect.succeed<ModelInfo>({ provider: "offline", model: name }), (info) =>
              SubscriptionRef.set(model, info)
            )
          : new ModelNotUsable({ message: `unknown model "${name}"` }),
      names: ["fake/small", "fake/large"]
    }),
    Layer.succeed(ToolRegistry, {
      register: () => Effect.void,
      unregister: () => Effect.void,
      snapshot: Effect.succeed(toolSet(tools)),
      changes: Stream.succeed(toolSet(tools)),
      execute: (name, args) => Effect.as(called(`execute ${name} ${JSON.stringify(args)}`), Tool.text("output"))
    })
  )
  const made: World = { layer, statuses, calls }
  return made
})
