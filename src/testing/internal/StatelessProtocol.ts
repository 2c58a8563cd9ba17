/**
 * What a test server answers as one of the stateless servers (2026-07-28): no handshake, every request says its revision.
 */
import * as Effect from "effect/Effect"
import { ErrorCode, type ErrorObject, isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import type * as MemoryTransport from "../../mcp/MemoryTransport.ts"
import * as ProtocolVersion from "../../mcp/ProtocolVersion.ts"
import type * as TestServer from "../TestServer.ts"
import type { Request } from "./TestProtocol.ts"

/** Whether a request claims to be of a stateless revision. */
export const isClaimed = ({ params }: Request): boolean => claimed(params) !== undefined

const claimed = (params: JsonObject | undefined): unknown =>
  isObject(params?._meta) ? params._meta["io.modelcontextprotocol/protocolVersion"] : undefined

/** The message that answers the request; none while a subscription lives. `run` gives the results of other methods. */
export const answer = (
  options: TestServer.Options,
  client: MemoryTransport.Client,
  { id, method, params = {} }: Request,
  run: (method: string, params: JsonObject) => Effect.Effect<unknown, ErrorObject>
): Effect.Effect<JsonObject | undefined> => {
  const refuse = (error: ErrorObject) => Effect.succeed({ jsonrpc: "2.0", id, error })
  const version = claimed(params)
  if (version === undefined || method === "initialize") {
    const message = `${method}: this server speaks ${ProtocolVersion.modern.join(", ")} alone`
    return refuse({ code: method === "initialize" ? ErrorCode.MethodNotFound : ErrorCode.InvalidParams, message })
  }
  if (!ProtocolVersion.isModern(version)) {
    const data = { supported: ProtocolVersion.modern, requested: version }
    return refuse({ code: ErrorCode.UnsupportedProtocolVersion, message: "Unsupported protocol version", data })
  }
  if (method === "subscriptions/listen" && options.methods?.[method] === undefined) {
    const acknowledged = "notifications/subscriptions/acknowledged"
    const _meta = { "io.modelcontextprotocol/subscriptionId": id }
    return Effect.zipRight(
      client.send({ jsonrpc: "2.0", method: acknowledged, params: { _meta, notifications: params.notifications } }),
      Effect.never
    )
  }
  const discovers = method === "server/discover" && options.methods?.[method] === undefined
  const outcome = discovers ? Effect.succeed(discovered(options)) : run(method, params)
  return Effect.match(outcome, {
    onSuccess: (result) => ({
      jsonrpc: "2.0",
      id,
      result: isObject(result) ? { resultType: "complete", ...result } : result
    }),
    onFailure: (error) => ({ jsonrpc: "2.0", id, error })
  })
}

const discovered = (options: TestServer.Options): JsonObject => ({
  supportedVersions: ProtocolVersion.modern,
  capabilities: options.capabilities ?? { tools: { listChanged: true } },
  instructions: options.instructions,
  ttlMs: 0,
  cacheScope: "private",
  _meta: {
    "io.modelcontextprotocol/serverInfo": { name: options.name ?? "test-server", version: options.version ?? "1.0.0" }
  }
})
