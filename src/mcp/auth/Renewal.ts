/**
 * A token that is renewed: by its refresh token, once for all that wait for it, in this process and in others.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { McpError } from "../McpError.ts"
import * as AuthError from "./AuthError.ts"
import * as AuthorizationCode from "./AuthorizationCode.ts"
import * as Credentials from "./Credentials.ts"
import * as Dpop from "./Dpop.ts"
import * as LoginFlow from "./LoginFlow.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"

/** What the authorization server answers when it will not take the refresh token however often it is asked. */
const final = new Set([
  "invalid_grant",
  "invalid_client",
  "unauthorized_client",
  "invalid_scope",
  "invalid_target",
  "unsupported_grant_type"
])

/** Fails with kind `needs-auth` when only a login helps. */
export const renew = (
  place: LoginFlow.Place,
  spent: Credentials.Credentials,
  dpop: Dpop.Dpop | undefined
): Effect.Effect<LoginFlow.LoggedIn, McpError> =>
  place.kept.exclusively(
    Effect.gen(function* () {
      const stored = (yield* place.kept.load).find(({ issuer }) => issuer === spent.issuer)
      const now = yield* Clock.currentTimeMillis
      if (stored !== undefined && stored.accessToken !== spent.accessToken && !Credentials.isEnding(stored, now)) {
        // Another process was faster.
        return { credentials: stored, dpop: yield* handleOf(stored, dpop) }
      }
      return yield* ask(place, stored ?? spent, dpop)
    })
  )

const ask = Effect.fnUntraced(function* (
  place: LoginFlow.Place,
  credentials: Credentials.Credentials,
  known: Dpop.Dpop | undefined
): Effect.fn.Return<LoginFlow.LoggedIn, McpError> {
  const { kept, name, transport } = place
  const { client, issuer, refreshToken, resource, resourceMetadata } = credentials
  const where = AuthError.place(issuer)
  if (refreshToken === undefined) return yield* AuthError.needsLogin(name, `the login at ${where} has ended`)
  const { discovery, http } = yield* LoginFlow.discover(place, resourceMetadata, issuer)
  const { authorizationServer } = discovery
  if (authorizationServer.issuer !== issuer) {
    return yield* AuthError.needsLogin(
      name,
      `the server has moved from the authorization server ${where} to ${AuthError.place(authorizationServer.issuer)}`
    )
  }
  const dpop = yield* handleOf(credentials, known)
  const authentication = yield* AuthorizationCode.authenticationOf(name, client, transport.oauth)
  const tokens = yield* TokenEndpoint.grant(
    { http, metadata: authorizationServer.metadata, client, authentication, dpop },
    "the renewal of the login",
    "refresh_token",
    { refresh_token: refreshToken, resource }
  ).pipe(
    Effect.catchTag("Refused", ({ code, error }) =>
      final.has(code)
        ? Effect.zipRight(
            kept.save(Credentials.update(spoiled(credentials, code), { refreshToken: undefined })),
            Effect.fail(AuthError.needsLogin(name, `the login has ended: ${error.message}`))
          )
        : // It may take the token later: the login is not lost.
          Effect.fail(AuthError.make(name, "http", error.message))
    )
  )
  const renewed = Credentials.update(credentials, {
    accessToken: tokens.accessToken,
    tokenType: tokens.tokenType,
    issuedAt: tokens.issuedAt,
    expiresAt: tokens.expiresAt,
    refreshToken: tokens.refreshToken ?? refreshToken,
    scopes: tokens.scopes ?? credentials.scopes
  })
  yield* kept.save(renewed)
  return { credentials: renewed, dpop }
})

/** Without the client's registration where the authorization server does not know it any more. */
const spoiled = (credentials: Credentials.Credentials, code: string): Credentials.Credentials =>
  code === "invalid_client" || code === "unauthorized_client"
    ? Credentials.withoutRegistration(credentials)
    : credentials

/** The handle of the key that the credentials are bound to; one that is there knows the servers' nonces. */
export const handleOf = ({ key }: Credentials.Credentials, known: Dpop.Dpop | undefined) =>
  key === undefined
    ? Effect.succeed(undefined)
    : known !== undefined && known.jwk.d === key.d
      ? Effect.succeed(known)
      : Dpop.make(key)
