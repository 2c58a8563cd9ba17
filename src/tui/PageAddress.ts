/**
 * The address of a page that a server wants a person to visit: what to look at before agreeing.
 *
 * @since 0.1.0
 */
import { domainToUnicode } from "node:url"

/**
 * What may deceive about where the address leads; nothing, when it is what it looks like.
 *
 * @since 0.1.0
 * @category getters
 */
export const warnings = (url: URL): ReadonlyArray<string> => [
  ...(url.hostname.split(".").some((label) => label.startsWith("xn--"))
    ? [`the name is written in other letters, which may look like another one: ${domainToUnicode(url.hostname)}`]
    : []),
  ...(url.username === "" && url.password === ""
    ? []
    : [`what stands before the @ is no host: it leads to ${url.host}`]),
  ...(url.protocol === "https:" || isLocal(url.hostname) ? [] : ["the way there is not encrypted (http)"])
]

const isLocal = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
