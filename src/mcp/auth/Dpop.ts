/**
 * Tokens that are bound to a key (DPoP, RFC 9449): the key, the proofs of having it, and the nonces that servers ask for in them.
 */
import { webcrypto } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as OAuth from "oauth4webapi"
import { library } from "./internal/Library.ts"

/** A private key as it is kept. */
export type Jwk = Readonly<Record<string, unknown>>

export interface Dpop {
  readonly jwk: Jwk
  /** Signs the requests to a token endpoint. */
  readonly handle: OAuth.DPoPHandle
  /** The fields of one message to a server: the token and a proof of its own. */
  readonly fields: (message: {
    readonly method: string
    readonly url: URL
    readonly token: string
  }) => Effect.Effect<Readonly<Record<string, string>>>
  /** Takes note of a nonce that a server gave. */
  readonly nonce: (url: URL, nonce: string) => void
  readonly hasNonce: (url: URL) => boolean
}

/** The one algorithm that is used: every authorization server with DPoP has it. */
export const algorithm = "ES256"

const curve = { name: "ECDSA", namedCurve: "P-256" } as const

/** With a kept key, or a new one. */
export const make = Effect.fnUntraced(function* (kept: Jwk | undefined) {
  const lib = yield* library
  const { jwk, pair } = yield* Effect.promise(() => (kept === undefined ? generate() : restore(kept)))
  const nonces = new Map<string, string>()
  const handle = lib.DPoP({}, pair, {
    [lib.modifyAssertion]: (_header, payload) => {
      const nonce = nonces.get(new URL(String(payload.htu)).origin)
      if (nonce !== undefined) payload.nonce = nonce
    }
  })

  const fields: Dpop["fields"] = ({ method, token, url }) =>
    Effect.promise(async () => {
      let signed: Record<string, string> = {}
      await lib.protectedResourceRequest(token, method, url, undefined, undefined, {
        DPoP: handle,
        [lib.allowInsecureRequests]: true,
        // The library signs, the transport sends.
        [lib.customFetch]: async (_url, { headers }) => {
          signed = headers
          return new Response()
        }
      })
      return Object.fromEntries(Object.entries(signed).filter(([name]) => name === "authorization" || name === "dpop"))
    })

  const dpop: Dpop = {
    jwk,
    handle,
    fields,
    nonce: ({ origin }, nonce) => void nonces.set(origin, nonce),
    hasNonce: ({ origin }) => nonces.has(origin)
  }
  return dpop
})

const generate = async () => {
  const pair = await webcrypto.subtle.generateKey(curve, true, ["sign", "verify"])
  return { pair, jwk: { ...(await webcrypto.subtle.exportKey("jwk", pair.privateKey)) } }
}

const restore = async (jwk: Jwk) => {
  const { crv, kty, x, y } = jwk
  const load = (key: object, usage: "sign" | "verify") => webcrypto.subtle.importKey("jwk", key, curve, true, [usage])
  const [privateKey, publicKey] = await Promise.all([
    load({ crv, kty, x, y, d: jwk.d }, "sign"),
    load({ crv, kty, x, y }, "verify")
  ])
  return { pair: { privateKey, publicKey }, jwk }
}
