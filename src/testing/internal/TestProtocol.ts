/**
 * What a test server answers: the methods of MCP on a table of tools, unless the test says otherwise.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { ErrorCode, type ErrorObject, type Id, isObject, type JsonObject, type Received } from "../../mcp/JsonRpc.ts"
import type * as MemoryTransport from "../../mcp/MemoryTransport.ts"
import type * as TestServer from "../TestServer.ts"
import * as StatelessProtocol from "./StatelessProtocol.ts"

export type Request = Extract<Received, { readonly _tag: "Request" }>

type Tools = Readonly<Record<string, TestServer.Tool>>

/** The message that answers the request; none when it is met with silence. */
export const answer = (
  options: TestServer.Options,
  tools: Tools,
  client: MemoryTransport.Client,
  request: Request
): Effect.Effect<JsonObject | undefined> => {
  const { id, method, params = {} } = request
  if (options.era === "modern" || (options.era === "both" && StatelessProtocol.isClaimed(request))) {
    return StatelessProtocol.answer(options, client, request, (method, params) =>
      result(options, tools, contextOf(client, params), method, params)
    )
  }
  if (method === "initialize" && options.fail === "silent") return Effect.succeed(undefined)
  if (method === "initialize" && options.fail === "dies") return Effect.as(client.close(), undefined)
  return Effect.match(result(options, tools, contextOf(client, params), method, params), {
    onSuccess: (result) => ({ jsonrpc: "2.0", id, result }),
    onFailure: (error) => ({ jsonrpc: "2.0", id, error })
  })
}

const result = (
  options: TestServer.Options,
  tools: Tools,
  context: TestServer.CallContext,
  method: string,
  params: JsonObject
): Effect.Effect<unknown, ErrorObject> => {
  const scripted = options.methods?.[method]
  if (scripted !== undefined) {
    return Effect.suspend(() => {
      const outcome = scripted(params, context)
      return Effect.isEffect(outcome) ? outcome : Effect.succeed(outcome)
    })
  }
  switch (method) {
    case "initialize":
      return Effect.delay(initialized(options, params), options.delay ?? Duration.zero)
    case "ping":
      return Effect.succeed({})
    case "tools/list":
      return Effect.succeed(page(tools, options.pageSize, params.cursor))
    case "tools/call":
      return called(tools, params, context)
    default:
      return Effect.fail({ code: ErrorCode.MethodNotFound, message: `Method not found: ${method}` })
  }
}

const initialized = (options: TestServer.Options, params: JsonObject) =>
  typeof options.fail === "object"
    ? Effect.fail(options.fail)
    : Effect.succeed({
        protocolVersion: options.protocolVersion ?? params.protocolVersion,
        capabilities: options.capabilities ?? { tools: { listChanged: true } },
        serverInfo: { name: options.name ?? "test-server", version: options.version ?? "1.0.0" },
        instructions: options.instructions
      })

const page = (tools: Tools, size = Number.POSITIVE_INFINITY, cursor: unknown) => {
  const all = Object.entries(tools)
  const start = typeof cursor === "string" ? Number(cursor) : 0
  const end = start + size
  return {
    tools: all
      .slice(start, end)
      .map(([name, { handler, ...tool }]) => ({ name, inputSchema: { type: "object" }, ...tool })),
    ...(end < all.length ? { nextCursor: String(end) } : undefined)
  }
}

const called = (tools: Tools, params: JsonObject, context: TestServer.CallContext) => {
  const tool = Object.hasOwn(tools, String(params.name)) ? tools[String(params.name)] : undefined
  if (tool === undefined) {
    return Effect.fail({ code: ErrorCode.InvalidParams, message: `Unknown tool: ${params.name}` })
  }
  return Effect.suspend(() => {
    const output = tool.handler(isObject(params.arguments) ? params.arguments : {}, context)
    return Effect.isEffect(output) ? output : Effect.succeed(output)
  }).pipe(
    Effect.match({
      onSuccess: toResult,
      onFailure: (failure) => ({
        isError: true,
        ...toResult(failure instanceof Error ? failure.message : String(failure))
      })
    })
  )
}

const toResult = (output: TestServer.Output): JsonObject => {
  if (typeof output === "string") return { content: [{ type: "text", text: output }] }
  return isObject(output) ? output : { content: output }
}

const contextOf = (client: MemoryTransport.Client, params: JsonObject): TestServer.CallContext => ({
  client,
  progress: (progress) => {
    const token = isObject(params._meta) ? (params._meta.progressToken as Id | undefined) : undefined
    if (token === undefined) return Effect.void
    return client.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { ...progress, progressToken: token }
    })
  }
})
