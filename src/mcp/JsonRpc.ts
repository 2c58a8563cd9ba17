/**
 * JSON-RPC 2.0 messages as MCP uses them: what they are, how a received one is told apart, how one is written.
 *
 * Received messages are classified by hand: this is the hot path, and one malformed message must cost that message alone.
 *
 * @see https://www.jsonrpc.org/specification
 * @since 0.1.0
 */

/**
 * A JSON object.
 *
 * @since 0.1.0
 * @category models
 */
export type JsonObject = { readonly [key: string]: unknown }

/**
 * A request id. Ids compare with their type: `1` is not `"1"`. Each direction has its own id space.
 *
 * @since 0.1.0
 * @category models
 */
export type Id = number | string

/**
 * The error object of a failed reply.
 *
 * @since 0.1.0
 * @category models
 */
export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/**
 * What answers a request: a result, or an error.
 *
 * @since 0.1.0
 * @category models
 */
export type Reply =
  | { readonly _tag: "Result"; readonly result: unknown }
  | { readonly _tag: "Error"; readonly error: ErrorObject }

/**
 * A received message, told apart. A message with a `method` is never a response, whatever its id.
 *
 * `Invalid` is everything else: not an object, a response without a usable id, a batch in a batch.
 *
 * @since 0.1.0
 * @category models
 */
export type Received =
  | { readonly _tag: "Request"; readonly id: Id; readonly method: string; readonly params: JsonObject | undefined }
  | { readonly _tag: "Notification"; readonly method: string; readonly params: JsonObject | undefined }
  | { readonly _tag: "Response"; readonly id: Id; readonly reply: Reply }
  | { readonly _tag: "Invalid"; readonly reason: string }

/**
 * The codes that harness9 sends or looks for.
 *
 * @since 0.1.0
 * @category constants
 */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /** The person refused (sampling, 2024-11-05 and later). */
  UserRejected: -1,
  /** 2024-11-05 and later; -32602 from 2026-07-28. */
  ResourceNotFound: -32002,
  /** 2026-07-28: a standard header and the body disagree. */
  HeaderMismatch: -32020,
  /** 2026-07-28. */
  MissingClientCapability: -32021,
  /** 2026-07-28: `data` is `{ supported, requested }`. */
  UnsupportedProtocolVersion: -32022,
  /** 2025-11-25: the call needs URL elicitations first. */
  UrlElicitationRequired: -32042
} as const

/**
 * Whether a value is a JSON object (not an array, not null).
 *
 * @since 0.1.0
 * @category guards
 */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * The object that a JSON text is; undefined when it is none.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parseObject = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Tells a parsed message apart. Total: any value gives an answer.
 *
 * @since 0.1.0
 * @category parsing
 */
export const classify = (message: unknown): Received => {
  if (!isObject(message)) return { _tag: "Invalid", reason: "not a JSON-RPC object" }
  const { id, method } = message
  if (typeof method === "string") {
    const params = isObject(message.params) ? message.params : undefined
    if (id === undefined) return { _tag: "Notification", method, params }
    if (typeof id === "number" || typeof id === "string") return { _tag: "Request", id, method, params }
    return { _tag: "Invalid", reason: `request ${method} with an id that is neither number nor string` }
  }
  if ("error" in message && message.error !== undefined && message.error !== null) {
    const error = errorObject(message.error)
    if (typeof id === "number" || typeof id === "string")
      return { _tag: "Response", id, reply: { _tag: "Error", error } }
    return { _tag: "Invalid", reason: `error without a usable id: ${error.code} ${error.message}` }
  }
  if ("result" in message) {
    if (typeof id === "number" || typeof id === "string") {
      return { _tag: "Response", id, reply: { _tag: "Result", result: message.result } }
    }
    return { _tag: "Invalid", reason: "result without a usable id" }
  }
  return { _tag: "Invalid", reason: "not a JSON-RPC message" }
}

const errorObject = (value: unknown): ErrorObject => {
  if (!isObject(value)) {
    return { code: ErrorCode.InternalError, message: typeof value === "object" ? "(no message)" : String(value) }
  }
  const code = typeof value.code === "number" ? value.code : ErrorCode.InternalError
  const message = typeof value.message === "string" ? value.message : "(no message)"
  return value.data === undefined ? { code, message } : { code, message, data: value.data }
}

/**
 * The text of a request. U+2028 and U+2029 are escaped, to be kind to readers that take them for line ends.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encodeRequest = (id: Id, method: string, params: JsonObject | undefined): string =>
  encode({ jsonrpc: "2.0", id, method, params })

/**
 * The text of a notification.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encodeNotification = (method: string, params: JsonObject | undefined): string =>
  encode({ jsonrpc: "2.0", method, params })

/**
 * The text of an answer to a request of the other side.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encodeReply = (id: Id, reply: Reply): string =>
  encode(
    reply._tag === "Result" ? { jsonrpc: "2.0", id, result: reply.result } : { jsonrpc: "2.0", id, error: reply.error }
  )

const encode = (message: unknown): string => {
  const text = JSON.stringify(message)
  return /[\u2028\u2029]/.test(text)
    ? text.replace(/[\u2028\u2029]/g, (c) => (c === "\u2028" ? "\\u2028" : "\\u2029"))
    : text
}
