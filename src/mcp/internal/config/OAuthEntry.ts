/**
 * The `oauth` of an HTTP server's entry: how it is written, what it means, and what can be wrong with it.
 */
import * as Schema from "effect/Schema"
import type { Credential, OAuth } from "../../ServerConfig.ts"
import type { Fault } from "./EntryFields.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const text = (description: string) =>
  optional(
    Schema.NonEmptyString.annotations({
      description,
      message: () => ({ message: "must be a text that is not empty", override: true })
    })
  )

const grants = ["authorization_code", "client_credentials", "jwt_bearer", "enterprise"] as const

/** A field that is not known may be a misspelt one, and a login must not be made without it. */
const strict = { parseOptions: { onExcessProperty: "error" } } as const

const IdentityProvider = Schema.Struct({
  tokenEndpoint: text("The address that exchanges tokens."),
  clientId: text("The client that is registered there."),
  clientSecret: text("Its secret."),
  idToken: text("What the person got when they logged in there."),
  idTokenFile: text("A file with it, read each time; relative to the folder of this file.")
}).annotations({ description: "The company's identity provider (enterprise).", ...strict })

/** What `oauth` may hold. */
export const OAuthEntry = Schema.Struct({
  grant: optional(
    Schema.Literal(...grants).annotations({
      description: "How a token is got. Without it: a person logs in with a browser (authorization_code).",
      message: () => ({ message: `must be one of ${grants.join(", ")}`, override: true })
    })
  ),
  clientId: text("The client that is registered with the authorization server beforehand."),
  clientSecret: text("Its secret."),
  privateKey: text("A key in PEM form, instead of a secret."),
  privateKeyFile: text("A file with the key; relative to the folder of this file."),
  signingAlgorithm: text("The JWS algorithm of the key, such as ES256."),
  clientMetadataUrl: text("The address of a document that describes the client, used as its id."),
  issuer: text("The authorization server that the client belongs to; no other one is used."),
  scopes: optional(
    Schema.Union(Schema.Array(Schema.NonEmptyString), Schema.NonEmptyString).annotations({
      description: "The scopes to ask for: a list, or a text with spaces.",
      message: () => ({ message: "must be a list of texts", override: true })
    })
  ),
  callbackPort: optional(
    Schema.Int.pipe(Schema.between(1, 65535)).annotations({
      description: "The port of this machine that the browser is sent back to. Without it: a free one.",
      message: () => ({ message: "must be the number of a port", override: true })
    })
  ),
  dpop: optional(
    Schema.Boolean.annotations({
      description: "Whether tokens are bound to a key (DPoP). Without it: when the server speaks of it.",
      message: () => ({ message: "must be true or false", override: true })
    })
  ),
  assertion: text("The workload's token (jwt_bearer)."),
  assertionFile: text("A file with it, read each time; relative to the folder of this file."),
  identityProvider: optional(IdentityProvider)
}).annotations({ description: "How to log in at this server.", ...strict })

export type OAuthEntry = typeof OAuthEntry.Type

/** How the texts and paths of an entry become values. */
export interface Resolve {
  readonly text: (raw: string, ...path: ReadonlyArray<PropertyKey>) => string
  readonly path: (raw: string, ...path: ReadonlyArray<PropertyKey>) => string
}

