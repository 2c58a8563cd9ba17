/**
 * What a server says about itself as a protected resource (RFC 9728): its name for tokens and who issues them.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Field from "../internal/Field.ts"
import type { JsonObject } from "../JsonRpc.ts"
import type { McpError } from "../McpError.ts"
import * as AuthError from "./AuthError.ts"
import type { AuthHttp } from "./AuthHttp.ts"
import * as JsonDocument from "./JsonDocument.ts"

export interface ProtectedResource {
  /** The resource identifier (RFC 8707), exactly as it was published. */
  readonly resource: string
  readonly authorizationServers: ReadonlyArray<string>
  readonly scopesSupported: ReadonlyArray<string> | undefined
  /** Takes tokens that are bound to a key. */
  readonly dpop: boolean
}

const step = "the protected resource metadata"

/**
 * The server's own description: at the address that it named in its refusal, else at the two well-known ones. None when there is
 * no description at all, as with servers of 2025-03-26.
 */
export const discover = Effect.fnUntraced(function* (
  http: AuthHttp,
  server: URL,
  named: string | undefined
): Effect.fn.Return<ProtectedResource | undefined, McpError> {
  if (named !== undefined) {
    const document = yield* JsonDocument.get(http, step, named)
    if (Either.isLeft(document)) {
      return yield* AuthError.make(http.server, "http", `${step}: ${AuthError.place(named)} ${document.left}`)
    }
    return yield* read(http, server, named, document.right)
  }
  for (const url of wellKnown(server)) {
    const document = yield* JsonDocument.get(http, step, url)
    if (Either.isRight(document) && isDescription(document.right)) {
      return yield* read(http, server, url, document.right)
    }
  }
  return undefined
})

const wellKnown = ({ origin, pathname }: URL): ReadonlyArray<string> => {
  const root = `${origin}/.well-known/oauth-protected-resource`
  const path = pathname.replace(/\/$/, "")
  return path === "" ? [root] : [`${root}${path}`, root]
}

/** Some servers answer every path with some JSON. */
const isDescription = (document: JsonObject): boolean =>
  document.resource !== undefined || document.authorization_servers !== undefined

const read = (
  http: AuthHttp,
  server: URL,
  url: string,
  document: JsonObject
): Effect.Effect<ProtectedResource, McpError> => {
  const { resource } = document
  const refuse = (what: string) =>
    Effect.fail(AuthError.refuse(http.server, `${step} at ${AuthError.place(url)} ${what}`))
  if (typeof resource !== "string" || !URL.canParse(resource)) return refuse("names no resource")
  if (!covers(new URL(resource), server)) {
    return refuse(`is about another resource, ${AuthError.place(resource)}, and not about ${AuthError.place(server)}`)
  }
  const authorizationServers = Field.strings(document.authorization_servers) ?? []
  if (authorizationServers.length === 0) return refuse("names no authorization server")
  return Effect.succeed({
    resource,
    authorizationServers,
    scopesSupported: Field.strings(document.scopes_supported),
    dpop:
      document.dpop_bound_access_tokens_required === true ||
      (Field.strings(document.dpop_signing_alg_values_supported) ?? []).length > 0
  })
}

/** Whether a token for the resource is one for the server: the same origin, and the server's path is the resource's or below it. */
const covers = (resource: URL, server: URL): boolean => {
  const path = resource.pathname.replace(/\/$/, "")
  return (
    resource.origin === server.origin &&
    resource.hash === "" &&
    (server.pathname.replace(/\/$/, "") === path || server.pathname.startsWith(`${path}/`))
  )
}

/** The identifier of a server that does not publish one. */
export const canonical = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/$/, "")}`
