/**
 * What a client gets for a request: the server's result or error as it was, but for what the client's revision does not know.
 *
 * @since 0.1.0
 */
import { ErrorCode, type ErrorObject, isObject, type JsonObject } from "../mcp/JsonRpc.ts"
import type { McpError } from "../mcp/McpError.ts"
import type { Era } from "../mcp/ProtocolVersion.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Answer {
  readonly result: JsonObject
  /** It is of a stateless server, for a client that may not know its kind of structured content. */
  readonly isModern: boolean
  /** The schema that the tool's structured content is told by, if it has one. */
  readonly outputSchema?: JsonObject | undefined
}

/**
 * The answer that a server's result is for a client of that era.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (result: unknown, eras: { readonly server: Era; readonly client: Era }): Answer => {
  const object = isObject(result) ? result : {}
  return eras.server === "modern" && eras.client === "legacy"
    ? { result: withoutModernFields(object), isModern: true }
    : { result: object, isModern: false }
}

/**
 * An answer of the gateway's own.
 *
 * @since 0.1.0
 * @category constructors
 */
export const own = (result: JsonObject): Answer => ({ result, isModern: false })

/**
 * The error that a client gets: a server's own error as it was, any other with the server's name and what to try.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofError = ({ code, data, hint, kind, message, server }: McpError): ErrorObject =>
  kind === "rpc" && code !== undefined
    ? { code, message, ...(data === undefined ? undefined : { data }) }
    : {
        code: ErrorCode.InternalError,
        message: `server "${server}": ${message}${hint === undefined ? "" : ` (${hint})`}`
      }

const fields: ReadonlySet<string> = new Set(["resultType", "ttlMs", "cacheScope"])

/** The `_meta` keys that the protocol itself uses from 2026-07-28 on. */
const metaKeys: ReadonlySet<string> = new Set([
  "io.modelcontextprotocol/serverInfo",
  "io.modelcontextprotocol/subscriptionId",
  "io.modelcontextprotocol/protocolVersion"
])

const withoutModernFields = (result: JsonObject): JsonObject => {
  const { _meta, ...rest } = without(result, fields)
  if (!isObject(_meta)) return _meta === undefined ? rest : { ...rest, _meta }
  const kept = without(_meta, metaKeys)
  return kept !== _meta && Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept }
}

const without = (object: JsonObject, keys: ReadonlySet<string>): JsonObject =>
  Object.keys(object).some((key) => keys.has(key))
    ? Object.fromEntries(Object.entries(object).filter(([key]) => !keys.has(key)))
    : object
