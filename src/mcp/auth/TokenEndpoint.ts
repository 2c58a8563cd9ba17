/**
 * Requests to the token endpoint and the revocation endpoint: what goes there, what comes back, and why not.
 */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import type * as OAuth from "oauth4webapi"
import * as Field from "../internal/Field.ts"
import * as Redact from "../internal/Redact.ts"
import { parseObject } from "../JsonRpc.ts"
import type { McpError } from "../McpError.ts"
import * as AuthError from "./AuthError.ts"
import type { Answer, AuthHttp } from "./AuthHttp.ts"
import type { Client } from "./Credentials.ts"
import type { Dpop } from "./Dpop.ts"
import { type Library, library } from "./internal/Library.ts"
import * as Scopes from "./Scopes.ts"

/** Who asks, and whom. */
export interface Party {
  readonly http: AuthHttp
  readonly metadata: OAuth.AuthorizationServer
  readonly client: Client
  readonly authentication: OAuth.ClientAuth
  /** Asks for tokens that are bound to this key. */
  readonly dpop?: Dpop | undefined
}

export interface Tokens {
  readonly accessToken: string
  readonly tokenType: "Bearer" | "DPoP"
  readonly issuedAt: number
  readonly expiresAt: number | undefined
  readonly refreshToken: string | undefined
  readonly scopes: ReadonlyArray<string> | undefined
}

/** The authorization server said no. */
export class Refused extends Data.TaggedError("Refused")<{
  /** The error of OAuth: `invalid_grant`. */
  readonly code: string
  readonly error: McpError
}> {}

/** The error as everybody else knows it. */
export const toMcpError = (error: Refused | McpError): McpError => (error._tag === "Refused" ? error.error : error)

/** Asks for tokens. `step` is a noun: `the token request`. */
export const grant = Effect.fnUntraced(function* (
  party: Party,
  step: string,
  grantType: string,
  parameters: Readonly<Record<string, string | undefined>>
): Effect.fn.Return<Tokens, Refused | McpError> {
  const lib = yield* library
  const issuedAt = yield* Clock.currentTimeMillis
  const response = yield* request(party, lib, step, grantType, parameters)
  if (!/^[\x21-\x7e]+$/.test(response.access_token)) {
    const where = AuthError.place(party.metadata.token_endpoint ?? "")
    return yield* AuthError.refuse(party.http.server, `${where} gave a token that no header can carry`)
  }
  return {
    accessToken: response.access_token,
    tokenType: response.token_type === "dpop" ? "DPoP" : "Bearer",
    issuedAt,
    expiresAt: response.expires_in === undefined ? undefined : issuedAt + response.expires_in * 1000,
    refreshToken: response.refresh_token,
    scopes: Scopes.ofText(response.scope)
  }
})

/** Gives a token back. Whether the authorization server cared is told by no failure. */
export const revoke = Effect.fnUntraced(function* (
  party: Party,
  token: string,
  kind: "access_token" | "refresh_token"
): Effect.fn.Return<void, Refused | McpError> {
  const lib = yield* library
  yield* call(party, "the revocation of the token", party.metadata.revocation_endpoint, async (options) => {
    const response = await lib.revocationRequest(party.metadata, ofClient(party.client), party.authentication, token, {
      ...options,
      additionalParameters: { token_type_hint: kind }
    })
    await lib.processRevocationResponse(response)
  })
})

const request = (
  party: Party,
  lib: Library,
  step: string,
  grantType: string,
  parameters: Readonly<Record<string, string | undefined>>
) => {
  const { authentication, client, dpop, metadata } = party
  const given = Object.entries(parameters).filter((one): one is [string, string] => one[1] !== undefined)
  const once = call(party, step, metadata.token_endpoint, async (options) => {
    const bound = dpop === undefined ? options : { ...options, DPoP: dpop.handle }
    const response = await lib.genericTokenEndpointRequest(
      metadata,
      ofClient(client),
      authentication,
      grantType,
      new URLSearchParams(given),
      bound
    )
    return lib.processGenericTokenEndpointResponse(metadata, ofClient(client), response, {
      // What a token exchange gives is a grant, and no token to be used.
      recognizedTokenTypes: { n_a: () => undefined }
    })
  })
  // The nonce came with the refusal, and the library has taken note of it.
  return Effect.catchIf(
    once,
    (error) => error._tag === "Refused" && error.code === "use_dpop_nonce" && dpop !== undefined,
    () => once
  )
}

