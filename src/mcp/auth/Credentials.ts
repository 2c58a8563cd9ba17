/**
 * What harness9 keeps of a login: for one server, from one authorization server.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The client that the authorization server knows harness9 as.
 *
 * @since 0.1.0
 * @category models
 */
export class Client extends Schema.Class<Client>("Client")({
  clientId: Schema.NonEmptyString,
  /** Only what the authorization server gave out itself; what stands in the configuration stays there. */
  clientSecret: Schema.optional(Schema.String),
  /** How the client proves itself at the token endpoint. */
  method: Schema.Literal("none", "client_secret_basic", "client_secret_post", "private_key_jwt"),
  /** Where the id comes from: the configuration, the address of a metadata document, or a registration by harness9. */
  origin: Schema.Literal("configured", "document", "registered"),
  /** Where the browser was sent back to when the client was registered. */
  redirectUri: Schema.optional(Schema.String),
  /** When the secret ends, in milliseconds since 1970. */
  secretExpiresAt: Schema.optional(Schema.Number)
}) {}

/**
 * Tokens with all that is needed to use and to renew them. No part of it is for showing.
 *
 * @since 0.1.0
 * @category models
 */
export class Credentials extends Schema.Class<Credentials>("Credentials")({
  /** The address of the MCP server. */
  server: Schema.NonEmptyString,
  /** The authorization server that gave the tokens out; they go to no other. */
  issuer: Schema.NonEmptyString,
  resource: Schema.NonEmptyString,
  /** Where the server describes itself, if it said so. */
  resourceMetadata: Schema.optional(Schema.String),
  client: Client,
  accessToken: Schema.NonEmptyString,
  tokenType: Schema.Literal("Bearer", "DPoP"),
  /** In milliseconds since 1970. */
  issuedAt: Schema.Number,
  /** Not there for a token without an end. */
  expiresAt: Schema.optional(Schema.Number),
  refreshToken: Schema.optional(Schema.NonEmptyString),
  /** What was granted, as far as the authorization server told. */
  scopes: Schema.Array(Schema.String),
  /** What was asked for, in all logins up to now. */
  requested: Schema.Array(Schema.String),
  /** What the server asked for since, and the next login will ask for too. */
  missing: Schema.Array(Schema.String),
  /** The private key that the tokens are bound to (DPoP), as a JWK. */
  key: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
}) {}

/**
 * The same credentials with some of their fields changed.
 *
 * @since 0.1.0
 * @category combinators
 */
export const update = (
  credentials: Credentials,
  fields: Partial<ConstructorParameters<typeof Credentials>[0]>
): Credentials => new Credentials({ ...credentials, ...fields })

/**
 * The same credentials for a client that registers itself anew at the next login: an authorization server may have forgotten it,
 * also without saying so.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withoutRegistration = (credentials: Credentials): Credentials =>
  update(credentials, { client: new Client({ ...credentials.client, secretExpiresAt: 0 }) })

/**
 * Whether the token is to be renewed before it is used again: ahead of its end, by a minute or by a quarter of a short life.
 *
 * @since 0.1.0
 * @category guards
 */
export const isEnding = ({ expiresAt, issuedAt }: Credentials, now: number): boolean =>
  expiresAt !== undefined && now >= expiresAt - Math.min(60_000, (expiresAt - issuedAt) / 4)

/**
 * Whether the token's time is over.
 *
 * @since 0.1.0
 * @category guards
 */
export const isOver = ({ expiresAt }: Credentials, now: number): boolean => expiresAt !== undefined && now >= expiresAt
