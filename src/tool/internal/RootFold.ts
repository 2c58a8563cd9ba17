/**
 * A tool's input schema as one root object. Model APIs refuse a root `anyOf`, `oneOf`, `allOf`, `not`, `enum` or `$ref`: its
 * branches' properties are joined, and what the branches required apart from each other is told in the description. The
 * server still validates what it gets.
 */
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import { follow } from "./JsonPointer.ts"

/** What an object schema asks for, its combinators folded in. */
interface Shape {
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** Sentences for what cannot be said in one object. */
  readonly demands: ReadonlyArray<string>
}

const combinators = [
  ...["$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const"],
  ...["if", "then", "else", "dependentSchemas"]
]
const rebuilt = new Set([...combinators, "type", "properties", "required"])

/** How many schemas are looked at: combinators whose references lead back multiply with each level. */
const maxSchemas = 2000

/** How many sentences are told of what branches ask for. */
const maxDemands = 20

/** Counts schemas down; false when there have been too many. */
const budget = () => {
  let left = maxSchemas
  return () => left-- > 0
}

/** Whether some value that the schema allows is an object, as far as types say; in doubt there is one. */
export const canBeObject = (document: JsonObject, schema: unknown, mayLook = budget(), depth = 0): boolean => {
  const target = follow(document, schema)
  if (target === undefined || typeof target === "boolean") return target !== false
  if (depth > 8 || !mayLook()) return true
  const { allOf, type } = target
  const sub = (branch: unknown) => canBeObject(document, branch, mayLook, depth + 1)
  if (type !== undefined && type !== null && ![type].flat().includes("object")) return false
  if (Array.isArray(allOf) && !allOf.every(sub)) return false
  return [target.anyOf, target.oneOf].every(
    (branches) => !Array.isArray(branches) || branches.length === 0 || branches.some(sub)
  )
}

/** The schema with a root of type `object` and without root combinators. */
export const fold = (document: JsonObject, notes: Array<string>): JsonObject => {
  const folded = combinators.filter((key) => document[key] !== undefined && document[key] !== null)
  if (folded.length === 0 && document.type === "object" && isObject(document.properties)) return document
  if (folded.length > 0) notes.push(`root ${folded.join(", ")} folded into one object`)
  const shape = shapeOf(document, document, budget(), 0)
  const description = [document.description, ...shape.demands.slice(0, maxDemands)]
    .filter((text) => typeof text === "string")
    .join("\n")
  return {
    type: "object",
    ...Object.fromEntries(Object.entries(document).filter(([key]) => !rebuilt.has(key))),
    ...(description === "" ? undefined : { description }),
    properties: Object.fromEntries(shape.properties),
    ...(shape.required.size === 0 ? undefined : { required: [...shape.required] })
  }
}

const empty: Shape = { properties: new Map(), required: new Set(), demands: [] }

const shapeOf = (document: JsonObject, schema: unknown, mayLook: () => boolean, depth: number): Shape => {
  if (!isObject(schema) || depth > 8 || !mayLook()) return empty
  const sub = (branch: unknown) => shapeOf(document, follow(document, branch), mayLook, depth + 1)
  const parts = [ownShape(schema)]
  if (typeof schema.$ref === "string") parts.push(sub(schema))
  if (Array.isArray(schema.allOf)) parts.push(...schema.allOf.map(sub))
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(branches)) continue
    parts.push(oneOfThese(branches.filter((branch) => canBeObject(document, branch, mayLook)).map(sub)))
  }
  const conditional = [
    schema.then,
    schema.else,
    ...Object.values(isObject(schema.dependentSchemas) ? schema.dependentSchemas : {})
  ]
  for (const branch of conditional)
    if (branch !== undefined) parts.push({ ...sub(branch), required: new Set(), demands: [] })
  return parts.length === 1 ? ownShape(schema) : allOfThese(parts)
}

const ownShape = (schema: JsonObject): Shape => ({
  properties: new Map(Object.entries(isObject(schema.properties) ? schema.properties : {})),
  required: new Set(Array.isArray(schema.required) ? schema.required.filter((key) => typeof key === "string") : []),
  demands: []
})

const allOfThese = (shapes: ReadonlyArray<Shape>): Shape => ({
  properties: joinProperties(shapes, "allOf"),
  required: new Set(shapes.flatMap(({ required }) => [...required])),
  demands: shapes.flatMap(({ demands }) => demands)
})

const oneOfThese = (shapes: ReadonlyArray<Shape>): Shape => {
  const [first, ...rest] = shapes
  if (first === undefined) return empty
  const required = new Set([...first.required].filter((key) => rest.every((shape) => shape.required.has(key))))
  const sets = new Set(shapes.map((shape) => demandOf(shape, required)))
  const demand = `Give one of these sets of fields: ${[...sets].slice(0, 20).join("; ")}.`
  return {
    properties: joinProperties(shapes, "anyOf"),
    required,
    demands: sets.size > 1 ? [demand.slice(0, 1000), ...shapes.flatMap(({ demands }) => demands)] : []
  }
}

const demandOf = ({ properties, required }: Shape, common: ReadonlySet<string>): string => {
  const fixed = [...properties].flatMap(([key, schema]) =>
    isObject(schema) && schema.const !== undefined ? [`${key} = ${JSON.stringify(schema.const)}`] : []
  )
  const own = [...required].filter((key) => !common.has(key) && !fixed.some((text) => text.startsWith(`${key} = `)))
  return [...fixed, ...own].join(" and ") || "no more than the rest"
}

const joinProperties = (shapes: ReadonlyArray<Shape>, how: "allOf" | "anyOf"): ReadonlyMap<string, unknown> => {
  const variants = new Map<string, Map<string, unknown>>()
  for (const { properties } of shapes) {
    for (const [key, schema] of properties) {
      const known = variants.get(key) ?? new Map<string, unknown>()
      variants.set(key, known.set(JSON.stringify(schema), schema))
    }
  }
  return new Map([...variants].map(([key, schemas]) => [key, joinSchemas([...schemas.values()], how)]))
}

const joinSchemas = (schemas: ReadonlyArray<unknown>, how: "allOf" | "anyOf"): unknown => {
  if (schemas.length === 1) return schemas[0]
  const values = schemas.map((schema) =>
    !isObject(schema)
      ? undefined
      : Array.isArray(schema.enum)
        ? schema.enum
        : "const" in schema
          ? [schema.const]
          : undefined
  )
  if (how === "anyOf" && values.every((list) => list !== undefined)) {
    const { const: _, ...rest } = schemas[0] as JsonObject
    return { ...rest, enum: [...new Set(values.flat())] }
  }
  return { [how]: schemas }
}
