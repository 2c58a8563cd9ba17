/**
 * The entry of a server as it stands in its file, with nothing in it that nobody should see.
 *
 * References such as `${TOKEN}` are shown as they are written. What is not known to be harmless is masked.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ConfigText from "../mcp/internal/config/ConfigText.ts"
import * as Redact from "../mcp/internal/Redact.ts"
import { isObject, type JsonObject } from "../mcp/JsonRpc.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"

const masked = "***"

/**
 * The masked entry; empty when the file has changed and no longer has it.
 *
 * @since 0.1.0
 * @category getters
 */
export const read = (config: ServerConfig): Effect.Effect<JsonObject, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { source = "" } = config
    const fs = yield* FileSystem.FileSystem
    const text = yield* Either.flatMap(ConfigText.decode(yield* fs.readFile(source), source), (text) =>
      ConfigText.parse(text, source)
    )
    const root = text.root === undefined ? undefined : ConfigText.toValue(text.root)
    const servers = isObject(root) && isObject(root.mcpServers) ? root.mcpServers : {}
    const entry = Object.hasOwn(servers, config.name) ? servers[config.name] : undefined
    return isObject(entry) ? mask(entry, config.secrets) : {}
  }).pipe(Effect.orElseSucceed(() => ({})))

/**
 * An entry with its environment, headers, credentials in addresses and arguments, and everything unknown masked.
 *
 * @since 0.1.0
 * @category formatting
 */
export const mask = (entry: JsonObject, secrets: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, plain.has(key) ? cleaned(value, secrets) : hidden(value)])
  )

const plain: ReadonlySet<string> = new Set(
  (
    "type command args cwd inheritEnv url ca disabled enabled required timeout connectTimeout includeTools excludeTools " +
    "protocolVersion"
  ).split(" ")
)

/** A value of a harmless field: the credentials in it masked. */
const cleaned = (value: unknown, secrets: ReadonlyArray<string>): unknown => {
  if (typeof value === "string") return Redact.mask(address(value), secrets)
  return Array.isArray(value) ? value.map((item) => cleaned(item, secrets)) : value
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
