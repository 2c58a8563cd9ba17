/**
 * Why an HTTP exchange failed, told as an `McpError`: the socket's errors unwrapped to what a person can act on, a refusing
 * status with a short look at what came with it.
 *
 * What goes into a text is the address without its query, a status, and of a body no more than its own short statement of
 * the error, with every value masked that harness9 sent as a header.
 */
import { type IncomingHttpHeaders, STATUS_CODES } from "node:http"
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import { McpError, type Phase } from "../../McpError.ts"
import * as VisibleText from "../../VisibleText.ts"
import * as Redact from "../Redact.ts"
import * as HttpFields from "./HttpFields.ts"

export interface Where {
  readonly server: string
  readonly phase: Phase
  readonly url: URL
  /** `host:port` of the proxy that is used. */
  readonly proxy?: string | undefined
}

const caHint = 'Trust its certificate authority with "ca" in the entry, or with NODE_EXTRA_CA_CERTS.'

/** The connection could not be made, or broke. */
export const ofSocket = ({ phase, proxy, server, url }: Where, error: unknown): McpError => {
  const { code, detail, place } = unwrap(error, url)
  const through = proxy === undefined ? "" : ` (through the proxy ${proxy})`
  const failure = (message: string, hint?: string) =>
    new McpError({ server, phase, kind: "network", message: message + through, hint })
  switch (code) {
    case "ECONNREFUSED":
      return failure(`connect refused ${place}`, "Is the server running, and is that its port?")
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return failure(`host name ${place} cannot be resolved (${code})`)
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return failure(`${place} cannot be reached (${code})`)
    case "ETIMEDOUT":
    case "UND_ERR_CONNECT_TIMEOUT":
      return failure(`connecting to ${place} timed out`)
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_SOCKET":
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH":
      return failure(`the connection to ${url.host} was lost (${detail})`)
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return failure(`the certificate of ${url.host} is for another host`)
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return failure(`the certificate of ${url.host} is not valid at this time (${code})`)
    case "EPROTO":
      return failure(`no TLS with ${url.host} (${detail})`, "Does the server speak plain http on that port?")
    case "UND_ERR_ABORTED":
      return failure(detail)
    case "UND_ERR_INVALID_ARG":
      return new McpError({ server, phase, kind: "config", message: `the request cannot be sent: ${detail}` })
  }
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return failure(`the certificate of ${url.host} is not trusted (${code})`, caHint)
  }
  if (error instanceof Error && error.name === "HTTPParserError") {
    const hint = url.protocol === "http:" ? "Does the server speak https on that port?" : undefined
    return failure(`what ${url.host} answered is not HTTP`, hint)
  }
  if (code.startsWith("ERR_SSL")) return failure(`no TLS with ${url.host} (${code})`)
  return failure(`the exchange with ${url.host} failed (${code === "" ? detail : code})`)
}

/** What lies at the bottom of an error: its code, what it says, and the place it speaks of. */
const unwrap = (
  error: unknown,
  url: URL
): { readonly code: string; readonly detail: string; readonly place: string } => {
  const chain: Array<JsonObject> = []
  for (let at: unknown = error; at instanceof Error && chain.length < 5; at = at.cause) {
    const { message } = at
    // An Error's own fields (code, address, port) are not in its type.
    chain.push({ ...at, message, errors: at instanceof AggregateError ? at.errors : undefined } as JsonObject)
  }
  const of = (name: string) => chain.map((link) => link[name]).findLast((field) => field !== undefined && field !== "")
  const code = String(of("code") ?? "")
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port
  const tried = of("errors")
  const address = of("address")
  const place =
    code === "ENOTFOUND" || code === "EAI_AGAIN"
      ? String(of("hostname") ?? url.hostname)
      : address === undefined
        ? `${url.hostname}:${port}`
        : `${String(address).includes(":") ? `[${address}]` : address}:${of("port") ?? port}`
  const all = Array.isArray(tried)
    ? tried.map((one: unknown) => (one instanceof Error && "address" in one ? one.address : undefined)).filter(Boolean)
    : []
  return {
    code,
    detail: VisibleText.oneLine(String(of("message") ?? code)),
    place: all.length > 1 ? `${place} (tried ${all.join(" and ")})` : place
  }
}

export interface Refusal {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The id of the request, if the message was one. */
  readonly id: number | undefined
  /** Whether the message carried a session id. */
  readonly session: boolean
  /** The fields of the configuration and of the login that were sent: their values are masked. */
  readonly sent: HttpFields.Fields
}

/** The server answered, and it is no reply. */
export const ofReply = (where: Where, refusal: Refusal): McpError =>
  refusal.status >= 200 && refusal.status < 300 ? ofContent(where, refusal) : ofStatus(where, refusal)

