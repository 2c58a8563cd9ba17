/**
 * Which proxy of the environment an address is reached through, if any.
 *
 * `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, the small spelling before the capital one. A loopback address is
 * always direct: a proxy elsewhere cannot reach it.
 */
import { BlockList, isIP } from "node:net"

export type Environment = Readonly<Record<string, string | undefined>>

export type ProxyChoice =
  | { readonly _tag: "Direct" }
  | { readonly _tag: "Proxy"; readonly url: URL }
  /** The variable is set to something that is no address of a proxy. */
  | { readonly _tag: "Unusable"; readonly variable: string }

const direct: ProxyChoice = { _tag: "Direct" }
const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" }
const schemes = ["http:", "https:", "socks:", "socks5:"]

export const choose = (url: URL, env: Environment): ProxyChoice => {
  const host = bare(url.hostname)
  if (isLoopback(host)) return direct
  const port = url.port === "" ? (defaultPorts[url.protocol] ?? "") : url.port
  if (excluded(host, port, env.no_proxy ?? env.NO_PROXY ?? "")) return direct
  const own = url.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"]
  const variable = [...own, "all_proxy", "ALL_PROXY"].find((name) => (env[name] ?? "").trim() !== "")
  if (variable === undefined) return direct
  const proxy = parse(env[variable] ?? "")
  return proxy === undefined ? { _tag: "Unusable", variable } : { _tag: "Proxy", url: proxy }
}

/** `proxy.example:8080`, without a scheme, is how many people write it. */
const parse = (value: string): URL | undefined => {
  const text = value.trim()
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return schemes.includes(url.protocol) && url.hostname !== "" ? url : undefined
}

const bare = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase()

/** Whether a host, without brackets, is this machine. */
const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))

/** Entries of NO_PROXY: `*`, a domain and all under it, an address, a range of addresses, each but the first with a port or without. */
const excluded = (host: string, port: string, noProxy: string): boolean =>
  noProxy
    .split(/[,\s]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true
      const range = /^([0-9a-f:.]+)\/(\d{1,3})$/i.exec(entry)
      if (range !== null) return inRange(host, range[1] ?? "", Number(range[2]))
      const [, name = entry, entryPort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? []
      if (entryPort !== undefined && entryPort !== port) return false
      const domain = bare(name).replace(/^\*?\./, "")
      return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`))
    })

const inRange = (host: string, network: string, bits: number): boolean => {
  const version = isIP(network)
  if (version === 0 || version !== isIP(host) || bits > (version === 4 ? 32 : 128)) return false
  const family = version === 4 ? "ipv4" : "ipv6"
  const list = new BlockList()
  list.addSubnet(network, bits, family)
  return list.check(host, family)
}
