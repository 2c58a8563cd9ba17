/**
 * The tools of MCP servers in the registry: one `Tool` for each, kept in step with the Manager.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { isObject } from "../mcp/JsonRpc.ts"
import type * as McpClient from "../mcp/McpClient.ts"
import type { McpError } from "../mcp/McpError.ts"
import type * as McpManager from "../mcp/McpManager.ts"
import type { McpTool } from "../mcp/McpSchema.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import type { ServerStatus } from "../mcp/ServerStatus.ts"
import * as ToolName from "../mcp/ToolName.ts"
import * as CallFailure from "./internal/CallFailure.ts"
import * as ResultText from "./internal/ResultText.ts"
import * as OutputBudget from "./OutputBudget.ts"
import type { Tool } from "./Tool.ts"
import * as ToolLock from "./ToolLock.ts"
import type * as ToolRegistry from "./ToolRegistry.ts"

/**
 * A server's tool as a `Tool` of the registry. `client` is asked at each call: after a reconnection the tool calls over the
 * new connection. A call that loses its connection is made once more on the next one if the tool says that running it twice is
 * running it once; any other may have had effects, and is not repeated.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromTool = (
  server: string,
  tool: McpTool,
  client: Effect.Effect<Pick<McpClient.Service, "callTool">, McpError>,
  { callTimeout: timeout, defer, limits }: Pick<ServerConfig, "callTimeout" | "defer" | "limits"> = {}
): Tool => {
  const name = ToolName.make(server, tool.name)
  const { annotations } = tool
  const readOnly = annotations?.readOnlyHint === true
  const idempotent = annotations?.idempotentHint === true
  const repeatable = readOnly || idempotent
  return {
    name,
    title: tool.title ?? annotations?.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    origin: { _tag: "Mcp", server, tool: tool.name },
    hints: {
      readOnly,
      destructive: !readOnly && annotations?.destructiveHint !== false,
      idempotent
    },
    defer,
    timeout,
    run: (args, options) => {
      const call = Effect.flatMap(client, ({ callTool }) => callTool(tool.name, args, options))
      return (repeatable ? repeatedOnce(call, options.timeout) : call).pipe(
        Effect.match({
          onSuccess: ResultText.toToolResult,
          onFailure: (error) => CallFailure.toToolResult(name, error, options)
        }),
        Effect.flatMap((result) => OutputBudget.apply(result, limits?.maxResultCharacters))
      )
    }
  }
}

/**
 * A request that changes nothing by being made twice: when its connection is lost, it is made once more. Where there is no new
 * connection, or not in time, the first failure is the one that counts.
 *
 * @since 0.1.0
 * @category combinators
 */
export const repeatedOnce = <A>(
  call: Effect.Effect<A, McpError>,
  timeout: Duration.Duration
): Effect.Effect<A, McpError> =>
  Effect.catchIf(call, isLoss, (first) =>
    Effect.timeoutFail(
      Effect.mapError(call, (second) => (second.phase === "call" ? second : first)),
      { duration: timeout, onTimeout: () => first }
    )
  )

/** The connection was lost while the call was under way. */
const isLoss = ({ kind, phase }: McpError): boolean =>
  phase === "call" && (kind === "exit" || kind === "closed" || kind === "network")

/**
 * Brings the registry in step with the Manager's present statuses: the tools of every connected server, and those that a
 * server had before it was lost, while it is being connected again. Gives the number of tools.
 *
 * @since 0.1.0
 * @category operations
 */
export const sync = (manager: McpManager.Service, registry: ToolRegistry.Service): Effect.Effect<number> =>
  Effect.flatMap(makeStep(manager, registry), ({ step }) => Effect.flatMap(manager.statuses, step))

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
    const { accepted } = yield* ToolLock.ToolLock
    const { forget, step } = yield* makeStep(manager, registry)
    const count = yield* Effect.flatMap(manager.statuses, step)
    const again = Stream.mapEffect(accepted, () => Effect.zipRight(forget, manager.statuses))
    yield* Effect.forkScoped(Stream.runForEach(Stream.merge(manager.changes, again), step))
    return count
  })

/** What a server was last registered with. */
interface Registered {
  readonly tools: ReadonlyArray<McpTool> | undefined
  readonly rank: number
}

/**
 * One step towards given statuses. It remembers what it has done: a server whose list is the same array is left alone, until it is
 * told to forget what the lists were.
 */
const makeStep = Effect.fnUntraced(function* (manager: McpManager.Service, registry: ToolRegistry.Service) {
  const lock = yield* ToolLock.ToolLock
  const registered = new Map<string, Registered>()
  for (const name of serversIn(yield* registry.snapshot)) registered.set(name, { tools: undefined, rank: -1 })

  const step = Effect.fnUntraced(function* (statuses: ReadonlyArray<ServerStatus>) {
    const places = new Map((yield* manager.servers).map((config, rank) => [config.name, { config, rank }]))
    const gone = new Set(registered.keys())
    let count = 0
    for (const status of statuses) {
      const { name } = status
      const before = registered.get(name)
      if (before === undefined ? status._tag !== "Connected" : !keepsTools(status)) continue
      gone.delete(name)
      const tools = status._tag === "Connected" ? status.tools : before?.tools
      if (tools === undefined) continue
      const forModel = tools.filter(isForModel)
      count += forModel.length
      const place = places.get(name)
      const rank = place?.rank ?? places.size
      if (before?.tools === tools && before.rank === rank) continue
      const client = manager.client(name)
      const withheld = place === undefined ? undefined : yield* lock.withheld(place.config, tools)
      yield* registry.register(
        { id: sourceId(name), rank },
        forModel.map((tool) => ({
          ...fromTool(name, tool, client, place?.config),
          withheld: withheld?.get(tool.name)
        }))
      )
      registered.set(name, { tools, rank })
    }
    for (const name of gone) {
      registered.delete(name)
      yield* registry.unregister(sourceId(name))
    }
    return count
  })

  const forget = Effect.sync(() => {
    for (const [name, { rank }] of registered) registered.set(name, { tools: undefined, rank })
  })

  return { step, forget }
})

/** Some tools are for the user interface that their server brings along, and for no model (`_meta.ui.visibility` of MCP Apps). */
const isForModel = ({ _meta }: McpTool): boolean => {
  const visibility = isObject(_meta?.ui) ? _meta.ui.visibility : undefined
  return !Array.isArray(visibility) || visibility.includes("model")
}

/** A call of a server that was lost waits for the next connection: its tools need not leave and come back. */
const keepsTools = ({ _tag }: ServerStatus): boolean =>
  _tag === "Connected" || _tag === "Reconnecting" || _tag === "Pending"

const sourceId = (server: string): string => `mcp:${server}`

const serversIn = ({ skipped, tools }: ToolRegistry.ToolSet): ReadonlySet<string> => {
  const all = [...tools, ...skipped.map(({ tool }) => tool)]
  return new Set(all.flatMap(({ origin }) => (origin._tag === "Mcp" ? [origin.server] : [])))
}
