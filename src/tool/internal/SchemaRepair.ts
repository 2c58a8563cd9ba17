/**
 * A JSON Schema of any draft, or nearly one, made into what draft 2020-12 and the model APIs take. The original is not
 * touched. References stay, with what they reach collected under `$defs`, so that cycles need no depth limit.
 */
import * as Option from "effect/Option"
import * as JsonSize from "../../mcp/internal/JsonSize.ts"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import { lastSegment, resolve } from "./JsonPointer.ts"

/** What a model API wants on top. */
export interface Rules {
  /** Property names that do not fit are left out. */
  readonly propertyName?: RegExp
}

const maxDepth = 64
/** References can lead into each other, and each has a copy of what it reaches: so many of them are followed, and so far. */
const maxReferences = 500
const maxSchemas = 20_000
const maxDefsCharacters = 512 * 1024

const tooLarge = "too large: what is over takes every value"

const types = new Set(["array", "boolean", "integer", "null", "number", "object", "string"])
const dropped = new Set([
  ...["$schema", "$id", "id", "$anchor", "$comment", "$vocabulary", "$defs", "definitions"],
  ...["$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "__proto__"]
])
const free = new Set(["default", "const", "examples", "example"])
const strings = new Set(["title", "description", "format"])
const schemaMaps = new Set(["properties", "patternProperties", "dependentSchemas"])
const schemaLists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"])
const schemas = new Set(["items", "contains", "not", "if", "then", "else", "propertyNames"])
const schemasOrFlags = new Set(["additionalProperties", "unevaluatedProperties", "unevaluatedItems"])
const numbers = new Set([
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"],
  ...["minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"]
])

/** Repairs `root`, whose references point into `document`. */
export const repair = (root: JsonObject, document: JsonObject, rules: Rules, notes: Array<string>): JsonObject => {
  const names = new Map<unknown, string>()
  const taken = new Set<string>()
  const waiting: Array<readonly [name: string, schema: unknown]> = []
  let schemaCount = 0

  /** The reference by its name under `$defs`; what it reaches is repaired once, after the rest. */
  const reference = (ref: string): string | undefined => {
    const target = resolve(document, ref)
    // A server can write the same reference in many ways.
    const known = names.get(target)
    if (known !== undefined) return `#/$defs/${known}`
    if ((!isObject(target) && typeof target !== "boolean") || names.size >= maxReferences) return undefined
    const name = unused(
      lastSegment(ref)
        .replace(/[^A-Za-z0-9_.-]/g, "_")
        .slice(0, 64) || "root",
      taken
    )
    taken.add(name)
    names.set(target, name)
    waiting.push([name, target])
    return `#/$defs/${name}`
  }

  const walk = (schema: unknown, depth: number): JsonObject => {
    if (schema === true) return {}
    if (schema === false) return { not: {} }
    if (!isObject(schema)) return note({}, "something that is no schema takes every value")
    schemaCount += 1
    if (schemaCount > maxSchemas) return note({}, tooLarge)
    if (depth > maxDepth) return note({}, "nested too deeply: the innermost schemas take every value")
    return finish(
      Object.fromEntries(Object.entries(modern(schema)).flatMap(([key, value]) => keyword(key, value, depth + 1)))
    )
  }

  const keyword = (key: string, value: unknown, depth: number): ReadonlyArray<readonly [string, unknown]> => {
    const keep = (repaired: unknown) => [[key, repaired]] as const
    const drop = () => note([], `${key} left out: not usable`)
    if (free.has(key)) return keep(value)
    if (value === undefined || value === null || dropped.has(key)) return []
    if (key === "$ref") {
      const ref = typeof value === "string" ? reference(value) : undefined
      return ref === undefined
        ? note([], "a $ref that leads nowhere, or is one of too many, takes every value")
        : keep(ref)
    }
    if (strings.has(key)) return typeof value === "string" ? keep(value) : drop()
    if (numbers.has(key)) return typeof value === "number" ? keep(value) : drop()
    if (key === "type") {
      const known = [value].flat().filter((type) => types.has(type as string))
      return known.length === 0 ? drop() : keep(known.length === 1 ? known[0] : [...new Set(known)])
    }
    if (key === "required") {
      if (!Array.isArray(value)) return drop()
      const fields = value.filter((field) => typeof field === "string" && fits(field))
      return keep([...new Set(fields)])
    }
    if (key === "enum") return Array.isArray(value) && value.length > 0 ? keep(value) : drop()
    if (key === "pattern") return typeof value === "string" && isRegExp(value) ? keep(value) : drop()
    if (schemaMaps.has(key)) return isObject(value) ? keep(map(key, value, depth)) : drop()
    if (schemaLists.has(key)) {
      return Array.isArray(value) && value.length > 0 ? keep(value.map((branch) => walk(branch, depth))) : drop()
    }
    if (schemasOrFlags.has(key)) return keep(typeof value === "boolean" ? value : walk(value, depth))
    if (schemas.has(key)) return keep(walk(value, depth))
    return keep(value)
  }

  const fits = (name: string): boolean => rules.propertyName?.test(name) ?? true

  const map = (key: string, value: JsonObject, depth: number): JsonObject => {
    const entries = Object.entries(value).filter(([name, schema]) => {
      if (key !== "properties") return true
      if (schema === false) return false
      return (
        fits(name) ||
        note(false, `property ${JSON.stringify(name.slice(0, 80))} left out: the model API refuses the name`)
      )
    })
    return Object.fromEntries(entries.map(([name, schema]) => [name, walk(schema, depth)]))
  }

  const note = <A>(value: A, text: string): A => {
    if (!notes.includes(text)) notes.push(text)
    return value
  }

  const repaired = walk(root, 0)
  const defs: Array<readonly [string, JsonObject]> = []
  let room = maxDefsCharacters
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const schema = room > 0 ? walk(next[1], 0) : note({}, tooLarge)
    room -= JsonSize.upTo(schema, room)
    defs.push([next[0], schema])
  }
  return defs.length === 0 ? repaired : { ...repaired, $defs: Object.fromEntries(defs) }
}