const ofStatus = ({ phase, server, url }: Where, refusal: Refusal): McpError => {
  const { status } = refusal
  const challenge = HttpFields.get(refusal.headers, "www-authenticate")
  const rpc = rpcError(refusal.body)
  const base = { server, phase, status }
  if (status === 401) {
    const message =
      refusal.sent.authorization === undefined
        ? "the server wants a login (401)"
        : "the server does not accept the credentials that were sent (401)"
    return new McpError({ ...base, kind: "needs-auth", message, challenge })
  }
  if (status === 403 && challenge !== undefined && /\binsufficient_scope\b/i.test(challenge)) {
    return new McpError({
      ...base,
      kind: "needs-auth",
      message: "the login does not reach far enough (403 insufficient_scope)",
      challenge
    })
  }
  if (refusal.session && (status === 404 || status === 400) && !concernsRequest(rpc, refusal.id)) {
    return new McpError({
      ...base,
      kind: "session-lost",
      message: `the server no longer knows the session (${status})`
    })
  }
  if (rpc !== undefined) {
    return ofRpc(base, rpc)
  }
  const said = excerpt(refusal)
  const message =
    `${url.host} answered ${status} ${STATUS_CODES[status] ?? ""}`.trim() + (said === "" ? "" : `: ${said}`)
  return new McpError({ ...base, kind: "http", message, hint: statusHint(refusal) })
}

const ofContent = ({ phase, server, url }: Where, refusal: Refusal): McpError => {
  const rpc = rpcError(refusal.body)
  // Some servers do not say which request an error is for; it is the one that was posted.
  if (rpc !== undefined) return ofRpc({ server, phase }, rpc)
  const type = HttpFields.mediaType(refusal.headers)
  const what = type === "" ? "no content" : VisibleText.oneLine(type)
  return new McpError({
    server,
    phase,
    kind: "http",
    status: refusal.status,
    message: `${url.host} answered ${refusal.status} with ${what} where a JSON-RPC reply belongs`,
    hint: isPage(refusal)
      ? pageHint
      : 'Check the path of the URL; a server of the old HTTP+SSE kind is given with "type": "sse".'
  })
}

/** The body is packed in a way that was not asked for. */
export const ofCoding = ({ phase, server, url }: Where, coding: string): McpError =>
  new McpError({
    server,
    phase,
    kind: "http",
    message: `${url.host} answered in a content coding that cannot be read: ${VisibleText.oneLine(coding)}`
  })

const concernsRequest = (rpc: RpcError | undefined, id: number | undefined): boolean =>
  rpc !== undefined && id !== undefined && rpc.id === id && [-32601, -32602, -32603].includes(rpc.code)

const ofRpc = (base: { server: string; phase: Phase; status?: number }, { code, data, message }: RpcError): McpError =>
  new McpError({ ...base, kind: "rpc", message, code, data })

interface RpcError {
  readonly id: unknown
  readonly code: number
  readonly message: string
  readonly data: unknown
}

const rpcError = (body: string): RpcError | undefined => {
  const parsed = parse(body)
  if (!isObject(parsed) || !isObject(parsed.error)) return undefined
  const { code, data, message } = parsed.error
  if (typeof code !== "number" || typeof message !== "string") return undefined
  return { id: parsed.id, code, message, data }
}

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const pageHint =
  "That is a web page: the path of the URL may be wrong, or a sign-in page or proxy answers in its place."

const statusHint = (refusal: Refusal): string | undefined => {
  if (isPage(refusal)) return pageHint
  switch (refusal.status) {
    case 404:
    case 405:
    case 410:
      return "Check the path of the URL: many servers listen on /mcp."
    case 407:
      return "The proxy wants credentials: put them into the proxy's URL."
    case 429: {
      const after = HttpFields.get(refusal.headers, "retry-after")
      return after !== undefined && /^\d{1,6}$/.test(after) ? `The server asks to wait ${after} seconds.` : undefined
    }
    case 502:
    case 503:
    case 504:
      return "The server, or one behind it, is down or busy."
    default:
      return undefined
  }
}

const isPage = ({ body, headers }: Refusal): boolean =>
  HttpFields.mediaType(headers) === "text/html" || /^\s*<(!doctype html|html)\b/i.test(body)

/** What a refusal says for itself, in a line: the error field of JSON, the title of a page, the first of a text. */
const excerpt = (refusal: Refusal): string => {
  const secrets = Object.entries(refusal.sent)
    .filter(([name]) => !isPublic(name))
    .flatMap(([, value]) => [value, ...value.split(/\s+/)])
  const line = VisibleText.oneLine(Redact.mask(statement(refusal), secrets))
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}

const isPublic = (name: string): boolean =>
  name === "user-agent" || (name.startsWith("mcp-") && name !== "mcp-session-id")

const statement = (refusal: Refusal): string => {
  const { body, headers } = refusal
  if (isPage(refusal)) return /<title[^>]*>([^<]*)/i.exec(body)?.[1] ?? ""
  const parsed = parse(body)
  if (isObject(parsed)) {
    const error = isObject(parsed.error) ? parsed.error.message : parsed.error
    return [error, parsed.error_description, parsed.message, parsed.detail, parsed.title]
      .filter((field) => typeof field === "string")
      .slice(0, 2)
      .join(": ")
  }
  if (typeof parsed === "string") return parsed
  return HttpFields.mediaType(headers).startsWith("text/") || HttpFields.mediaType(headers) === "" ? body : ""
}
