/**
 * Who may speak to the gateway over HTTP: programs of this machine, which a browser on a foreign page is not, and beyond it whoever
 * has the token.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import { networkInterfaces } from "node:os"
import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server"

export interface Options {
  readonly host: string
  /** Further names that the gateway is known by. */
  readonly hosts: ReadonlyArray<string>
  readonly token: string | undefined
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403
  readonly message: string
}

/** Nothing when the request may come in. */
export type Access = (request: IncomingMessage) => Refusal | undefined

const loopback = ["localhost", "127.0.0.1", "[::1]"]

/** Whether only programs of this machine reach the address. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))

export const make = ({ host, hosts, token }: Options): Access => {
  const known = [...loopback, ...addressesOf(host), ...hosts.map(inUrl)]
  const expected = token === undefined ? undefined : digest(token)
  return ({ headers: { authorization, host, origin } }) => {
    const named = validateHostHeader(host ?? null, known)
    if (!named.ok) return { status: 403, message: named.message }
    const from = validateOriginHeader(origin ?? null, known)
    if (!from.ok) return { status: 403, message: from.message }
    const given = /^Bearer +(.+)$/i.exec(authorization ?? "")?.[1]
    if (expected === undefined || (given !== undefined && timingSafeEqual(digest(given), expected))) return undefined
    return { status: 401, message: "a bearer token is required" }
  }
}

/** What a client may call the address that is listened on. */
const addressesOf = (host: string): ReadonlyArray<string> => {
  if (host !== "0.0.0.0" && host !== "::") return [inUrl(host)]
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => inUrl(address)))
}

const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)

/** Of one length, whatever the token's: comparing tells nothing of it. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
