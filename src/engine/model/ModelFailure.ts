/**
 * Why a model could not be asked, in words for a person, and whether asking again can help.
 *
 * @since 0.1.0
 */
import type * as AiError from "@effect/ai/AiError"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import { isObject, parseObject } from "../../mcp/JsonRpc.ts"
import * as ModelInfo from "./ModelInfo.ts"

/**
 * @since 0.1.0
 * @category errors
 */
export class ModelFailure extends Data.TaggedError("ModelFailure")<{
  readonly message: string
  /** Rate limit, overload, network: it may pass. */
  readonly passing: boolean
  /** How long the provider asks to wait. */
  readonly retryAfter?: Duration.Duration | undefined
  /** The answer was there, but could not be read. */
  readonly malformed?: boolean | undefined
}> {}

/**
 * The provider's error, told apart.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromAiError = (error: AiError.AiError, info: ModelInfo.ModelInfo): ModelFailure => {
  switch (error._tag) {
    case "HttpRequestError":
      return new ModelFailure({
        message: `${ModelInfo.format(info)}: cannot reach ${origin(error.request.url)}: ${networkReason(error.cause)}`,
        passing: error.reason === "Transport"
      })
    case "HttpResponseError":
      return error.reason === "StatusCode"
        ? fromStatus(error, info)
        : new ModelFailure({
            message: `${ModelInfo.format(info)}: the connection broke during the answer`,
            passing: true
          })
    case "MalformedInput":
      return new ModelFailure({ message: `${ModelInfo.format(info)}: ${plain(error.description)}`, passing: false })
    case "MalformedOutput":
      return new ModelFailure({
        message: `${ModelInfo.format(info)}: the answer could not be read`,
        passing: true,
        malformed: true
      })
    case "UnknownError":
      return new ModelFailure({ message: `${ModelInfo.format(info)}: ${plain(error.description)}`, passing: false })
  }
}

/**
 * An error that the provider sent inside its answer.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromErrorPart = (error: unknown, info: ModelInfo.ModelInfo): ModelFailure => {
  const { type, code, message } = isObject(error) ? error : {}
  const kind = typeof type === "string" && type !== "error" ? type : typeof code === "string" ? code : ""
  const words = [kind, typeof message === "string" ? message : ""].filter((word) => word !== "").join(": ")
  return new ModelFailure({
    message: `${ModelInfo.format(info)}: ${plain(words === "" ? undefined : words)}`,
    passing: /overloaded|rate_limit|api_error|server_error|timeout|unavailable/.test(kind)
  })
}

/**
 * An answer that stopped before its end.
 *
 * @since 0.1.0
 * @category constructors
 */
export const cutShort = (info: ModelInfo.ModelInfo): ModelFailure =>
  new ModelFailure({ message: `${ModelInfo.format(info)}: the answer ended before it was complete`, passing: true })

const fromStatus = (error: AiError.HttpResponseError, info: ModelInfo.ModelInfo): ModelFailure => {
  const { status, headers } = error.response
  return new ModelFailure({
    message: `${ModelInfo.format(info)}: ${statusReason(status, error, info)}`,
    passing: status === 408 || status === 409 || status === 429 || status >= 500,
    retryAfter: retryAfter(headers)
  })
}

const statusReason = (status: number, error: AiError.HttpResponseError, info: ModelInfo.ModelInfo): string => {
  const detail = bodyMessage(error.body)
  const said = detail === undefined ? "" : `: ${detail}`
  // The body of a 401 or 403 can quote the key.
  if (status === 401) return `the key was refused (401)${keyHint(info)}`
  if (status === 403) return `the key may not use this model (403)${keyHint(info)}`
  if (status === 404) return `not found (404)${said}. Is the model's name right${baseUrlHint(info)}?`
  if (status === 429) return `too many requests (429)${said}`
  if (status === 529 || status === 503) return `overloaded (${status})`
  return `HTTP ${status}${said}`
}

const keyHint = (info: ModelInfo.ModelInfo): string =>
  info.keyVariable === undefined ? "" : `. Set ${info.keyVariable} to a valid key`

const baseUrlHint = (info: ModelInfo.ModelInfo): string =>
  info.baseUrl === undefined ? "" : `, and the address (${origin(info.baseUrl)}; it often ends in /v1)`

/** The message of the usual error bodies, `{"error":{"message"}}` and its relatives: bounded, never the whole body. */
const bodyMessage = (body: string | undefined): string | undefined => {
  const parsed = parseObject(body ?? "")
  if (parsed === undefined) return undefined
  const inner = isObject(parsed.error) ? parsed.error.message : parsed.error
  const message = inner ?? parsed.message ?? parsed.detail
  return typeof message === "string" && message !== "" ? plain(message) : undefined
}

/** `Retry-After` in seconds (or OpenAI's and Anthropic's milliseconds); a date is left to the backoff. */
const retryAfter = (headers: Readonly<Record<string, string>>): Duration.Duration | undefined => {
  const millis = Number(headers["retry-after-ms"] ?? Number.NaN)
  if (Number.isFinite(millis) && millis >= 0) return Duration.millis(millis)
  const seconds = Number(headers["retry-after"] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Duration.seconds(seconds) : undefined
}

const networkReason = (cause: unknown): string => {
  for (let at = cause, depth = 0; isErrorLike(at) && depth < 5; at = at.cause, depth++) {
    if (typeof at.code === "string") return reasons[at.code] ?? at.code
  }
  return "the connection failed"
}

const isErrorLike = (value: unknown): value is { readonly code?: unknown; readonly cause?: unknown } =>
  typeof value === "object" && value !== null

const reasons: { readonly [code: string]: string } = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the name could not be resolved",
  ETIMEDOUT: "timed out",
  UND_ERR_CONNECT_TIMEOUT: "timed out",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  UND_ERR_SOCKET: "the connection was closed"
}

const origin = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "the model's address")

const plain = (text: string | undefined): string => {
  const line = (text ?? "unknown error").replace(/\s+/g, " ").trim()
  return line.length > 400 ? `${line.slice(0, 400)}…` : line
}