/** The login that an entry means. */
export const build = (entry: OAuthEntry, resolve: Resolve): OAuth => {
  const of = (field: keyof OAuthEntry & string) => {
    const raw = entry[field]
    return typeof raw === "string" ? resolve.text(raw, "oauth", field) : undefined
  }
  const { identityProvider: idp, scopes } = entry
  const list = typeof scopes === "string" ? scopes.split(/\s+/) : scopes
  const idpText = (field: "tokenEndpoint" | "clientId" | "clientSecret") =>
    resolve.text(idp?.[field] ?? "", "oauth", "identityProvider", field)
  return {
    grant: entry.grant ?? "authorization_code",
    clientId: of("clientId"),
    clientSecret: credential(resolve, entry, "clientSecret", undefined),
    privateKey: credential(resolve, entry, "privateKey", "privateKeyFile"),
    signingAlgorithm: of("signingAlgorithm"),
    clientMetadataUrl: of("clientMetadataUrl"),
    issuer: of("issuer"),
    scopes: list?.map((scope, index) => resolve.text(scope, "oauth", "scopes", index)),
    callbackPort: entry.callbackPort,
    dpop: entry.dpop,
    assertion: credential(resolve, entry, "assertion", "assertionFile"),
    identityProvider:
      idp === undefined
        ? undefined
        : {
            tokenEndpoint: idpText("tokenEndpoint"),
            clientId: idpText("clientId"),
            clientSecret: idp.clientSecret === undefined ? undefined : { _tag: "text", text: idpText("clientSecret") },
            idToken: credential(resolve, idp, "idToken", "idTokenFile", "identityProvider") ?? {
              _tag: "text",
              text: ""
            }
          }
  }
}

const credential = <Fields extends string>(
  resolve: Resolve,
  entry: Partial<Readonly<Record<Fields, unknown>>>,
  written: Fields,
  file: Fields | undefined,
  ...within: ReadonlyArray<string>
): Credential | undefined => {
  const text = entry[written]
  if (typeof text === "string") return { _tag: "text", text: resolve.text(text, "oauth", ...within, written) }
  const path = file === undefined ? undefined : entry[file]
  return file !== undefined && typeof path === "string"
    ? { _tag: "file", path: resolve.path(path, "oauth", ...within, file) }
    : undefined
}

/** What the parts of an `oauth` lack, or have too much of, together. */
export const faults = (entry: OAuthEntry): ReadonlyArray<Fault> => {
  const { grant = "authorization_code", identityProvider: idp } = entry
  const fault = (message: string, ...path: ReadonlyArray<string>): Fault => ({ path: ["oauth", ...path], message })
  const needs = (has: unknown, field: string, ...within: ReadonlyArray<string>) =>
    has === undefined || has === "" ? [fault(`needs "${field}" for the grant ${grant}`, ...within)] : []
  const both = (one: unknown, other: unknown, field: string, ...within: ReadonlyArray<string>) =>
    one !== undefined && other !== undefined ? [fault(`has "${field}" and "${field}File": keep one`, ...within)] : []
  return [
    ...(grant === "authorization_code" ? [] : needs(entry.clientId, "clientId")),
    ...(grant === "client_credentials" ? needs(secretOf(entry), "clientSecret") : []),
    ...(grant === "jwt_bearer" ? needs(entry.assertion ?? entry.assertionFile, "assertion") : []),
    ...(grant === "enterprise" ? needs(idp, "identityProvider") : []),
    ...(idp === undefined
      ? []
      : [
          ...needs(idp.tokenEndpoint, "tokenEndpoint", "identityProvider"),
          ...needs(idp.clientId, "clientId", "identityProvider"),
          ...needs(idp.idToken ?? idp.idTokenFile, "idToken", "identityProvider"),
          ...both(idp.idToken, idp.idTokenFile, "idToken", "identityProvider")
        ]),
    ...both(entry.privateKey, entry.privateKeyFile, "privateKey"),
    ...both(entry.assertion, entry.assertionFile, "assertion"),
    ...secretWithoutClient(entry, fault)
  ]
}

const secretOf = ({ clientSecret, privateKey, privateKeyFile }: OAuthEntry) =>
  clientSecret ?? privateKey ?? privateKeyFile

const secretWithoutClient = (entry: OAuthEntry, fault: (message: string) => Fault): ReadonlyArray<Fault> =>
  secretOf(entry) !== undefined && entry.clientId === undefined && entry.clientMetadataUrl === undefined
    ? [fault(`has a secret and no "clientId" that it belongs to`)]
    : []

/** The texts of a login that nobody should see. */
export const secrets = ({ assertion, clientSecret, identityProvider, privateKey }: OAuth): ReadonlyArray<string> =>
  [assertion, clientSecret, privateKey, identityProvider?.clientSecret, identityProvider?.idToken].flatMap((one) =>
    one?._tag === "text" ? [one.text] : []
  )
