/**
 * What can be wrong with the address and headers of an HTTP server.
 */
import type { Http } from "../../ServerConfig.ts"
import type { Fault } from "./EntryFields.ts"

/** Never tells a value: it may be a secret. */
export const faults = ({ headers, url }: Http): ReadonlyArray<Fault> => [
  ...urlFaults(url),
  ...Object.entries(headers).flatMap(([name, value]) =>
    headerFaults(name, value).map((message) => ({ path: ["headers", name], message }))
  ),
  ...sameNames(Object.keys(headers))
]

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