const ofClient = ({ clientId }: Client): OAuth.Client => ({ client_id: clientId })

/** What every call of the library is given. */
type CallOptions = OAuth.HttpRequestOptions<"POST", URLSearchParams>

/** Runs the library over the login's own requests, and tells what went wrong in words without secrets. */
const call = <A>(
  { http, metadata }: Party,
  step: string,
  endpoint: string | undefined,
  run: (options: CallOptions) => Promise<A>
): Effect.Effect<A, Refused | McpError> =>
  Effect.flatMap(library, (lib) => {
    let sent: ReadonlyArray<string> = []
    let answer: Answer | undefined
    let failure: McpError | undefined
    const fetch = async (
      url: string,
      { body, headers }: { readonly headers: Record<string, string>; readonly body?: unknown }
    ): Promise<Response> => {
      const text = String(body ?? "")
      sent = secretsOf(text, headers)
      const outcome = await Effect.runPromise(
        Effect.either(http.send({ step, method: "POST", url, headers, body: text }))
      )
      if (Either.isLeft(outcome)) {
        failure = outcome.left
        throw outcome.left
      }
      answer = outcome.right
      return toResponse(outcome.right)
    }
    return Effect.tryPromise({
      try: () => run({ [lib.customFetch]: fetch, [lib.allowInsecureRequests]: true }),
      catch: (cause) =>
        failure ??
        refusal(http.server, step, endpoint ?? metadata.issuer, answer, (text) => Redact.mask(text, sent), cause)
    })
  })

/** Without an ID token: nothing here reads it, and some cannot be checked. */
const toResponse = ({ body, headers, status }: Answer): Response => {
  const document = status === 200 ? parseObject(body) : undefined
  const { id_token: _, ...rest } = document ?? {}
  const fields = ["content-type", "dpop-nonce", "www-authenticate"].flatMap((name) => {
    const value = headers[name]
    return typeof value === "string" ? [[name, value] as [string, string]] : []
  })
  const text = document === undefined ? body : JSON.stringify(rest)
  return new Response(text === "" ? null : text, { status, headers: fields })
}

const refusal = (
  server: string,
  step: string,
  endpoint: string,
  answer: Answer | undefined,
  mask: (text: string) => string,
  cause: unknown
): Refused | McpError => {
  const document = answer === undefined ? undefined : parseObject(answer.body)
  const code = Field.string(document?.error)
  const where = AuthError.place(endpoint)
  if (answer === undefined || (answer.status < 400 && code === undefined)) {
    const why = cause instanceof Error ? cause.message : "the answer cannot be used"
    return AuthError.make(server, "protocol", `${step} failed at ${where}: ${AuthError.said(mask(why))}`)
  }
  const description = Field.string(document?.error_description)
  const told = [code, description].filter((text) => text !== undefined).map((text) => AuthError.said(mask(text)))
  const message = `${step} was refused by ${where} (${answer.status})${told.length === 0 ? "" : `: ${told.join(": ")}`}`
  return new Refused({
    code: code ?? String(answer.status),
    error: AuthError.make(server, answer.status >= 500 ? "http" : "needs-auth", message)
  })
}

const publicParameters = new Set([
  "grant_type",
  "client_id",
  "redirect_uri",
  "resource",
  "scope",
  "audience",
  "token_type_hint"
])

/** What an authorization server might repeat, and nobody should see. */
const secretsOf = (body: string, headers: Readonly<Record<string, string>>): ReadonlyArray<string> => [
  ...[...new URLSearchParams(body)]
    .filter(([name]) => !publicParameters.has(name) && !name.endsWith("_type"))
    .map(([, value]) => value),
  ...Object.entries(headers)
    .filter(([name]) => name === "authorization" || name === "dpop")
    .flatMap(([, value]) => [
      value,
      ...value
        .split(" ")
        .slice(1)
        .flatMap((part) => [part, decodedBasic(part)])
    ])
]

/** The secret inside of basic credentials. */
const decodedBasic = (credentials: string): string => {
  const secret = Buffer.from(credentials, "base64").toString("latin1").split(":").slice(1).join(":")
  return Either.getOrElse(Encoding.decodeUriComponent(secret), () => secret)
}
