/**
 * How a client proves itself at the token endpoint.
 */
import { createPrivateKey, type KeyObject, webcrypto } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as OAuth from "oauth4webapi"
import type { McpError } from "../McpError.ts"
import * as AuthError from "./AuthError.ts"
import type { Client } from "./Credentials.ts"
import { library } from "./internal/Library.ts"

export type Method = Client["method"]

const methods: ReadonlyArray<string> = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]

export const isMethod = (value: unknown): value is Method => typeof value === "string" && methods.includes(value)

/** The method for what the client has, of those that the authorization server takes. */
export const choose = (
  has: { readonly secret: boolean; readonly key: boolean },
  supported: ReadonlyArray<string> | undefined
): Method => {
  if (has.key) return "private_key_jwt"
  if (!has.secret) return "none"
  const order: ReadonlyArray<Method> = ["client_secret_basic", "client_secret_post", "none"]
  return order.find((method) => supported?.includes(method)) ?? "client_secret_basic"
}

/** What a client proves itself with. */
export interface Proof {
  readonly secret?: string | undefined
  /** PEM. */
  readonly privateKey?: string | undefined
  readonly signingAlgorithm?: string | undefined
}

export const make = Effect.fnUntraced(function* (
  server: string,
  client: Client,
  { privateKey, secret, signingAlgorithm }: Proof
): Effect.fn.Return<OAuth.ClientAuth, McpError> {
  const lib = yield* library
  const missing = (what: string) =>
    AuthError.make(server, "config", `the client authenticates with ${client.method}, and there is no ${what}`)
  switch (client.method) {
    case "none":
      return lib.None()
    case "client_secret_basic":
      return secret === undefined ? yield* missing("secret") : basic(secret)
    case "client_secret_post":
      return secret === undefined ? yield* missing("secret") : lib.ClientSecretPost(secret)
    case "private_key_jwt":
      return privateKey === undefined
        ? yield* missing("private key")
        : lib.PrivateKeyJwt(yield* importKey(server, privateKey, signingAlgorithm))
  }
})

/** Encoded no further than needed: many authorization servers do not decode. */
const basic =
  (secret: string): OAuth.ClientAuth =>
  (_server, { client_id }, _body, headers) => {
    const credentials = `${encodeURIComponent(client_id)}:${encodeURIComponent(secret)}`
    headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`)
  }

const importKey = (server: string, pem: string, algorithm: string | undefined) =>
  Effect.tryPromise({
    try: () => {
      const key = createPrivateKey(pem)
      return webcrypto.subtle.importKey(
        "pkcs8",
        key.export({ type: "pkcs8", format: "der" }),
        parametersOf(algorithm ?? usualAlgorithm(key)),
        false,
        ["sign"]
      )
    },
    // The library's own words may quote the key.
    catch: () =>
      AuthError.make(
        server,
        "config",
        `the private key of "oauth" cannot be used${algorithm === undefined ? "" : ` with ${AuthError.said(algorithm)}`}`,
        "It must be a private key in PEM form that fits the signing algorithm."
      )
  })

const usualAlgorithm = ({ asymmetricKeyDetails, asymmetricKeyType }: KeyObject): string => {
  switch (asymmetricKeyType) {
    case "ec":
      return curves[asymmetricKeyDetails?.namedCurve ?? ""] ?? "ES256"
    case "ed25519":
      return "EdDSA"
    case "rsa-pss":
      return "PS256"
    default:
      return "RS256"
  }
}

const curves: Readonly<Record<string, string>> = { prime256v1: "ES256", secp384r1: "ES384", secp521r1: "ES512" }

const parametersOf = (algorithm: string) => {
  const bits = algorithm.slice(2)
  switch (algorithm.slice(0, 2)) {
    case "ES":
      return { name: "ECDSA", namedCurve: bits === "512" ? "P-521" : `P-${bits}` }
    case "RS":
      return { name: "RSASSA-PKCS1-v1_5", hash: `SHA-${bits}` }
    case "PS":
      return { name: "RSA-PSS", hash: `SHA-${bits}` }
    default:
      return { name: "Ed25519" }
  }
}
