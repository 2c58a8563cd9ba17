/**
 * MCP servers over HTTP with one tool, `t`, for living sessions.
 */
import type * as http from "node:http"
import * as Effect from "effect/Effect"
import type * as McpManager from "../../src/mcp/McpManager.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import type { Got, Handler, Server } from "../mcp/httpServer.ts"
import { json, result } from "../mcp/httpServer.ts"
import { living, textOf } from "./living.ts"

/** The answer to a call, as text. */
export const said = (got: Got, text: string) => result(got, { content: [{ type: "text", text }] })

export interface Site {
  /** Default: answers "ok". */
  readonly call?: Handler
  /** Default: there is no stream. */
  readonly get?: Handler
  /** How everything but calls, streams and notifications is answered. Default: as JSON. */
  readonly answer?: (message: unknown, got: Got, response: http.ServerResponse) => void
  readonly headers?: Readonly<Record<string, string>>
  readonly protocolVersion?: string
}

/** What answers every message as an MCP server does. */
export const site = (options: Site = {}): Handler => {
  const { call = (got, response) => json(response, 200, said(got, "ok")), headers = {} } = options
  const get: Handler = options.get ?? ((_, response) => void response.writeHead(405).end())
  const answer = options.answer ?? ((message, _, response) => json(response, 200, message))
  return (got, response) => {
    const { id, method, params } = got.message
    if (got.method === "GET") return get(got, response)
    if (got.method === "DELETE") return void response.writeHead(204).end()
    if (id === undefined) return void response.writeHead(202).end()
    switch (method) {
      case "initialize": {
        const protocolVersion = options.protocolVersion ?? params?.protocolVersion
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
        const info = { capabilities: { tools: {} }, serverInfo: { name: "site", version: "1" } }
        return answer(result(got, { protocolVersion, ...info }), got, response)
      }
      case "tools/list":
        return answer(result(got, { tools: [{ name: "t", inputSchema: { type: "object" } }] }), got, response)
      case "tools/call":
        return call(got, response)
      default:
        return answer({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }, got, response)
    }
  }
}

/** A Manager of one server at this address, which is called "it". */
export const at = (
  url: string,
  options: Omit<Parameters<typeof ServerConfig.http>[1], "url"> = {},
  manager?: McpManager.Options
) => living([ServerConfig.http("it", { url, ...options })], manager)

/** Calls the tool. */
export const callT = (manager: McpManager.Service) => textOf(manager, "it", "t")

/** What the server got by this method of the protocol. */
export const gotOf = (server: Server, method: string) => server.got.filter(({ message }) => message.method === method)

/** What the server got by this method of HTTP. */
export const requestsOf = (server: Server, method: string) => server.got.filter((got) => got.method === method)

export const failure = (manager: McpManager.Service) =>
  Effect.map(manager.statuses, ([status]) => (status !== undefined && "error" in status ? status.error : undefined))
