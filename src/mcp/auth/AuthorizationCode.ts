/**
 * A person logs in: the browser goes to the authorization server, comes back with a code, and the code becomes tokens (OAuth 2.1,
 * PKCE with S256).
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { McpError } from "../McpError.ts"
import type { OAuth } from "../ServerConfig.ts"
import * as AuthError from "./AuthError.ts"
import type { AuthHttp } from "./AuthHttp.ts"
import type { AuthorizationServer } from "./AuthorizationServer.ts"
import type * as Browser from "./Browser.ts"
import * as ClientAuthentication from "./ClientAuthentication.ts"
import type { Client } from "./Credentials.ts"
import type * as Discovery from "./Discovery.ts"
import type { Dpop } from "./Dpop.ts"
import { type Library, library } from "./internal/Library.ts"
import type * as LoginPrompt from "./LoginPrompt.ts"
import * as Loopback from "./Loopback.ts"
import * as Registration from "./Registration.ts"
import * as Scopes from "./Scopes.ts"
import * as Secret from "./Secret.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"

export interface Options {
  readonly http: AuthHttp
  readonly discovery: Discovery.Discovery
  readonly oauth: OAuth | undefined
  /** A client that was registered there before. */
  readonly known: Client | undefined
  readonly scopes: ReadonlyArray<string> | undefined
  readonly dpop: Dpop | undefined
  readonly browser: Browser.Service
  readonly prompt: LoginPrompt.Service
  /** How long the person may take. */
  readonly timeout: Duration.Duration
}

export interface Result {
  readonly client: Client
  readonly tokens: TokenEndpoint.Tokens
}

export const run: (options: Options) => Effect.Effect<Result, McpError> = (options) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { discovery, dpop, http, oauth, scopes } = options
      const { authorizationServer, resource } = discovery
      const endpoint = yield* authorizationEndpoint(http.server, authorizationServer)
      const lib = yield* library
      const { client, listener } = yield* clientAndListener(options)
      const authentication = yield* authenticationOf(http.server, client, oauth)

      const verifier = lib.generateRandomCodeVerifier()
      const state = lib.generateRandomState()
      const url = new URL(endpoint)
      const parameters = {
        response_type: "code",
        client_id: client.clientId,
        redirect_uri: listener.redirectUri,
        code_challenge: yield* Effect.promise(() => lib.calculatePKCECodeChallenge(verifier)),
        code_challenge_method: "S256",
        state,
        resource,
        ...(scopes === undefined ? undefined : { scope: scopes.join(" ") }),
        ...(Scopes.needsConsent(scopes) ? { prompt: "consent" } : undefined),
        ...(dpop === undefined
          ? undefined
          : { dpop_jkt: yield* Effect.promise(() => dpop.handle.calculateThumbprint()) })
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)

      const answer = yield* answerOf(options, listener, url)
      const code = yield* validate(lib, http.server, authorizationServer, client, answer, state)
      const tokens = yield* TokenEndpoint.grant(
        { http, metadata: authorizationServer.metadata, client, authentication, dpop },
        "the token request",
        "authorization_code",
        { code, redirect_uri: listener.redirectUri, code_verifier: verifier, resource }
      ).pipe(Effect.mapError(TokenEndpoint.toMcpError))
      yield* listener.finish(true)
      return { client, tokens }
    })
  )

/** What the client proves itself with: the configuration's, or what it was given at registration. */
export const authenticationOf = Effect.fnUntraced(function* (server: string, client: Client, oauth: OAuth | undefined) {
  const isOwn = client.origin !== "registered"
  return yield* ClientAuthentication.make(server, client, {
    secret: isOwn ? yield* Secret.readOptional(server, "the client secret", oauth?.clientSecret) : client.clientSecret,
    privateKey: isOwn ? yield* Secret.readOptional(server, "the private key", oauth?.privateKey) : undefined,
    signingAlgorithm: oauth?.signingAlgorithm
  })
})

const authorizationEndpoint = (server: string, { issuer, metadata }: AuthorizationServer) => {
  const { authorization_endpoint: endpoint, code_challenge_methods_supported: challenges } = metadata
  if (endpoint === undefined) {
    return Effect.fail(AuthError.refuse(server, `${AuthError.place(issuer)} has no page to log in on`))
  }
  return challenges?.includes("S256") === true
    ? Effect.succeed(endpoint)
    : Effect.fail(
        AuthError.refuse(server, `${AuthError.place(issuer)} does not say that it protects codes (PKCE with S256)`)
      )
}

