/**
 * An MCP server for tests, in a few lines: tools as functions, failures by script, and what was received to assert on.
 *
 * ```ts
 * const weather = TestServer.make({
 *   tools: { forecast: { description: "Tomorrow's weather", handler: ({ city }) => `sunny in ${city}` } }
 * })
 * ```
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { ErrorObject, Id, JsonObject } from "../mcp/JsonRpc.ts"
import type { Progress, ToolAnnotations } from "../mcp/McpSchema.ts"
import type * as MemoryTransport from "../mcp/MemoryTransport.ts"
import * as Protocol from "./internal/TestProtocol.ts"

/**
 * What a tool gives: a text, content blocks, or a whole result (`{ content, isError, structuredContent }`).
 *
 * @since 0.1.0
 * @category models
 */
export type Output = string | ReadonlyArray<JsonObject> | JsonObject

/**
 * The call that a tool is run for.
 *
 * @since 0.1.0
 * @category models
 */
export interface CallContext {
  /** Tells the caller how far the call has come, if it asked. */
  readonly progress: (progress: Progress) => Effect.Effect<void>
  /** The connection that the call came over. */
  readonly client: MemoryTransport.Client
}

/**
 * A tool as a function. An Effect that fails is a result with `isError` and the failure's text; one that dies takes the server
 * down; one that never ends is a call without an answer. A cancelled call is interrupted.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tool {
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Default: any object. */
  readonly inputSchema?: JsonObject | undefined
  readonly outputSchema?: JsonObject | undefined
  readonly annotations?: ToolAnnotations | undefined
  readonly handler: (args: JsonObject, context: CallContext) => Output | Effect.Effect<Output, unknown>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Default: `test-server`. */
  readonly name?: string | undefined
  /** Default: `1.0.0`. */
  readonly version?: string | undefined
  readonly tools?: Readonly<Record<string, Tool>> | undefined
  /** Default: tools that tell of changes. */
  readonly capabilities?: JsonObject | undefined
  readonly instructions?: string | undefined
  /** The revision that it answers. Default: the one that it is offered. */
  readonly protocolVersion?: string | undefined
  /** Which servers it is one of: those with a handshake, the stateless ones of 2026-07-28, or both. Default: `legacy`. */
  readonly era?: "legacy" | "modern" | "both" | undefined
  /** How many tools a page of the list holds. Default: all of them. */
  readonly pageSize?: number | undefined
  /** How long the answer to `initialize` takes. */
  readonly delay?: Duration.Duration | undefined
  /** What comes of `initialize` instead of an answer: silence, the server's end, or an error. */
  readonly fail?: "silent" | "dies" | ErrorObject | undefined
  /** Answers to methods, in place of the server's own or beside them: a result, or an Effect that may fail with an error. */
  readonly methods?: Readonly<Record<string, Method>> | undefined
}

/**
 * The answer to a request, by script.
 *
 * @since 0.1.0
 * @category models
 */
export type Method = (params: JsonObject, context: CallContext) => Effect.Effect<unknown, ErrorObject> | JsonObject

/**
 * A `tools/call` that was received.
 *
 * @since 0.1.0
 * @category models
 */
export interface Call {
  readonly tool: string
  readonly arguments: unknown
}

/**
 * @since 0.1.0
 * @category models
 */
export interface TestServer {
  /** The server, for `MemoryTransport`. */
  readonly handler: MemoryTransport.MemoryServer
  /** The calls received, over all connections, in their order. */
  readonly calls: Effect.Effect<ReadonlyArray<Call>>
  /** Everything received, over all connections, in its order. */
  readonly messages: Effect.Effect<ReadonlyArray<MemoryTransport.ClientMessage>>
  /** How many connections are open. */
  readonly connections: Effect.Effect<number>
  /** Offers these tools instead, and tells every client that the list has changed. */
  readonly setTools: (tools: Readonly<Record<string, Tool>>) => Effect.Effect<void>
  /** Sends a message to every client, as it is. */
  readonly send: (message: unknown) => Effect.Effect<void>
  /** Breaks every connection, as a server does that dies. It can be connected to again. */
  readonly die: Effect.Effect<void>
}

/**
 * A handler's Effect that takes the server down: `handler: () => TestServer.dies`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const dies: Effect.Effect<never> = Effect.die(new Error("the test server was told to die"))

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): TestServer => {
  const clients = new Set<MemoryTransport.Client>()
  const messages: Array<MemoryTransport.ClientMessage> = []
  const state = { tools: options.tools ?? {} }
  const send = (message: unknown) =>
    Effect.suspend(() => Effect.forEach([...clients], (client) => client.send(message), { discard: true }))

  const answer = (client: MemoryTransport.Client, message: Protocol.Request) =>
    Effect.flatMap(Protocol.answer(options, state.tools, client, message), (reply) =>
      reply === undefined ? Effect.void : client.send(reply)
    )

  const connected: MemoryTransport.MemoryServer = Effect.fnUntraced(function* (client) {
    yield* Effect.acquireRelease(
      Effect.sync(() => clients.add(client)),
      () => Effect.sync(() => clients.delete(client))
    )
    const open = new Map<Id, Fiber.RuntimeFiber<unknown, unknown>>()
    return (message) => {
      messages.push(message)
      if (message._tag === "Notification" && message.method === "notifications/cancelled") {
        const fiber = open.get(message.params?.requestId as Id)
        return fiber === undefined ? Effect.void : Fiber.interruptFork(fiber)
      }
      if (message._tag !== "Request") return Effect.void
      return Effect.withFiberRuntime<void>((fiber) => {
        open.set(message.id, fiber)
        return Effect.ensuring(
          answer(client, message),
          Effect.sync(() => open.delete(message.id))
        )
      })
    }
  })

  return {
    handler: connected,
    calls: Effect.sync(() => messages.flatMap(toCall)),
    messages: Effect.sync(() => messages.slice()),
    connections: Effect.sync(() => clients.size),
    setTools: (tools) =>
      Effect.suspend(() => {
        state.tools = tools
        return send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
      }),
    send,
    die: Effect.suspend(() => Effect.forEach([...clients], (client) => client.close(), { discard: true }))
  }
}

const toCall = (message: MemoryTransport.ClientMessage): ReadonlyArray<Call> =>
  message._tag === "Request" && message.method === "tools/call"
    ? [{ tool: String(message.params?.name), arguments: message.params?.arguments }]
    : []
