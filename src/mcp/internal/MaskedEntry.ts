/**
 * An entry as it is written, with nothing in it that nobody should see.
 *
 * References such as `${TOKEN}` are shown as they are written. What is not known to be harmless is masked.
 */
import { isObject, type JsonObject } from "../JsonRpc.ts"
import { secretFlag } from "./config/Secrets.ts"
import * as Redact from "./Redact.ts"

const masked = "***"

/**
 * An entry with its environment, headers, credentials in addresses and arguments, and everything unknown masked.
 */
export const mask = (entry: JsonObject, secrets: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      key,
      plain.has(key) || isVariableName(key, value) ? cleaned(withoutCredentials(key, value), secrets) : hidden(value)
    ])
  )

const plain: ReadonlySet<string> = new Set(
  (
    "type command args cwd inheritEnv url ca disabled enabled required timeout connectTimeout includeTools excludeTools " +
    "protocolVersion headersHelper sandbox limits defer"
  ).split(" ")
)

/** Which variable is sent as a token is worth knowing; a token that somebody wrote in its place is not shown. */
const isVariableName = (key: string, value: unknown): boolean =>
  key === "bearerTokenEnv" && typeof value === "string" && /^[A-Z][A-Z0-9_]{0,60}$/.test(value)

/**
 * Arguments with the values of `--token x` and `--token=x` masked: those alone, since whoever wrote the entry could otherwise
 * have any argument masked by writing it twice.
 */
const withoutCredentials = (key: string, value: unknown): unknown =>
  (key === "args" || key === "command") && Array.isArray(value)
    ? value.map((item, index) => argument(item, value[index - 1]))
    : value

const argument = (item: unknown, before: unknown): unknown => {
  if (typeof item !== "string") return item
  const [flag] = secretFlag.exec(item) ?? []
  if (flag !== undefined && item[flag.length] === "=") {
    return `${flag}=${references(item.slice(flag.length + 1))}`
  }
  const isValue = typeof before === "string" && secretFlag.exec(before)?.[0] === before && !item.startsWith("-")
  return isValue ? references(item) : item
}

/** A value of a harmless field: the credentials in it masked. */
const cleaned = (value: unknown, secrets: ReadonlyArray<string>): unknown => {
  if (typeof value === "string") return Redact.mask(address(value), secrets)
  if (Array.isArray(value)) return value.map((item) => cleaned(item, secrets))
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleaned(item, secrets)]))
    : value
}

/** An address without its user, password and query values; other texts pass. */
const address = (text: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
        .replace(/\/\/[^/?#@]*@/, `//${masked}@`)
        .replace(/([?&][^=&#]*=)([^&#]*)/g, (_, key: string, value: string) => key + references(value))
    : text

/** A value of a field that holds secrets. Of a list of `KEY=VALUE` the keys stay. */
const hidden = (value: unknown): unknown => {
  if (typeof value === "string") return references(value)
  if (Array.isArray(value)) return value.map((item) => (typeof item === "string" ? assignment(item) : masked))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hidden(item)])) : masked
}

const assignment = (text: string): string => {
  const at = text.indexOf("=")
  return at === -1 ? references(text) : text.slice(0, at + 1) + references(text.slice(at + 1))
}

/** The references of a text, and the scheme before a credential; the rest is masked. */
const references = (text: string): string => {
  const [scheme = ""] = /^(?:Bearer|Basic|Token)\s+/i.exec(text) ?? []
  const parts = text.slice(scheme.length).split(/(\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^}]*)?\})/)
  return scheme + parts.map((part, index) => (index % 2 === 1 ? reference(part) : part === "" ? "" : masked)).join("")
}

const reference = (written: string): string => written.replace(/:-[^}]+\}$/, `:-${masked}}`)
