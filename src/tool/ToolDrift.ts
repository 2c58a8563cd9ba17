/**
 * What of a tool a person has seen and relied on, and how a server's tools differ from that now.
 *
 * @since 0.1.0
 */
import * as CanonicalJson from "../mcp/internal/CanonicalJson.ts"
import { isObject, type JsonObject } from "../mcp/JsonRpc.ts"
import type { McpTool } from "../mcp/McpSchema.ts"

/**
 * A tool as it was when it was locked.
 *
 * @since 0.1.0
 * @category models
 */
export interface LockedTool {
  /** Of the definition. */
  readonly digest: string
  readonly definition: JsonObject
}

/**
 * A place in a definition (`description`, `inputSchema.properties.path.type`) with what it held and holds; `undefined` is nothing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Difference {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * A tool that is not as it was locked.
 *
 * - `changed`: its definition is another one
 * - `added`: it was not there
 * - `removed`: it is not there any more
 *
 * @since 0.1.0
 * @category models
 */
export interface Drift {
  readonly tool: string
  readonly kind: "changed" | "added" | "removed"
  readonly differences: ReadonlyArray<Difference>
}

/**
 * What is locked of a tool: everything that a model or a person decides by.
 *
 * @since 0.1.0
 * @category constructors
 */
export const lock = (tool: McpTool): LockedTool => {
  const definition = definitionOf(tool)
  return { digest: CanonicalJson.digest(definition), definition }
}

const definitionOf = ({ annotations, description, inputSchema, name, outputSchema, title }: McpTool): JsonObject =>
  withoutUndefined({
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: annotations === undefined ? undefined : withoutUndefined({ ...annotations })
  })

const withoutUndefined = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/**
 * How the tools differ from what is locked, by name.
 *
 * @since 0.1.0
 * @category getters
 */
export const between = (
  locked: ReadonlyMap<string, LockedTool>,
  tools: ReadonlyArray<McpTool>
): ReadonlyArray<Drift> => {
  const present = new Set(tools.map(({ name }) => name))
  const removed = [...locked.keys()].filter((name) => !present.has(name))
  return [
    ...tools.flatMap((tool): ReadonlyArray<Drift> => {
      const before = locked.get(tool.name)
      if (before === undefined) return [{ tool: tool.name, kind: "added", differences: [] }]
      const now = lock(tool)
      return now.digest === before.digest
        ? []
        : [{ tool: tool.name, kind: "changed", differences: differences(before.definition, now.definition) }]
    }),
    ...removed.map((tool): Drift => ({ tool, kind: "removed", differences: [] }))
  ].sort((a, b) => (a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : 0))
}

/**
 * Where two definitions differ: as deep as both are objects.
 *
 * @since 0.1.0
 * @category getters
 */
export const differences = (before: unknown, after: unknown, field = ""): ReadonlyArray<Difference> => {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    return keys.flatMap((key) => differences(own(before, key), own(after, key), field === "" ? key : `${field}.${key}`))
  }
  return CanonicalJson.stringify(before) === CanonicalJson.stringify(after) ? [] : [{ field, before, after }]
}

const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)

/** The fields of a schema are a server's words: so many of them are told, and so much of each. */
const shownFields = 5
const shownLength = 80

/**
 * Which fields differ, in a few words.
 *
 * @since 0.1.0
 * @category formatting
 */
export const fieldsOf = (found: ReadonlyArray<Difference>): string => {
  const names = found.slice(0, shownFields).map(({ field }) => Array.from(field).slice(0, shownLength).join(""))
  return found.length > shownFields ? `${names.join(", ")} and ${found.length - shownFields} more` : names.join(", ")
}
