/**
 * The end of a login: its tokens are given back where the authorization server takes them, and forgotten in any case.
 */
import * as Effect from "effect/Effect"
import * as AuthorizationCode from "./AuthorizationCode.ts"
import type { Credentials } from "./Credentials.ts"
import * as LoginFlow from "./LoginFlow.ts"
import * as Renewal from "./Renewal.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"

/** Whether the authorization server has taken the tokens back. */
export const revoke = (place: LoginFlow.Place, credentials: Credentials): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const { accessToken, client, issuer, refreshToken, resourceMetadata } = credentials
    const { discovery, http } = yield* LoginFlow.discover(place, resourceMetadata, issuer)
    const { metadata } = discovery.authorizationServer
    if (discovery.authorizationServer.issuer !== issuer || metadata.revocation_endpoint === undefined) return false
    const authentication = yield* AuthorizationCode.authenticationOf(place.name, client, place.transport.oauth)
    const dpop = yield* Renewal.handleOf(credentials, undefined)
    const party: TokenEndpoint.Party = { http, metadata, client, authentication, dpop }
    // With the refresh token go all tokens that came from it, as a rule; some servers know no revocation of the other kind.
    if (refreshToken === undefined) yield* TokenEndpoint.revoke(party, accessToken, "access_token")
    else {
      yield* TokenEndpoint.revoke(party, refreshToken, "refresh_token")
      yield* Effect.ignore(TokenEndpoint.revoke(party, accessToken, "access_token"))
    }
    return true
  }).pipe(Effect.orElseSucceed(() => false))
