/**
 * The header fields of MCP's HTTP messages: what is sent, how a value is made safe, how a media type is compared.
 */
import type { IncomingHttpHeaders } from "node:http"
import type { JsonObject } from "../../JsonRpc.ts"

export type Fields = Readonly<Record<string, string>>

/** Joined with names in small letters; a later one replaces an earlier one. */
export const join = (...groups: ReadonlyArray<Fields | undefined>): Record<string, string> => {
  const joined: Record<string, string> = {}
  for (const group of groups) {
    for (const name in group) joined[name.toLowerCase()] = String(group[name])
  }
  return joined
}

/**
 * The fields that 2026-07-28 asks for in every request, so that a gateway can route it without reading the body.
 */
export const standard = (version: string, method: string, params: JsonObject | undefined): Fields => {
  const name = subject(method, params)
  return {
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": value(name) } : undefined)
  }
}

const subject = (method: string, params: JsonObject | undefined): unknown => {
  switch (method) {
    case "tools/call":
    case "prompts/get":
      return params?.name
    case "resources/read":
      return params?.uri
    default:
      return method.startsWith("tasks/") ? params?.taskId : undefined
  }
}

/** A value as it may stand in a header: as it is if it is plain, else marked and in base64. */
export const value = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/i.test(text)
    ? text
    : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`

/** One field of a reply, as text. */
export const get = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const field = headers[name]
  return Array.isArray(field) ? field.join(", ") : field
}

/** The media type of a reply, without parameters and in small letters; empty when it has none. */
export const mediaType = (headers: IncomingHttpHeaders): string =>
  (get(headers, "content-type") ?? "").split(";", 1).join("").trim().toLowerCase()

/** The revision that a message's own `_meta` names (2026-07-28). */
export const bodyVersion = (params: JsonObject | undefined): unknown => {
  const meta = params?._meta
  return typeof meta === "object" && meta !== null
    ? (meta as JsonObject)["io.modelcontextprotocol/protocolVersion"]
    : undefined
}