/** The two depend on each other: a client is registered for an address to come back to. */
const clientAndListener = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<{ client: Client; listener: Loopback.Loopback }, McpError, Scope.Scope> {
  const { discovery, http, known, oauth } = options
  const { authorizationServer } = discovery
  const busy = (code: string) =>
    AuthError.make(
      http.server,
      "config",
      `the login cannot be answered: port ${oauth?.callbackPort ?? 0} of this machine is not free (${code})`
    )
  const given = Registration.configured(oauth, authorizationServer) ?? Registration.document(oauth, authorizationServer)
  const registered =
    given === undefined && known !== undefined && Registration.isUsable(known, yield* Clock.currentTimeMillis)
  if (registered && oauth?.callbackPort === undefined && known.redirectUri !== undefined) {
    const listener = yield* Effect.option(Loopback.listen(Number(new URL(known.redirectUri).port)))
    if (listener._tag === "Some") return { client: known, listener: listener.value }
  }
  const listener = yield* Effect.mapError(Loopback.listen(oauth?.callbackPort ?? 0), busy)
  if (given !== undefined) return { client: given, listener }
  if (registered && known.redirectUri === listener.redirectUri) return { client: known, listener }
  return { client: yield* Registration.register(http, authorizationServer, listener.redirectUri), listener }
})

/** Opens the browser and waits for what it brings back, or for what the person pastes. */
const answerOf = Effect.fnUntraced(function* (options: Options, listener: Loopback.Loopback, url: URL) {
  const { browser, http, prompt, timeout } = options
  const { redirectUri } = listener
  const told = (opened: boolean): LoginPrompt.Waiting => ({ server: http.server, url, opened, redirectUri })
  const asked = Effect.gen(function* () {
    const waiting = told(yield* browser.open(url))
    yield* prompt.waiting(waiting)
    return yield* Effect.flatMap(prompt.pasted(waiting), (text) => pasted(http.server, text))
  })
  return yield* Effect.raceFirst(listener.received, asked).pipe(
    Effect.timeoutFail({
      duration: timeout,
      onTimeout: () =>
        AuthError.make(
          http.server,
          "timeout",
          `nobody has logged in at ${AuthError.place(url)} within ${Duration.format(timeout)}`
        )
    })
  )
})

/** A whole address, or the part behind its question mark. */
const pasted = (server: string, text: string): Effect.Effect<URLSearchParams, McpError> => {
  const line = text.trim()
  const parameters = URL.canParse(line) ? new URL(line).searchParams : new URLSearchParams(line.replace(/^\?/, ""))
  return parameters.has("code") || parameters.has("error")
    ? Effect.succeed(parameters)
    : Effect.fail(
        AuthError.make(
          server,
          "needs-auth",
          "what was pasted is not the address that the browser ended up at",
          "Paste the whole address, from http:// to its end."
        )
      )
}

/** The answer is from the authorization server that was asked, to this very question: then its code, or its error, counts. */
const validate = (
  lib: Library,
  server: string,
  { issuer, metadata }: AuthorizationServer,
  { clientId }: Client,
  answer: URLSearchParams,
  state: string
): Effect.Effect<string, McpError> =>
  Effect.suspend(() => {
    const [refused] = [
      issuerFault(answer.getAll("iss"), issuer, metadata.authorization_response_iss_parameter_supported === true),
      answer.getAll("state").join() === state ? undefined : "the answer of the browser is not to this login (state)"
    ].filter((fault) => fault !== undefined)
    if (refused !== undefined) return Effect.fail(AuthError.refuse(server, refused))
    const error = answer.get("error")
    if (error !== null) {
      const told = [error, answer.get("error_description")].filter((text) => text).join(": ")
      const message = `${AuthError.place(issuer)} did not let you in: ${AuthError.said(told)}`
      return Effect.fail(AuthError.make(server, "needs-auth", message))
    }
    return Effect.try({
      try: () => lib.validateAuthResponse(metadata, { client_id: clientId }, answer, state).get("code"),
      catch: () => AuthError.refuse(server, "the answer of the browser is no answer to this login")
    }).pipe(
      Effect.filterOrFail(
        (code): code is string => code !== null && code !== "",
        () => AuthError.refuse(server, "the browser came back without a code")
      )
    )
  })

/** RFC 9207, letter by letter: a code of one authorization server must not go to another. */
const issuerFault = (told: ReadonlyArray<string>, issuer: string, promised: boolean): string | undefined => {
  if (told.length === 0) {
    return promised ? `${AuthError.place(issuer)} did not say that the answer is its own (iss)` : undefined
  }
  return told.every((one) => one === issuer)
    ? undefined
    : `the answer is from another authorization server than ${AuthError.place(issuer)} (iss)`
}
