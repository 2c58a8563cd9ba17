/**
 * Which client harness9 is to an authorization server, in the order that the specification prefers: the configured one, the one of a
 * metadata document, one that was registered before, one that is registered now.
 */
import * as Effect from "effect/Effect"
import * as Field from "../internal/Field.ts"
import { type JsonObject, parseObject } from "../JsonRpc.ts"
import type { McpError } from "../McpError.ts"
import type { OAuth } from "../ServerConfig.ts"
import * as AuthError from "./AuthError.ts"
import type { AuthHttp } from "./AuthHttp.ts"
import type { AuthorizationServer } from "./AuthorizationServer.ts"
import * as ClientAuthentication from "./ClientAuthentication.ts"
import { Client } from "./Credentials.ts"

const step = "the client registration"

/** The configured client, if there is one. It belongs to one authorization server. */
export const configured = (oauth: OAuth | undefined, { metadata }: AuthorizationServer): Client | undefined =>
  oauth?.clientId === undefined
    ? undefined
    : new Client({
        clientId: oauth.clientId,
        method: ClientAuthentication.choose(
          { secret: oauth.clientSecret !== undefined, key: oauth.privateKey !== undefined },
          metadata.token_endpoint_auth_methods_supported
        ),
        origin: "configured"
      })

/** The client of a metadata document, where the authorization server reads such. */
export const document = (oauth: OAuth | undefined, { metadata }: AuthorizationServer): Client | undefined =>
  oauth?.clientMetadataUrl === undefined || metadata.client_id_metadata_document_supported !== true
    ? undefined
    : new Client({
        clientId: oauth.clientMetadataUrl,
        method: oauth.privateKey === undefined ? "none" : "private_key_jwt",
        origin: "document"
      })

/** Whether a client that was registered before is still one. */
export const isUsable = ({ origin, secretExpiresAt }: Client, now: number): boolean =>
  origin === "registered" && (secretExpiresAt === undefined || secretExpiresAt > now)

/** Registers a client (RFC 7591). */
export const register = Effect.fnUntraced(function* (
  http: AuthHttp,
  { issuer, metadata }: AuthorizationServer,
  redirectUri: string
): Effect.fn.Return<Client, McpError> {
  const { registration_endpoint: endpoint, token_endpoint_auth_methods_supported: supported } = metadata
  if (endpoint === undefined) {
    return yield* AuthError.make(
      http.server,
      "config",
      `${AuthError.place(issuer)} knows no client of ours and lets none register itself`,
      `Register a client there, and put its id into "oauth": { "clientId": "…" } of the entry.`
    )
  }
  const method = preferred(supported)
  const { body, status } = yield* http.send({
    step,
    method: "POST",
    url: endpoint,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "harness9",
      application_type: "native",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      // No scope: it would be the widest that this client may ever ask for.
      token_endpoint_auth_method: method
    })
  })
  const answer = parseObject(body)
  const clientId = Field.string(answer?.client_id)
  if (status < 200 || status >= 300 || answer === undefined || !clientId) {
    return yield* AuthError.make(
      http.server,
      "protocol",
      `${step} was refused by ${AuthError.place(endpoint)} (${status})${reason(answer)}`,
      `A client that is registered by hand goes into "oauth": { "clientId": "…" } of the entry.`
    )
  }
  return ofAnswer(clientId, answer, supported, redirectUri)
})

/** A program on a person's machine can keep no secret. */
const preferred = (supported: ReadonlyArray<string> | undefined): ClientAuthentication.Method =>
  supported === undefined || supported.includes("none")
    ? "none"
    : ClientAuthentication.choose({ secret: true, key: false }, supported)

const ofAnswer = (
  clientId: string,
  answer: JsonObject,
  supported: ReadonlyArray<string> | undefined,
  redirectUri: string
): Client => {
  const secret = Field.string(answer.client_secret) || undefined
  const told = answer.token_endpoint_auth_method
  const fits =
    ClientAuthentication.isMethod(told) && told !== "private_key_jwt" && (told === "none" || secret !== undefined)
  const ends = answer.client_secret_expires_at
  return new Client({
    clientId,
    clientSecret: secret,
    method: fits ? told : ClientAuthentication.choose({ secret: secret !== undefined, key: false }, supported),
    origin: "registered",
    redirectUri,
    secretExpiresAt: typeof ends === "number" && ends > 0 ? ends * 1000 : undefined
  })
}

const reason = (answer: JsonObject | undefined): string => {
  const told = [Field.string(answer?.error), Field.string(answer?.error_description)].filter((text) => text)
  return told.length === 0 ? "" : `: ${AuthError.said(told.join(": "))}`
}
