/**
 * A new login at one server, from its address to tokens: who issues them, which scopes, which client, which grant.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { McpError } from "../McpError.ts"
import type { Http, OAuth } from "../ServerConfig.ts"
import * as AuthError from "./AuthError.ts"
import * as AuthHttp from "./AuthHttp.ts"
import * as AuthorizationCode from "./AuthorizationCode.ts"
import type * as Browser from "./Browser.ts"
import type * as Challenge from "./Challenge.ts"
import { Credentials, withoutRegistration } from "./Credentials.ts"
import * as Discovery from "./Discovery.ts"
import * as Dpop from "./Dpop.ts"
import type { Kept } from "./internal/Kept.ts"
import type * as LoginPrompt from "./LoginPrompt.ts"
import * as MachineGrant from "./MachineGrant.ts"
import * as Scopes from "./Scopes.ts"

/** One server, and what its logins are made with. */
export interface Place {
  readonly name: string
  readonly transport: Http
  readonly kept: Kept
  readonly browser: Browser.Service
  readonly prompt: LoginPrompt.Service
}

export interface Attempt {
  /** What the server's refusal said. */
  readonly wanted: Challenge.Wanted | undefined
  /** How long the person may take. */
  readonly timeout: Duration.Duration
}

export interface LoggedIn {
  readonly credentials: Credentials
  readonly dpop: Dpop.Dpop | undefined
}

/** Whether no person is needed. */
export const isMachine = (oauth: OAuth | undefined): oauth is OAuth =>
  oauth !== undefined && oauth.grant !== "authorization_code"

/** Who issues tokens for the server now. */
export const discover = Effect.fnUntraced(function* (
  { name, transport }: Place,
  resourceMetadata: string | undefined,
  known: string | undefined
) {
  const { ca, oauth, url } = transport
  const http = yield* AuthHttp.make({ server: name, url, ca })
  yield* http.check("the server", url)
  const discovery = yield* Discovery.run(http, {
    url: new URL(url),
    resourceMetadata,
    issuer: oauth?.issuer,
    known
  })
  return { http, discovery }
})

export const run = Effect.fnUntraced(function* (
  place: Place,
  { timeout, wanted }: Attempt
): Effect.fn.Return<LoggedIn, McpError> {
  const { browser, kept, name, prompt, transport } = place
  const { oauth } = transport
  const earlier = yield* kept.load
  const resourceMetadata = wanted?.resourceMetadata ?? earlier[0]?.resourceMetadata
  const { discovery, http } = yield* discover(place, resourceMetadata, earlier[0]?.issuer)
  const { authorizationServer, resource, scopesSupported } = discovery
  const { issuer, metadata } = authorizationServer
  yield* demandOwnIssuer(name, oauth, issuer, earlier)

  const before = earlier.find((one) => one.issuer === issuer)
  const scopes = Scopes.select({
    configured: oauth?.scopes,
    challenged: wanted?.scopes,
    earlier: Scopes.union(before?.requested, before?.missing),
    supported: scopesSupported,
    offered: isMachine(oauth) ? undefined : metadata.scopes_supported
  })
  const dpop = (yield* isBound(place, discovery, wanted)) ? yield* Dpop.make(undefined) : undefined
  const { client, tokens } = yield* isMachine(oauth)
    ? MachineGrant.run({ http, discovery, oauth, scopes, dpop, ca: transport.ca })
    : Effect.onError(
        AuthorizationCode.run({
          http,
          discovery,
          oauth,
          known: before?.client,
          scopes,
          dpop,
          browser,
          prompt,
          timeout
        }),
        // Cancelled, too: the page may have said that it does not know the client.
        () => kept.amend(issuer, withoutRegistration)
      )
  const credentials = new Credentials({
    server: transport.url,
    issuer,
    resource,
    resourceMetadata,
    client,
    accessToken: tokens.accessToken,
    tokenType: tokens.tokenType,
    issuedAt: tokens.issuedAt,
    expiresAt: tokens.expiresAt,
    refreshToken: tokens.refreshToken,
    scopes: tokens.scopes ?? scopes ?? [],
    requested: scopes ?? [],
    missing: [],
    key: dpop?.jwk
  })
  yield* kept.exclusively(Effect.zipRight(kept.remove(), kept.save(credentials)))
  return { credentials, dpop }
})

/** A configured client belongs to the authorization server that it was first used at. */
const demandOwnIssuer = (
  name: string,
  oauth: OAuth | undefined,
  issuer: string,
  earlier: ReadonlyArray<Credentials>
) => {
  const elsewhere = earlier.find(({ client }) => client.origin === "configured" && client.clientId === oauth?.clientId)
  if (oauth?.issuer !== undefined || elsewhere === undefined || elsewhere.issuer === issuer) return Effect.void
  return Effect.fail(
    AuthError.refuse(
      name,
      `the server now names the authorization server ${AuthError.place(issuer)}; the configured client belongs to ${AuthError.place(elsewhere.issuer)}`,
      `If that is right: harness9 mcp logout, then give the new client and "issuer" in "oauth" of the entry.`
    )
  )
}

/** DPoP is used where the server speaks of it: one that does not would refuse the token. */
const isBound = (
  { name, transport: { oauth } }: Place,
  { authorizationServer, dpop }: Discovery.Discovery,
  wanted: Challenge.Wanted | undefined
): Effect.Effect<boolean, McpError> => {
  const { issuer, metadata } = authorizationServer
  if (!(oauth?.dpop ?? (dpop || wanted?.dpop === true))) return Effect.succeed(false)
  if (metadata.dpop_signing_alg_values_supported?.includes(Dpop.algorithm) === true) return Effect.succeed(true)
  return oauth?.dpop === true
    ? Effect.fail(AuthError.make(name, "config", `${AuthError.place(issuer)} has no DPoP with ${Dpop.algorithm}`))
    : Effect.succeed(false)
}
