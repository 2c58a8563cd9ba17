/**
 * Which redirects are followed: those that keep the method (307 and 308) and the origin, a few in a row. All others are refused
 * with a text that names the target, since following would hand headers and body to somebody else, or turn a POST into
 * a GET.
 */
import type { IncomingHttpHeaders } from "node:http"
import { McpError } from "../../McpError.ts"
import type { Where } from "./HttpFailure.ts"
import * as HttpFields from "./HttpFields.ts"

const maxHops = 5

export const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304

/** Where to send the message instead, or why nowhere. */
export const follow = (where: Where, status: number, headers: IncomingHttpHeaders, hops: number): URL | McpError => {
  const { phase, server, url } = where
  const refuse = (message: string, hint?: string) =>
    new McpError({ server, phase, kind: "http", status, message, hint })
  const location = HttpFields.get(headers, "location")
  if (location === undefined || !URL.canParse(location, url.href)) {
    return refuse(`${url.host} answered with a redirect (${status}) to nowhere`)
  }
  const target = new URL(location, url)
  const shown = `${target.origin}${target.pathname}`
  if (target.origin !== url.origin) {
    return refuse(
      `${url.host} redirects to another origin, ${shown} (${status}); it was not followed`,
      `If that is the right server, set "url" to it.`
    )
  }
  if (status !== 307 && status !== 308) {
    return refuse(
      `${url.host} redirects to ${shown} (${status}), which does not keep a POST; it was not followed`,
      samePath(target, url)
        ? `Set "url" to ${shown} (mind the slash at the end).`
        : "The path of the URL may be wrong, or the server sends to a sign-in page."
    )
  }
  if (hops >= maxHops) return refuse(`${url.host} redirects in a circle (${status}, last to ${shown})`)
  return target
}

const samePath = (a: URL, b: URL): boolean => a.pathname.replace(/\/$/, "") === b.pathname.replace(/\/$/, "")
