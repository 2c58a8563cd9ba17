/**
 * The login at one server while the program runs: what each message carries, and what is done when the server refuses it.
 *
 * Renewals and logins are made one at a time, and everybody who waits gets the result. Nothing is tried again that has just
 * failed: a token that was refused right after it was issued, a refresh token that was refused, scopes that were asked for twice.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { HttpAuth, Challenge as Refusal } from "../HttpAuth.ts"
import type { McpError } from "../McpError.ts"
import * as AuthError from "./AuthError.ts"
import * as Challenge from "./Challenge.ts"
import * as Credentials from "./Credentials.ts"
import type { Dpop } from "./Dpop.ts"
import * as LoginFlow from "./LoginFlow.ts"
import * as Renewal from "./Renewal.ts"
import * as Scopes from "./Scopes.ts"

/** How long a renewal that failed is not tried again while the token is still good. */
const pause = Duration.seconds(15)
/** How often a login is widened for the same scopes. */
const maxStepUps = 2
const loginTimeout = Duration.minutes(5)

export interface ServerLogin {
  /** `interactive`: a login that needs a person is begun at once, and not asked for. */
  readonly auth: (options: { readonly interactive: boolean }) => HttpAuth
  readonly login: (options: {
    readonly challenge: string | undefined
    readonly timeout?: Duration.Duration | undefined
  }) => Effect.Effect<Credentials.Credentials, McpError>
  /** The challenge of the last refusal. */
  readonly challenge: () => string | undefined
  readonly credentials: Effect.Effect<Credentials.Credentials | undefined>
  readonly forget: Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* (
  place: LoginFlow.Place,
  scope: Scope.Scope
): Effect.fn.Return<ServerLogin> {
  const { kept, name, transport } = place
  const origin = new URL(transport.url).origin
  const oneAtATime = yield* Effect.makeSemaphore(1)
  const stepUps = new Map<string, number>()
  let current: Credentials.Credentials | undefined
  let dpop: Dpop | undefined
  let loaded = false
  /** How the token was got that the server has not accepted yet. */
  let unproven: "renewal" | "login" | undefined
  let lastChallenge: string | undefined
  /** Why the login cannot be renewed. */
  let ended: string | undefined
  let retryAt = 0

  const adopt = (got: LoginFlow.LoggedIn, how: typeof unproven) => {
    current = got.credentials
    dpop = got.dpop
    unproven = how
    ended = undefined
    loaded = true
  }

  /** What the store has, if that is newer than what is known here. */
  const look = Effect.gen(function* () {
    const [stored] = yield* kept.load
    loaded = true
    if (stored === undefined || stored.accessToken === current?.accessToken) return
    adopt({ credentials: stored, dpop: yield* Renewal.handleOf(stored, dpop) }, undefined)
  })

  const loadOnce = Effect.suspend(() =>
    loaded ? Effect.void : oneAtATime.withPermits(1)(Effect.suspend(() => (loaded ? Effect.void : look)))
  )

  /** Goes on when the one who waits is gone: a refresh token that was used must not be lost. */
  const renew = (spent: Credentials.Credentials) =>
    Renewal.renew(place, spent, dpop).pipe(
      Effect.tap((got) => Effect.sync(() => adopt(got, "renewal"))),
      Effect.tapError(({ kind, message }) =>
        Effect.sync(() => {
          if (kind !== "needs-auth" || current !== spent) return
          current = Credentials.update(spent, { refreshToken: undefined })
          ended = message
        })
      ),
      Effect.uninterruptible,
      Effect.forkIn(scope),
      Effect.flatMap(Fiber.join)
    )

  const isRenewable = ({ refreshToken }: Credentials.Credentials) => refreshToken !== undefined

  const renewAhead = oneAtATime.withPermits(1)(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (current === undefined || !Credentials.isEnding(current, now) || !isRenewable(current) || now < retryAt) return
      yield* Effect.catchAll(renew(current), (error) =>
        Effect.sync(() => {
          retryAt = now + Duration.toMillis(pause)
        }).pipe(Effect.zipRight(Effect.logWarning(`[mcp] server "${name}": ${error.message}`)))
      )
    })
  )

  const headers: HttpAuth["headers"] = ({ method, url }) =>
    Effect.gen(function* () {
      if (url.origin !== origin) return {}
      yield* loadOnce
      if (current === undefined) return {}
      if (Credentials.isEnding(current, yield* Clock.currentTimeMillis) && isRenewable(current)) yield* renewAhead
      const { accessToken, tokenType } = current
      // A token whose time is over says less than none: the server's refusal leads to a new one.
      if (Credentials.isOver(current, yield* Clock.currentTimeMillis)) return {}
      return tokenType === "DPoP" && dpop !== undefined
        ? yield* dpop.fields({ method, url, token: accessToken })
        : { authorization: `Bearer ${accessToken}` }
    })

  const replied: NonNullable<HttpAuth["replied"]> = ({ headers: fields, status, url }) => {
    if (status >= 200 && status < 300) unproven = undefined
    const nonce = fields["dpop-nonce"]
    if (typeof nonce === "string") dpop?.nonce(url, nonce)
  }

  const enter = (attempt: LoginFlow.Attempt) =>
    Effect.tap(LoginFlow.run(place, attempt), (got) => Effect.sync(() => adopt(got, "login")))

  /** A new token, by a person if there is one, or by the machine's grant. */
  const loginAgain = (wanted: Challenge.Wanted, interactive: boolean, refusal: Refusal, why: string) => {
    if (!interactive && !LoginFlow.isMachine(transport.oauth)) {
      return Effect.fail(AuthError.needsLogin(name, why, refusal.status))
    }
    return Effect.as(enter({ wanted, timeout: loginTimeout }), true)
  }

  const stepUp = Effect.fnUntraced(function* (wanted: Challenge.Wanted, interactive: boolean, refusal: Refusal) {
    const scopes = wanted.scopes ?? []
    const key = [...scopes].sort().join(" ")
    const times = stepUps.get(key) ?? 0
    const names = scopes.length === 0 ? "more" : AuthError.said(scopes.join(" "))
    if (times >= maxStepUps) {
      return yield* AuthError.needsLogin(name, `the server still asks for ${names} after ${times} wider logins`, 403)
    }
    stepUps.set(key, times + 1)
    if (current !== undefined) {
      const withMissing = (kept: Credentials.Credentials) =>
        Credentials.update(kept, { missing: Scopes.union(kept.missing, scopes) })
      current = withMissing(current)
      yield* kept.amend(current.issuer, withMissing)
    }
    return yield* loginAgain(
      wanted,
      interactive,
      refusal,
      `the login does not reach far enough: the server asks for ${names}`
    )
  })

  const refused = Effect.fnUntraced(function* (refusal: Refusal, interactive: boolean) {
    const wanted = Challenge.wanted(refusal.wwwAuthenticate)
    lastChallenge = refusal.wwwAuthenticate ?? lastChallenge
    const sent = tokenOf(refusal.sent)
    if (sent !== undefined && wanted.error === "use_dpop_nonce" && dpop?.hasNonce(refusal.url) === true) return true
    if (current === undefined || sent === current.accessToken) yield* look
    const now = yield* Clock.currentTimeMillis
    if (current !== undefined && current.accessToken !== sent && !Credentials.isOver(current, now)) return true
    if (refusal.status === 403) return yield* stepUp(wanted, interactive, refusal)
    if (unproven === "login" && sent !== undefined) {
      return yield* AuthError.needsLogin(name, "the server does not accept the token that was just issued for it", 401)
    }
    if (current === undefined) return yield* loginAgain(wanted, interactive, refusal, "the server wants a login (401)")
    if ((unproven === undefined || sent === undefined) && isRenewable(current)) {
      const renewed = yield* Effect.either(renew(current))
      if (Either.isRight(renewed)) return true
      if (renewed.left.kind !== "needs-auth") return yield* renewed.left
      return yield* loginAgain(wanted, interactive, refusal, renewed.left.message)
    }
    const why = ended ?? "the server does not accept the login any more (401)"
    return yield* loginAgain(wanted, interactive, refusal, why)
  })

  return {
    auth: ({ interactive }) => ({
      headers,
      replied,
      unauthorized: (refusal) => oneAtATime.withPermits(1)(refused(refusal, interactive))
    }),
    login: ({ challenge, timeout = loginTimeout }) =>
      oneAtATime.withPermits(1)(
        Effect.suspend(() => {
          stepUps.clear()
          return enter({ wanted: challenge === undefined ? undefined : Challenge.wanted(challenge), timeout })
        }).pipe(Effect.map(({ credentials }) => credentials))
      ),
    challenge: () => lastChallenge,
    credentials: Effect.zipRight(
      oneAtATime.withPermits(1)(look),
      Effect.sync(() => current)
    ),
    forget: oneAtATime.withPermits(1)(
      Effect.zipRight(
        kept.remove(),
        Effect.sync(() => {
          current = undefined
          dpop = undefined
          unproven = undefined
          ended = undefined
          lastChallenge = undefined
        })
      )
    )
  }
})

/** The token that a message carried. */
const tokenOf = (sent: Refusal["sent"]): string | undefined => sent?.authorization?.split(" ")[1]