/** What older drafts, and some generators, write otherwise. */
const modern = (schema: JsonObject): JsonObject => {
  const changed: Record<string, unknown> = { ...schema }
  if (Array.isArray(schema.items)) {
    changed.prefixItems = schema.items
    changed.items = isObject(schema.additionalItems) ? schema.additionalItems : undefined
  }
  delete changed.additionalItems
  for (const [limit, exclusive] of [
    ["minimum", "exclusiveMinimum"] as const,
    ["maximum", "exclusiveMaximum"] as const
  ]) {
    if (typeof schema[exclusive] !== "boolean") continue
    changed[exclusive] = schema[exclusive] ? schema[limit] : undefined
    if (schema[exclusive]) delete changed[limit]
  }
  const { properties } = schema
  if (isObject(properties) && Array.isArray(properties.required)) {
    const { required, ...rest } = properties
    changed.properties = rest
    changed.required = [...(Array.isArray(schema.required) ? schema.required : []), ...(required as Array<unknown>)]
  }
  return changed
}

/** What the APIs ask of every object and array. */
const finish = (schema: JsonObject): JsonObject => ({
  ...(schema.properties !== undefined && schema.type === undefined ? { type: "object" } : undefined),
  ...schema,
  ...(schema.type === "object" && schema.properties === undefined ? { properties: {} } : undefined),
  ...(schema.type === "array" && schema.items === undefined ? { items: {} } : undefined)
})

const unused = (name: string, taken: ReadonlySet<string>): string => {
  let candidate = name
  for (let n = 2; taken.has(candidate); n++) candidate = `${name}_${n}`
  return candidate
}

const isRegExp = (pattern: string): boolean => Option.isSome(compile(pattern))

const compile = Option.liftThrowable((pattern: string) => new RegExp(pattern, "u"))
