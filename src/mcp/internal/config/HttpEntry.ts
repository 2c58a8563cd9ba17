/**
 * What can be wrong with the address and headers of an HTTP server.
 */
import type { Http } from "../../ServerConfig.ts"
import type { Fault } from "./EntryFields.ts"
import * as OAuthEntry from "./OAuthEntry.ts"
import type { ServerEntry } from "./ServerEntry.ts"

/** Never tells a value: it may be a secret. */
export const faults = ({ headers, url }: Http): ReadonlyArray<Fault> => [
  ...urlFaults(url),
  ...Object.entries(headers).flatMap(([name, value]) =>
    headerFaults(name, value).map((message) => ({ path: ["headers", name], message }))
  ),
  ...sameNames(Object.keys(headers))
]

/** What can be wrong with the ways in which an entry says its credentials: of each kind, and all of them together. */
export const loginFaults = (entry: ServerEntry, { headers }: Http): ReadonlyArray<Fault> => {
  const { bearerTokenEnv, headersHelper, oauth } = entry
  const written = Object.keys(entry.headers ?? {}).find((name) => name.toLowerCase() === "authorization")
  const ways = [
    ...(written === undefined ? [] : [`headers.${written}`]),
    ...(bearerTokenEnv === undefined ? [] : ["bearerTokenEnv"]),
    ...(headersHelper === undefined ? [] : ["headersHelper"]),
    ...(oauth === undefined ? [] : ["oauth"])
  ]
  const last = ways.at(-1)
  return [
    ...(last === undefined || ways.length < 2
      ? []
      : [{ path: last.split("."), message: `and "${ways[0]}" both say what is sent to log in: keep one` }]),
    ...(bearerTokenEnv === undefined ? [] : bearerFaults(headers.Authorization)),
    ...(oauth === undefined ? [] : OAuthEntry.faults(oauth))
  ]
}

const bearerFaults = (header: string | undefined): ReadonlyArray<Fault> =>
  header?.trim() === "Bearer" ? [{ path: ["bearerTokenEnv"], message: "names a variable that is empty" }] : []

const urlFaults = (url: string): ReadonlyArray<Fault> => {
  if (!URL.canParse(url)) return [{ path: ["url"], message: "is no address such as https://example.com/mcp" }]
  const { protocol } = new URL(url)
  return protocol === "http:" || protocol === "https:"
    ? []
    : [{ path: ["url"], message: `must begin with http:// or https://, not ${protocol}` }]
}

const headerFaults = (name: string, value: string): ReadonlyArray<string> => {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return ["is no name that a header can have"]
  if (/[\0\r\n]/.test(value)) return ["holds a line break, which no header can carry"]
  return /[^\0-\xff]/.test(value) ? ["holds a character that no header can carry"] : []
}

const sameNames = (names: ReadonlyArray<string>): ReadonlyArray<Fault> =>
  names
    .filter((name, index) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < index)
    .map((name) => ({ path: ["headers", name], message: "is given twice: the case of a header's name does not count" }))
