/**
 * Arguments of a tool call that go with it as HTTP headers (`x-mcp-header` in the tool's schema, 2026-07-28), so that a gateway
 * can route the call without reading it.
 */
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import * as HttpFields from "../http/HttpFields.ts"

/** One argument: its place in the arguments, and its header. */
export interface Param {
  readonly path: ReadonlyArray<string>
  readonly header: string
}

/** No schema of a tool is nested deeper, for what is looked for here. */
const maxDepth = 64

/**
 * The annotated properties of a schema. A string says which annotation breaks the rules: the tool must then not be offered.
 */
export const read = (schema: JsonObject): ReadonlyArray<Param> | string => {
  const params: Array<Param> = []
  const names = new Set<string>()
  let problem: string | undefined

  const annotation = (property: JsonObject, path: ReadonlyArray<string> | undefined) => {
    const name = property["x-mcp-header"]
    if (name === undefined) return
    const where = path?.join(".") ?? ""
    if (where === "" || path === undefined) problem = "x-mcp-header at a place that is no argument"
    else if (typeof name !== "string" || !isToken(name)) problem = `x-mcp-header of ${where} is no header name`
    else if (!isPrimitive(property.type)) problem = `x-mcp-header of ${where}, which is no string, integer or boolean`
    else if (names.has(name.toLowerCase())) problem = `x-mcp-header ${name} is there twice`
    else {
      names.add(name.toLowerCase())
      params.push({ path, header: `mcp-param-${name.toLowerCase()}` })
    }
  }

  /** `path` is undefined where a value's place depends on more than the names of properties. */
  const walk = (value: unknown, path: ReadonlyArray<string> | undefined, depth: number) => {
    if (problem !== undefined || depth > maxDepth || typeof value !== "object" || value === null) return
    if (isObject(value)) annotation(value, path)
    for (const [keyword, inner] of Object.entries(value)) {
      if (keyword === "properties" && isObject(inner)) {
        for (const [name, property] of Object.entries(inner)) walk(property, path && [...path, name], depth + 1)
      } else if (!isData.has(keyword)) walk(inner, undefined, depth + 1)
    }
  }

  walk(schema, [], 0)
  return problem ?? params
}

/** Keywords whose values are no schemas. */
const isData: ReadonlySet<string> = new Set(["default", "const", "enum", "examples", "example", "x-mcp-header"])

const isToken = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)

const isPrimitive = (type: unknown): boolean => type === "string" || type === "integer" || type === "boolean"

/** The headers of a call. An argument that is absent or null has none. */
export const of = (params: ReadonlyArray<Param>, args: JsonObject): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {}
  for (const { header, path } of params) {
    const value = path.reduce<unknown>(
      (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      args
    )
    if (typeof value === "string") headers[header] = value === "" ? "" : HttpFields.value(value)
    else if (typeof value === "number" || typeof value === "boolean") headers[header] = String(value)
  }
  return headers
}
