/**
 * The JSON Schema of a configuration file, for editors: made from the schema that reads it.
 */
import * as JSONSchema from "effect/JSONSchema"
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import { otherSpellings } from "./EntryFields.ts"
import { ConfigDocument, ServerEntry } from "./ServerEntry.ts"

/** The whole file. A new object each time. */
export const make = (): JsonObject => {
  const document = plain(JSONSchema.make(ConfigDocument))
  const { $schema, properties, ...rest } = isObject(document) ? document : {}
  const { mcpServers, ...others } = isObject(properties) ? properties : {}
  const servers = isObject(mcpServers) ? mcpServers : {}
  return {
    $schema,
    title: "The MCP servers of harness9 (.mcp.json)",
    ...rest,
    properties: { ...others, mcpServers: { ...servers, additionalProperties: entry(servers.additionalProperties) } }
  }
}

/** One entry, with the spellings of other hosts. */
const entry = (schema: unknown): JsonObject => {
  const { properties, ...rest } = isObject(schema) ? schema : {}
  const fields = isObject(properties) ? properties : {}
  const described = Object.entries(fields).map(([name, field]) => [name, withDescription(name, field)])
  const aliases = [...otherSpellings].map(([spelling, name]) => {
    const field = fields[name]
    const other = { description: `Another spelling of "${name}".`, deprecated: true }
    return [
      spelling,
      spelling === "transport"
        ? { anyOf: [field, { type: "object" }], ...other }
        : { ...(isObject(field) ? field : {}), ...other }
    ]
  })
  return {
    ...rest,
    description: "A server: a program with a command, or an address with a url.",
    properties: Object.fromEntries([...described, ...aliases])
  }
}

const entryFields = new Map(SchemaAST.getPropertySignatures(ServerEntry.ast).map(({ name, type }) => [name, type]))

const withDescription = (name: string, field: unknown): unknown => {
  if (!isObject(field) || field.description !== undefined) return field
  const ast = entryFields.get(name)
  const description = ast === undefined ? Option.none() : SchemaAST.getDescriptionAnnotation(ast)
  return Option.match(description, { onNone: () => field, onSome: (text) => ({ ...field, description: text }) })
}

/** Without what says nothing to a person who writes the file. */
export const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      isEmpty(key, item) || isMechanical(key, item) ? [] : [[key, plain(item)]]
    )
  )
}

const isEmpty = (key: string, value: unknown): boolean =>
  (key === "required" || key === "properties") &&
  (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0)

const isMechanical = (key: string, value: unknown): boolean =>
  (key === "title" && typeof value === "string" && /^(nonEmptyString|int|between\(.*\))$/.test(value)) ||
  (key === "description" && (value === "a non empty string" || value === "an integer"))
