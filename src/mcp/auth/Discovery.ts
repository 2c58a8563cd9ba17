/**
 * Who issues tokens for a server, found out from the server itself and checked at each step. Never remembered: a server may move to
 * another authorization server at any time.
 */
import * as Effect from "effect/Effect"
import type { McpError } from "../McpError.ts"
import * as AuthError from "./AuthError.ts"
import type { AuthHttp } from "./AuthHttp.ts"
import * as AuthorizationServer from "./AuthorizationServer.ts"
import * as ProtectedResource from "./ProtectedResource.ts"

export interface Discovery {
  /** What the tokens are for (RFC 8707). */
  readonly resource: string
  readonly scopesSupported: ReadonlyArray<string> | undefined
  /** The server takes tokens that are bound to a key. */
  readonly dpop: boolean
  readonly authorizationServer: AuthorizationServer.AuthorizationServer
}

export const run = Effect.fnUntraced(function* (
  http: AuthHttp,
  options: {
    readonly url: URL
    /** The address in the server's refusal. */
    readonly resourceMetadata: string | undefined
    /** The authorization server that the configuration asks for. */
    readonly issuer: string | undefined
    /** The one that was used before: kept where the server still names it. */
    readonly known: string | undefined
  }
): Effect.fn.Return<Discovery, McpError> {
  const { issuer, known, resourceMetadata, url } = options
  const described = yield* ProtectedResource.discover(http, url, resourceMetadata)
  if (described === undefined) {
    const authorizationServer = yield* AuthorizationServer.atRoot(http, url)
    yield* demand(http, issuer, [authorizationServer.issuer])
    return {
      resource: ProtectedResource.canonical(url),
      scopesSupported: undefined,
      dpop: false,
      authorizationServer
    }
  }
  const { authorizationServers, dpop, resource, scopesSupported } = described
  yield* demand(http, issuer, authorizationServers)
  const kept = authorizationServers.find((name) => name === known)
  const chosen = issuer ?? kept ?? authorizationServers[0] ?? ""
  const authorizationServer = yield* AuthorizationServer.discover(http, chosen)
  return { resource, scopesSupported, dpop, authorizationServer }
})

const demand = (http: AuthHttp, issuer: string | undefined, named: ReadonlyArray<string>) =>
  issuer === undefined || named.includes(issuer)
    ? Effect.void
    : Effect.fail(
        AuthError.refuse(
          http.server,
          `the server names other authorization servers (${AuthError.said(named.join(", "))}) than the configured ${issuer}`,
          `Credentials are never used at another authorization server: check "oauth" in the entry.`
        )
      )
