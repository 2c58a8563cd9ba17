/**
 * Logins at MCP servers: what the messages to a server carry, how a person or a machine account gets in, and what is kept of it.
 *
 * An embedder replaces what it needs to: `TokenStore` keeps the logins, `Browser` opens the page, `LoginPrompt` tells the person.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as AuthError from "./auth/AuthError.ts"
import * as Browser from "./auth/Browser.ts"
import type { Credentials } from "./auth/Credentials.ts"
import * as FixedHeaders from "./auth/FixedHeaders.ts"
import * as Kept from "./auth/internal/Kept.ts"
import type * as LoginFlow from "./auth/LoginFlow.ts"
import * as LoginPrompt from "./auth/LoginPrompt.ts"
import type * as ServerLogin from "./auth/ServerLogin.ts"
import * as TokenStore from "./auth/TokenStore.ts"
import type { HttpAuth } from "./HttpAuth.ts"
import type { McpError } from "./McpError.ts"
import type { Http, ServerConfig } from "./ServerConfig.ts"

/**
 * What a login gave. Tokens are no part of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface LoginResult {
  readonly server: string
  /** The authorization server. */
  readonly issuer: string
  readonly scopes: ReadonlyArray<string>
  /** When the token ends, in milliseconds since 1970. */
  readonly expiresAt: number | undefined
  /** Whether the login renews itself when its token ends. */
  readonly renewable: boolean
}

/**
 * @since 0.1.0
 * @category models
 */
export interface LogoutResult {
  /** How many logins were forgotten. */
  readonly forgotten: number
  /** How many of them the authorization server has taken back. */
  readonly revoked: number
}

/**
 * How a server stands with logins.
 *
 * - `NotNeeded`: a program, which takes its credentials from its environment
 * - `Configured`: the entry says what is sent
 * - `LoggedOut`: there is no login, and the server may not want one
 * - `LoggedIn`: there is one
 * - `Ended`: there was one; a new one is needed
 *
 * @since 0.1.0
 * @category models
 */
