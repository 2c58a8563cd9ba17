/**
 * What an authorization server says about itself (RFC 8414, OpenID Connect Discovery), checked against the name it was asked by.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as OAuth from "oauth4webapi"
import * as Field from "../internal/Field.ts"
import type { JsonObject } from "../JsonRpc.ts"
import type { McpError } from "../McpError.ts"
import * as AuthError from "./AuthError.ts"
import type { AuthHttp } from "./AuthHttp.ts"
import * as JsonDocument from "./JsonDocument.ts"

export interface AuthorizationServer {
  readonly issuer: string
  readonly metadata: OAuth.AuthorizationServer
  /** The paths of 2025-03-26 are taken, since the server describes itself nowhere. */
  readonly assumed: boolean
}

const step = "the authorization server metadata"

/** The authorization server of a name that a resource gave. */
export const discover = Effect.fnUntraced(function* (
  http: AuthHttp,
  issuer: string
): Effect.fn.Return<AuthorizationServer, McpError> {
  yield* http.check("the authorization server", issuer)
  const tried: Array<string> = []
  for (const url of wellKnown(new URL(issuer))) {
    const document = yield* JsonDocument.get(http, step, url)
    if (Either.isRight(document)) return yield* read(http, issuer, url, document.right)
    tried.push(`${AuthError.place(url)} ${document.left}`)
  }
  return yield* AuthError.make(http.server, "http", `${step} is nowhere to be found: ${tried.join("; ")}`)
})

/**
 * The authorization server of 2025-03-26, at the root of the server itself: as it describes itself, else at the three paths of that
 * revision.
 */
export const atRoot = Effect.fnUntraced(function* (
  http: AuthHttp,
  { origin }: URL
): Effect.fn.Return<AuthorizationServer, McpError> {
  const headers = { "mcp-protocol-version": "2025-03-26" }
  for (const url of wellKnown(new URL(origin))) {
    const document = yield* JsonDocument.get(http, step, url, headers)
    if (Either.isRight(document) && document.right.issuer !== undefined) {
      return yield* read(http, origin, url, document.right)
    }
  }
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    code_challenge_methods_supported: ["S256"]
  }
  return { issuer: origin, metadata, assumed: true }
})

const wellKnown = ({ origin, pathname }: URL): ReadonlyArray<string> => {
  const path = pathname.replace(/\/$/, "")
  const inserted = ["oauth-authorization-server", "openid-configuration"].map(
    (name) => `${origin}/.well-known/${name}${path}`
  )
  return path === "" ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`]
}

const endpoints = ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"] as const

const read = Effect.fnUntraced(function* (http: AuthHttp, issuer: string, url: string, document: JsonObject) {
  const where = `${step} at ${AuthError.place(url)}`
  if (document.issuer !== issuer) {
    const told =
      typeof document.issuer === "string" ? `another issuer, ${AuthError.said(document.issuer)}` : "no issuer"
    return yield* AuthError.refuse(http.server, `${where} names ${told}, where ${AuthError.said(issuer)} was asked`)
  }
  for (const name of endpoints) {
    const endpoint = document[name]
    if (endpoint === undefined) continue
    if (typeof endpoint !== "string") return yield* AuthError.refuse(http.server, `the ${name} in ${where} is no text`)
    yield* http.check(`the ${name.replace("_", " ")}`, endpoint)
  }
  return { issuer, metadata: { ...document, ...lists(document), issuer }, assumed: false }
})

const listFields = [
  "code_challenge_methods_supported",
  "dpop_signing_alg_values_supported",
  "scopes_supported",
  "token_endpoint_auth_methods_supported"
] as const

/** What is no list of texts is read as absent. */
const lists = (document: JsonObject): Partial<Record<(typeof listFields)[number], Array<string>>> =>
  Object.fromEntries(
    listFields.flatMap((name) => {
      const list = Field.strings(document[name])
      return list === undefined ? [] : [[name, [...list]]]
    })
  )
