/**
 * Tokens without a browser: for a machine account, for a workload by the token of its platform, for a person by the ID token of the
 * company's identity provider. What is refused is told, and nothing else is tried in its place.
 */
import * as Effect from "effect/Effect"
import type { McpError } from "../McpError.ts"
import type { IdentityProvider, OAuth } from "../ServerConfig.ts"
import * as AuthError from "./AuthError.ts"
import * as AuthHttp from "./AuthHttp.ts"
import * as AuthorizationCode from "./AuthorizationCode.ts"
import * as ClientAuthentication from "./ClientAuthentication.ts"
import { Client } from "./Credentials.ts"
import type * as Discovery from "./Discovery.ts"
import type { Dpop } from "./Dpop.ts"
import * as Registration from "./Registration.ts"
import * as Secret from "./Secret.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"

export interface Options {
  readonly http: AuthHttp.AuthHttp
  readonly discovery: Discovery.Discovery
  readonly oauth: OAuth
  readonly scopes: ReadonlyArray<string> | undefined
  readonly dpop: Dpop | undefined
  /** A PEM file with extra certificate authorities. */
  readonly ca: string | undefined
}

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
const tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
const idToken = "urn:ietf:params:oauth:token-type:id_token"
const idJag = "urn:ietf:params:oauth:token-type:id-jag"

export const run = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<AuthorizationCode.Result, McpError> {
  const { discovery, dpop, http, oauth } = options
  const { authorizationServer, resource } = discovery
  const client = Registration.configured(oauth, authorizationServer)
  if (client === undefined) return yield* incomplete(http.server, oauth, "clientId")
  const authentication = yield* AuthorizationCode.authenticationOf(http.server, client, oauth)
  const { metadata } = authorizationServer
  const { grantType, parameters } = yield* grantOf(options)
  const tokens = yield* TokenEndpoint.grant(
    { http, metadata, client, authentication, dpop },
    "the token request",
    grantType,
    { ...parameters, resource, scope: options.scopes?.join(" ") }
  ).pipe(Effect.mapError(TokenEndpoint.toMcpError))
  return { client, tokens }
})

const incomplete = (server: string, { grant }: OAuth, field: string) =>
  AuthError.make(server, "config", `"oauth" with the grant ${grant} needs "${field}"`)

const grantOf = Effect.fnUntraced(function* (options: Options) {
  const { http, oauth } = options
  switch (oauth.grant) {
    case "jwt_bearer": {
      if (oauth.assertion === undefined) return yield* incomplete(http.server, oauth, "assertion")
      const assertion = yield* Secret.read(http.server, "the workload's token", oauth.assertion)
      return { grantType: jwtBearer, parameters: { assertion } }
    }
    case "enterprise": {
      if (oauth.identityProvider === undefined) return yield* incomplete(http.server, oauth, "identityProvider")
      return { grantType: jwtBearer, parameters: { assertion: yield* exchange(options, oauth.identityProvider) } }
    }
    default:
      return { grantType: "client_credentials", parameters: {} }
  }
})

/** The ID token becomes a grant for this one authorization server and resource (ID-JAG). */
const exchange = Effect.fnUntraced(function* (
  { ca, discovery, http: { server }, scopes }: Options,
  { clientId, clientSecret, idToken: credential, tokenEndpoint }: IdentityProvider
) {
  const secret = yield* Secret.readOptional(server, "the client secret of the identity provider", clientSecret)
  const client = new Client({
    clientId,
    method: ClientAuthentication.choose({ secret: secret !== undefined, key: false }, undefined),
    origin: "configured"
  })
  const party: TokenEndpoint.Party = {
    // The configuration names the identity provider, not the server: how near that is does not matter.
    http: yield* AuthHttp.make({ server, url: tokenEndpoint, ca }),
    metadata: { issuer: tokenEndpoint, token_endpoint: tokenEndpoint },
    client,
    authentication: yield* ClientAuthentication.make(server, client, { secret })
  }
  const { accessToken } = yield* TokenEndpoint.grant(
    party,
    "the token exchange at the identity provider",
    tokenExchange,
    {
      subject_token: yield* Secret.read(server, "the ID token", credential),
      subject_token_type: idToken,
      requested_token_type: idJag,
      audience: discovery.authorizationServer.issuer,
      resource: discovery.resource,
      scope: scopes?.join(" ")
    }
  ).pipe(Effect.mapError(TokenEndpoint.toMcpError))
  return accessToken
})
