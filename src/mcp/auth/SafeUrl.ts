/**
 * Which addresses of the login are asked: those that a server names are not to be trusted.
 *
 * Only `https:`, and `http:` on this machine. A server on the internet cannot send harness9 into the network that it runs in:
 * an address in a private range is refused unless the MCP server is in such a range itself, at the first look and again when the
 * name is resolved for the connection.
 */
import dns from "node:dns"
import { BlockList, isIP, type LookupFunction } from "node:net"
import * as Effect from "effect/Effect"

/** How near an address is. */
export type Zone = "public" | "private" | "loopback" | "reserved"

/** From where to where a server may lead. */
const reachable: Readonly<Record<Zone, ReadonlyArray<Zone>>> = {
  public: ["public"],
  private: ["public", "private"],
  loopback: ["public", "private", "loopback"],
  reserved: ["public", "reserved"]
}

export const mayLead = (from: Zone, to: Zone): boolean => reachable[from].includes(to)

type Range = readonly [address: string, bits: number]

const blockList = (ranges: ReadonlyArray<Range>): BlockList => {
  const list = new BlockList()
  for (const [address, bits] of ranges) list.addSubnet(address, bits, isIP(address) === 4 ? "ipv4" : "ipv6")
  return list
}

const loopback = blockList([
  ["127.0.0.0", 8],
  ["::1", 128]
])

const privateRanges = blockList([
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["198.18.0.0", 15],
  ["fc00::", 7],
  ["64:ff9b:1::", 48]
])

/** Link-local (the metadata services of clouds among them), multicast, unspecified and future ranges, and tunnels that nobody runs any more. */
const reserved = blockList([
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["192.0.0.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 128],
  ["2001::", 32],
  ["2002::", 16],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8]
])

/** The zone of an IP address. */
export const zoneOf = (address: string): Zone => {
  const plain = embedded(address) ?? address
  const family = isIP(plain) === 4 ? "ipv4" : "ipv6"
  if (loopback.check(plain, family)) return "loopback"
  if (privateRanges.check(plain, family)) return "private"
  return reserved.check(plain, family) ? "reserved" : "public"
}

/** The IPv4 address inside of an IPv6 one (mapped, compatible, NAT64), which is where it leads. */
const embedded = (address: string): string | undefined => {
  if (isIP(address) !== 6) return undefined
  const canonical = new URL(`http://[${address.replace(/%.*/, "")}]`).hostname.slice(1, -1)
  const [, high, low] = /^(?:::ffff:|::ffff:0:|64:ff9b::|::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? []
  if (high === undefined || low === undefined) return undefined
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`
}

const bareHost = ({ hostname }: URL): string =>
  hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase()

const isLocalName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost")

/** The zone of an address as it is written; undefined where only the name service knows. */
export const writtenZone = (url: URL): Zone | undefined => {
  const host = bareHost(url)
  if (isLocalName(host)) return "loopback"
  return isIP(host) === 0 ? undefined : zoneOf(host)
}

/**
 * The zone of the MCP server. A name is no nearer than the farthest of its addresses, and never this machine: whoever owns it may
 * add a near one. One that cannot be resolved here counts as public.
 */
export const resolvedZone = (url: URL): Effect.Effect<Zone> => {
  const written = writtenZone(url)
  if (written !== undefined) return Effect.succeed(written)
  return Effect.async((resume) => {
    dns.lookup(bareHost(url), { all: true }, (error, addresses) => {
      const zones = error === null ? addresses.map(({ address }) => zoneOf(address)) : []
      const isNear = zones.length > 0 && zones.every((zone) => zone === "private" || zone === "loopback")
      resume(Effect.succeed(isNear ? "private" : "public"))
    })
  })
}

/** What is wrong with an address that a server named, before anything is sent to it. */
export const fault = (text: string, server: Zone): string | undefined => {
  if (!URL.canParse(text)) return "that is no address"
  const url = new URL(text)
  const zone = writtenZone(url)
  if (url.protocol !== "https:" && !(url.protocol === "http:" && zone === "loopback")) {
    return url.protocol === "http:"
      ? "plain http is allowed on this machine alone"
      : `an address must begin with https://, not ${url.protocol}`
  }
  if (url.username !== "" || url.password !== "") return "an address with a password in it is not used"
  return zone === undefined || mayLead(server, zone) ? undefined : refusal(zone)
}

const refusal = (zone: Zone): string =>
  `it leads to a ${zone} address, and the server is not at one: a server must not send harness9 into your network`

/** Refuses, when the connection is made, a name that leads to where the server may not. The server's own name may lead anywhere. */
export const guardedLookup =
  (server: Zone, own: string): LookupFunction =>
  (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "")
      const zones = hostname === own ? [] : addresses.map(({ address }) => zoneOf(address))
      const zone = zones.find((found) => !mayLead(server, found))
      if (zone !== undefined) return callback(new Error(refusal(zone)), "")
      const [first] = addresses
      if (options.all === true) return callback(null, addresses)
      callback(null, first?.address ?? "", first?.family)
    })
  }
