/**
 * A whole configuration file: its servers in the order of the file, and everything in it that a person should know of.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { ParsedFile, Problem } from "../../McpConfig.ts"
import { McpError } from "../../McpError.ts"
import * as ConfigText from "./ConfigText.ts"
import * as EntryReader from "./EntryReader.ts"
import { ConfigDocument } from "./ServerEntry.ts"

type Report = (message: string, at: ConfigText.Node, server?: string) => void

export const read = (text: string, surroundings: EntryReader.Surroundings): Either.Either<ParsedFile, McpError> => {
  const { path } = surroundings
  return Either.flatMap(ConfigText.parse(text, path), ({ position, root }): Either.Either<ParsedFile, McpError> => {
    if (root === undefined) {
      return Either.right({ servers: [], names: [], problems: [{ path, message: "the file is empty" }] })
    }
    if (root.type !== "object") {
      const message = `${path}: the file must hold an object with "mcpServers" (${position(root)})`
      return Either.left(new McpError({ server: "", phase: "config", kind: "config", message }))
    }
    const problems: Array<Problem> = []
    const report: Report = (message, at, server) => {
      problems.push({ ...(server === undefined ? {} : { server }), path, message: `${message} (${position(at)})` })
    }
    const entries = readTopLevel(root, report)
    const servers = entries.flatMap((entry) => Option.toArray(readEntry(entry, surroundings, report)))
    return Either.right({ servers, names: entries.map(({ key }) => key), problems })
  })
}

const knownKeys: ReadonlySet<string> = new Set(Object.keys(ConfigDocument.fields))

/** The entries of a file; of a name that is there twice, the later. */
const readTopLevel = (root: ConfigText.Node, report: Report): ReadonlyArray<ConfigText.Property> => {
  for (const { key, keyNode } of ConfigText.repeated(root)) report(twice(key), keyNode)
  const keys = ConfigText.lastProperties(root)
  const servers = keys.find(({ key }) => key === "mcpServers")?.value
  const [misplaced] = servers === undefined ? keys.filter(looksLikeServers) : []
  if (misplaced !== undefined) {
    report(`no "mcpServers": ${hintFor(misplaced)}`, misplaced.keyNode)
    return []
  }
  const unknown = keys.filter(({ key }) => !knownKeys.has(key))
  if (unknown[0] !== undefined) {
    const names = unknown.map(({ key }) => `"${key}"`).join(", ")
    report(`unknown ${unknown.length === 1 ? "key" : "keys"} ignored: ${names}`, unknown[0].keyNode)
  }
  if (servers === undefined) return []
  if (servers.type !== "object") report(`"mcpServers" must be an object with an entry for each server`, servers)
  for (const { key, keyNode } of ConfigText.repeated(servers)) report(twice(key), keyNode, key)
  return ConfigText.lastProperties(servers)
}

const readEntry = (
  { key, keyNode, value }: ConfigText.Property,
  surroundings: EntryReader.Surroundings,
  report: Report
) => {
  for (const repeated of ConfigText.repeatedWithin(value)) report(twice(repeated.key), repeated.keyNode, key)
  if (key.trim() !== "") {
    return EntryReader.read(key, value, surroundings, (message, at) => report(message, at, key))
  }
  report("a server needs a name", keyNode, key)
  return Option.none()
}

const twice = (key: string) => `"${key}" is there twice: the later one counts`

/** How other hosts name the servers: `servers` (VS Code), `mcp` (OpenCode, Crush), `mcp_servers` (Codex), `context_servers` (Zed). */
const foreignKeys = new Set(["servers", "mcp", "mcpserver", "mcpservers", "contextservers"])

const isForeignKey = (key: string): boolean => foreignKeys.has(key.toLowerCase().replace(/[_-]/g, ""))

const looksLikeServers = ({ key, value }: ConfigText.Property): boolean =>
  isForeignKey(key) || ConfigText.properties(value).some(({ key: field }) => field === "command" || field === "url")

const hintFor = ({ key }: ConfigText.Property): string =>
  isForeignKey(key) ? `rename "${key}" to "mcpServers"` : `put the entry "${key}" inside of "mcpServers": { … }`