export type AuthStatus = Data.TaggedEnum<{
  NotNeeded: {}
  Configured: { readonly by: "headers" | "headersHelper" }
  LoggedOut: {}
  LoggedIn: LoginResult
  Ended: LoginResult
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const AuthStatus = Data.taggedEnum<AuthStatus>()

/**
 * What happens to logins while the program runs: for a screen that shows who needs one.
 *
 * @since 0.1.0
 * @category models
 */
export type AuthEvent = Data.TaggedEnum<{
  /** A message was refused, and only a person can help. */
  LoginNeeded: { readonly server: string; readonly error: McpError }
  LoggedIn: { readonly server: string }
  LoggedOut: { readonly server: string }
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const AuthEvent = Data.taggedEnum<AuthEvent>()

/**
 * @since 0.1.0
 * @category models
 */
export interface LoginOptions {
  /** The `WWW-Authenticate` header of the server's refusal. Default: the last one seen, or the server is asked. */
  readonly challenge?: string | undefined
  /** How long the person may take. Default: 5 minutes. */
  readonly timeout?: Duration.Duration | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /**
   * The credentials of one server, for its transport. With `interactive` a server that wants a login gets one at once, browser and all;
   * without, its messages fail with kind `needs-auth`. Machine accounts log in by themselves in any case.
   */
  readonly forServer: (
    config: ServerConfig,
    options?: { readonly interactive?: boolean | undefined }
  ) => Effect.Effect<HttpAuth>
  /** Logs in, whether or not there is a login. Transports of the same server use it from their next message on. */
  readonly login: (config: ServerConfig, options?: LoginOptions) => Effect.Effect<LoginResult, McpError>
  /** Gives the tokens back where that is possible, and forgets them. */
  readonly logout: (config: ServerConfig) => Effect.Effect<LogoutResult, McpError>
  /** Asks nobody: what is kept says it. */
  readonly status: (config: ServerConfig) => Effect.Effect<AuthStatus>
  /** What happens from now on. */
  readonly events: Stream.Stream<AuthEvent>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class McpAuth extends Context.Tag("harness9/McpAuth")<McpAuth, Service>() {}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  Service,
  never,
  TokenStore.TokenStore | Browser.Browser | LoginPrompt.LoginPrompt | Scope.Scope
> = Effect.gen(function* () {
  const store = yield* TokenStore.TokenStore
  const browser = yield* Browser.Browser
  const prompt = yield* LoginPrompt.LoginPrompt
  const scope = yield* Effect.scope
  const logins = new Map<string, ServerLogin.ServerLogin>()
  const events = yield* PubSub.sliding<AuthEvent>(64)
  const oneAtATime = yield* Effect.makeSemaphore(1)

  const placeOf = (name: string, transport: Http): LoginFlow.Place => ({
    name,
    transport,
    kept: Kept.make(store, transport.url),
    browser,
    prompt
  })

  /** Transports and logins of the same server share what they know. */
  const loginOf = (name: string, transport: Http) =>
    Effect.gen(function* () {
      const key = JSON.stringify([name, transport.url, transport.ca, transport.oauth])
      const known = logins.get(key)
      if (known !== undefined) return known
      const { make: makeLogin } = yield* Effect.promise(() => import("./auth/ServerLogin.ts"))
      const login = yield* makeLogin(placeOf(name, transport), scope)
      logins.set(key, login)
      return login
    }).pipe(oneAtATime.withPermits(1))

  const told = (server: string, auth: HttpAuth): HttpAuth => ({
    ...auth,
    unauthorized: (challenge) =>
      Effect.tapError(auth.unauthorized(challenge), (error) =>
        error.kind === "needs-auth" ? PubSub.publish(events, AuthEvent.LoginNeeded({ server, error })) : Effect.void
      )
  })

  const forServer: Service["forServer"] = ({ name, transport }, { interactive = false } = {}) => {
    if (transport._tag === "stdio") return Effect.succeed(FixedHeaders.asTheyStand)
    return (
      FixedHeaders.ofTransport(name, transport) ??
      Effect.map(loginOf(name, transport), (login) => told(name, login.auth({ interactive })))
    )
  }

  const login: Service["login"] = Effect.fnUntraced(function* (config, options = {}) {
    const transport = yield* loginable(config)
    const { name } = config
    const own = yield* loginOf(name, transport)
    const { challengeOf } = yield* Effect.promise(() => import("./auth/Probe.ts"))
    const challenge = options.challenge ?? own.challenge() ?? (yield* challengeOf(name, transport))
    const credentials = yield* own.login({ challenge, timeout: options.timeout })
    yield* PubSub.publish(events, AuthEvent.LoggedIn({ server: name }))
    return resultOf(name, credentials)
  })

  const logout: Service["logout"] = Effect.fnUntraced(function* (config) {
    const transport = yield* loginable(config)
    const place = placeOf(config.name, transport)
    const { revoke } = yield* Effect.promise(() => import("./auth/Logout.ts"))
    const all = yield* place.kept.load
    const revoked = yield* Effect.filter(all, (credentials) => revoke(place, credentials))
    yield* Effect.flatMap(loginOf(config.name, transport), ({ forget }) => forget)
    yield* PubSub.publish(events, AuthEvent.LoggedOut({ server: config.name }))
    return { forgotten: all.length, revoked: revoked.length }
  })

  const status: Service["status"] = Effect.fnUntraced(function* ({ name, transport }) {
    if (transport._tag === "stdio") return AuthStatus.NotNeeded()
    const by = FixedHeaders.source(transport)
    if (by !== undefined) return AuthStatus.Configured({ by })
    const [kept] = yield* Kept.make(store, transport.url).load
    if (kept === undefined) return AuthStatus.LoggedOut()
    const result = resultOf(name, kept)
    const isOver = kept.expiresAt !== undefined && kept.expiresAt <= (yield* Clock.currentTimeMillis)
    return isOver && !result.renewable ? AuthStatus.Ended(result) : AuthStatus.LoggedIn(result)
  })

  return { forServer, login, logout, status, events: Stream.fromPubSub(events) }
})

/**
 * For a program without logins: what the entry's own `headersHelper` prints, if it has one.
 *
 * @since 0.1.0
 * @category constructors
 */
export const withoutLogin = ({ name, transport }: ServerConfig): Effect.Effect<HttpAuth | undefined> =>
  transport._tag === "stdio" || transport.headersHelper === undefined
    ? Effect.succeed(undefined)
    : (FixedHeaders.ofTransport(name, transport) ?? Effect.succeed(undefined))

/**
 * Logins with the store, browser and prompt that are given.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<McpAuth, never, TokenStore.TokenStore | Browser.Browser | LoginPrompt.LoginPrompt> =
  Layer.scoped(McpAuth, make)

/**
 * Logins for a person at this machine: kept between runs, with the browser of the system, told in the log.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerDefault: Layer.Layer<McpAuth> = Layer.provide(
  layer,
  Layer.mergeAll(TokenStore.layer, Browser.layer, LoginPrompt.layerLog)
)

const loginable = ({ name, transport }: ServerConfig): Effect.Effect<Http, McpError> => {
  if (transport._tag === "stdio") {
    return Effect.fail(
      AuthError.make(name, "config", "a program has no login: it takes its credentials from its environment (env)")
    )
  }
  const by = FixedHeaders.source(transport)
  return by === undefined
    ? Effect.succeed(transport)
    : Effect.fail(
        AuthError.make(name, "config", `the entry says what is sent ("${by}"): there is nothing to log in to`)
      )
}

const resultOf = (server: string, credentials: Credentials): LoginResult => ({
  server,
  issuer: credentials.issuer,
  scopes: credentials.scopes,
  expiresAt: credentials.expiresAt,
  renewable: credentials.refreshToken !== undefined
})
