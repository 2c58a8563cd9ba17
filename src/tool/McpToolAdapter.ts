/**
 * The tools of MCP servers in the registry: one `Tool` for each, kept in step with the Manager.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as McpClient from "../mcp/McpClient.ts"
import type { McpError } from "../mcp/McpError.ts"
import type * as McpManager from "../mcp/McpManager.ts"
import type { McpTool } from "../mcp/McpSchema.ts"
import type { ServerStatus } from "../mcp/ServerStatus.ts"
import * as ToolName from "../mcp/ToolName.ts"
import * as CallFailure from "./internal/CallFailure.ts"
import * as ResultText from "./internal/ResultText.ts"
import * as OutputBudget from "./OutputBudget.ts"
import type { Tool } from "./Tool.ts"
import type * as ToolRegistry from "./ToolRegistry.ts"

/**
 * A server's tool as a `Tool` of the registry. `client` is asked at each call: after a reconnection the tool calls over the
 * new connection.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromTool = (
  server: string,
  tool: McpTool,
  client: Effect.Effect<Pick<McpClient.Service, "callTool">, McpError>,
  timeout?: Duration.Duration
): Tool => {
  const name = ToolName.make(server, tool.name)
  const { annotations } = tool
  return {
    name,
    title: tool.title ?? annotations?.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    origin: { _tag: "Mcp", server, tool: tool.name },
    hints: {
      readOnly: annotations?.readOnlyHint === true,
      destructive: annotations?.readOnlyHint !== true && annotations?.destructiveHint !== false,
      idempotent: annotations?.idempotentHint === true
    },
    timeout,
    run: (args, options) =>
      client.pipe(
        Effect.flatMap(({ callTool }) => callTool(tool.name, args, options)),
        Effect.match({
          onSuccess: ResultText.toToolResult,
          onFailure: (error) => CallFailure.toToolResult(name, error, options)
        }),
        Effect.flatMap(OutputBudget.apply)
      )
  }
}

/**
 * Brings the registry in step with the Manager's present statuses: the tools of every connected server, and of no other.
 * Gives the number of tools.
 *
 * @since 0.1.0
 * @category operations
 */
export const sync = (manager: McpManager.Service, registry: ToolRegistry.Service): Effect.Effect<number> =>
  Effect.flatMap(makeStep(manager, registry), (step) => Effect.flatMap(manager.statuses, step))

/**
 * Does what `sync` does, and goes on doing it with every change of the Manager while the scope is open. What is registered
 * when the scope closes stays.
 *
 * @since 0.1.0
 * @category operations
 */
export const inject = (
  manager: McpManager.Service,
  registry: ToolRegistry.Service
): Effect.Effect<number, never, Scope.Scope> =>
  Effect.gen(function* () {
    const step = yield* makeStep(manager, registry)
    const count = yield* Effect.flatMap(manager.statuses, step)
    yield* Effect.forkScoped(Stream.runForEach(manager.changes, step))
    return count
  })

/** What a server was last registered with. */
interface Registered {
  readonly tools: ReadonlyArray<McpTool> | undefined
  readonly rank: number
}

/** One step towards given statuses. It remembers what it has done: a server whose list is the same array is left alone. */
const makeStep = Effect.fnUntraced(function* (manager: McpManager.Service, registry: ToolRegistry.Service) {
  const registered = new Map<string, Registered>()
  for (const name of serversIn(yield* registry.snapshot)) registered.set(name, { tools: undefined, rank: -1 })

  return Effect.fnUntraced(function* (statuses: ReadonlyArray<ServerStatus>) {
    const places = new Map((yield* manager.servers).map((config, rank) => [config.name, { config, rank }]))
    const gone = new Set(registered.keys())
    let count = 0
    for (const status of statuses) {
      if (status._tag !== "Connected") continue
      const { name, tools } = status
      gone.delete(name)
      count += tools.length
      const place = places.get(name)
      const rank = place?.rank ?? places.size
      const before = registered.get(name)
      if (before?.tools === tools && before.rank === rank) continue
      const client = manager.client(name)
      yield* registry.register(
        { id: sourceId(name), rank },
        tools.map((tool) => fromTool(name, tool, client, place?.config.callTimeout))
      )
      registered.set(name, { tools, rank })
    }
    for (const name of gone) {
      registered.delete(name)
      yield* registry.unregister(sourceId(name))
    }
    return count
  })
})

const sourceId = (server: string): string => `mcp:${server}`

const serversIn = ({ skipped, tools }: ToolRegistry.ToolSet): ReadonlySet<string> => {
  const all = [...tools, ...skipped.map(({ tool }) => tool)]
  return new Set(all.flatMap(({ origin }) => (origin._tag === "Mcp" ? [origin.server] : [])))
}
