/**
 * An MCP server and its authorization server on one port, which do what is right unless a test says otherwise.
 */
import type { ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { JsonObject } from "../../../src/mcp/JsonRpc.ts"
import * as Leaks from "../../leaks.ts"
import { type Got, json, type Server, serve } from "../httpServer.ts"

export interface Options {
  /** Fields of the protected resource metadata beside the right ones; `false`: there is none. */
  readonly resource?: JsonObject | false
  /** Fields of the authorization server metadata beside the right ones; `false`: there is none. */
  readonly metadata?: JsonObject | false
  /** Parameters of the answer that the browser brings, beside the right ones; undefined takes one away, ORIGIN is the server's. */
  readonly answer?: Readonly<Record<string, string | undefined>> | undefined
  readonly token?: (got: Got, response: ServerResponse) => void
  /** The `WWW-Authenticate` of a refusal. */
  readonly challenge?: string
  /** What a message with a login gets. Default: an empty result. */
  readonly mcp?: (got: Got, response: ServerResponse) => void
}

export interface Fake extends Server {
  /** The requests for a path. */
  readonly at: (path: string) => ReadonlyArray<Got>
}

export const fakeServer = (options: Options = {}): Effect.Effect<Fake, never, Scope.Scope> =>
  Effect.map(
    serve((got, response) => {
      const origin = `http://${got.headers.host}`
      const url = new URL(got.path, origin)
      switch (url.pathname) {
        case "/.well-known/oauth-protected-resource/mcp":
          return options.resource === false
            ? json(response, 404, {})
            : json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin], ...options.resource })
        case "/.well-known/oauth-authorization-server":
          return options.metadata === false
            ? json(response, 404, {})
            : json(response, 200, {
                issuer: origin,
                authorization_endpoint: `${origin}/authorize`,
                token_endpoint: `${origin}/token`,
                registration_endpoint: `${origin}/register`,
                revocation_endpoint: `${origin}/revoke`,
                code_challenge_methods_supported: ["S256"],
                token_endpoint_auth_methods_supported: ["none"],
                authorization_response_iss_parameter_supported: true,
                ...options.metadata
              })
        case "/authorize": {
          const target = new URL(url.searchParams.get("redirect_uri") ?? "")
          const state = url.searchParams.get("state") ?? undefined
          for (const [name, value] of Object.entries({ code: "the-code-123", state, iss: origin, ...options.answer })) {
            if (name === "code") Leaks.note("a code", value)
            if (value !== undefined) target.searchParams.set(name, value.replace("ORIGIN", origin))
          }
          return void response.writeHead(302, { location: target.href }).end()
        }
        case "/token":
          if (options.token !== undefined) return options.token(got, response)
          return json(response, 200, { access_token: "the-token-123", token_type: "Bearer", expires_in: 3600 })
        case "/register":
          return json(response, 201, { client_id: "the-client" })
        case "/revoke":
          return void response.writeHead(200).end()
        case "/mcp":
          if (got.headers.authorization === undefined) {
            return json(response, 401, {}, { "www-authenticate": options.challenge ?? "Bearer" })
          }
          if (options.mcp !== undefined) return options.mcp(got, response)
          return json(response, 200, { jsonrpc: "2.0", id: got.message.id, result: { tools: [] } })
        default:
          return json(response, 404, {})
      }
    }),
    (server) => ({ ...server, at: (path) => server.got.filter((one) => one.path.split("?")[0] === path) })
  )

const results: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "guarded", version: "1" }
  },
  "tools/list": { tools: [{ name: "open", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: "opened" }] }
}

/** What those who have logged in find: a server with one tool, `open`. */
export const oneTool = ({ message }: Got, response: ServerResponse): void => {
  if (message.id === undefined) return void response.writeHead(202).end()
  const result = results[String(message.method)]
  const reply = result === undefined ? { error: { code: -32601, message: "no such method" } } : { result }
  json(response, 200, { jsonrpc: "2.0", id: message.id, ...reply })
}
