/**
 * A JSON Schema as shapes: one for the whole, and one for each part that it refers to, in the order in which they need each
 * other. What no type can say becomes `Unknown`, with a note.
 *
 * @since 0.1.0
 */
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import * as JsonPointer from "../internal/JsonPointer.ts"
import { type Names, pascal } from "./Names.ts"
import * as Remarks from "./Remarks.ts"
import * as SchemaMerge from "./SchemaMerge.ts"
import { type Definition, type Element, type Field, type Shape, union, unknown, type Value } from "./Shape.ts"

/**
 * The definitions of a schema; the last one is the whole. Where one needs itself, each has to say its type.
 *
 * @since 0.1.0
 * @category models
 */
export interface Definitions {
  readonly all: ReadonlyArray<Definition>
  readonly isRecursive: boolean
}

/**
 * Reads a schema. Each definition takes a name, and the whole is called `name` if that is free.
 *
 * @since 0.1.0
 * @category constructors
 */
export const read = (schema: JsonObject, name: string, names: Names): Definitions => {
  const { isRecursive } = readAll(schema, name, names.copy(), false)
  // Then every object has a name of its own, so that each type is the fields of one interface or one line.
  return readAll(schema, name, names, isRecursive)
}

/** How much of a schema is read: one that refers to itself in many ways could be unrolled without end. */
const mostParts = 10_000
const deepest = 64

/** A part that has been met: `guards` is how many objects and lists were around it. */
interface Entry {
  readonly name: string
  readonly guards: number
  isOpen: boolean
}

/** Where the reader is: `notes` are those of the nearest thing that has a doc comment. */
interface Place {
  readonly notes: Array<string>
  readonly path: string
  readonly guards: number
  readonly depth: number
  /** Whether what is read here is all of a definition. */
  readonly isWhole: boolean
}

const readAll = (root: JsonObject, rootName: string, names: Names, namesAll: boolean): Definitions => {
  const all: Array<Definition> = []
  const known = new Map<string, Entry>()
  const merging = new Set<unknown>()
  let isRecursive = false
  let parts = 0

  const define = (schema: unknown, entry: Entry, place: Pick<Place, "depth" | "path">): void => {
    const doc = Remarks.of(schema)
    const shape = readShape(schema, { ...place, notes: doc.notes, guards: entry.guards, isWhole: true })
    entry.isOpen = false
    all.push({ name: entry.name, doc, shape })
  }

  const within = (place: Place, name: string): Place => ({
    ...place,
    path: `${place.path}${pascal(name)}`,
    guards: place.guards + 1,
    isWhole: false
  })

  const refuse = ({ notes }: Place, why: string): Shape => {
    notes.push(`Any value: ${why}.`)
    return unknown
  }

  const readShape = (schema: unknown, from: Place): Shape => {
    const place = { ...from, depth: from.depth + 1 }
    if (schema === true) return unknown
    if (schema === false) return { _tag: "Never" }
    if (!isObject(schema)) return refuse(place, "there is no schema")
    if (++parts > mostParts || place.depth > deepest) return refuse(place, "the schema is too large")
    const shape = readObject(schema, place)
    return schema.nullable === true ? union([shape, { _tag: "Literals", values: [null] }]) : shape
  }

  const readObject = (schema: JsonObject, place: Place): Shape => {
    if (typeof schema.$ref === "string") return readReferring(schema, schema.$ref, place)
    if (Object.hasOwn(schema, "const")) return literals([schema.const], place)
    if (Array.isArray(schema.enum)) return literals(schema.enum, place)
    if (Array.isArray(schema.allOf)) return readAllOf(schema, schema.allOf, place)
    for (const key of ["anyOf", "oneOf"] as const) {
      const members = schema[key]
      if (Array.isArray(members)) return readAnyOf(without(schema, key), members, place)
    }
    return readType(schema, place)
  }

  const readReferring = (schema: JsonObject, ref: string, place: Place): Shape => {
    const beside = without(schema, "$ref")
    if (!SchemaMerge.isShaping(without(beside, "nullable"))) return readReference(ref, place)
    return readAllOf(
      without(beside, "allOf"),
      [{ $ref: ref }, ...(Array.isArray(beside.allOf) ? beside.allOf : [])],
      place
    )
  }

  const readReference = (ref: string, place: Place): Shape => {
    const target = JsonPointer.resolve(root, ref)
    if (target === undefined) return refuse(place, `${ref} is not in the schema`)
    if (typeof target === "boolean") return readShape(target, place)
    const pointer = ref === "#/" ? "#" : ref
    const met = known.get(pointer)
    if (met?.isOpen === true) {
      // A type that is nothing but itself is none.
      if (met.guards === place.guards) return refuse(place, "the schema is defined by nothing but itself")
      isRecursive = true
    }
    if (met !== undefined) return { _tag: "Reference", name: met.name, isLater: met.isOpen }
    const path = `${rootName}${pascal(JsonPointer.lastSegment(ref))}`
    const entry: Entry = { name: names.take(path), guards: place.guards, isOpen: true }
    known.set(pointer, entry)
    define(target, entry, { depth: place.depth, path })
    return { _tag: "Reference", name: entry.name, isLater: false }
  }

  const readAllOf = (schema: JsonObject, members: ReadonlyArray<unknown>, place: Place): Shape => {
    const base = without(schema, "allOf")
    if (members.length === 1 && !SchemaMerge.isShaping(base)) return readShape(members[0], place)
    let whole: JsonObject | undefined = base
    const targets = members.map((member) => JsonPointer.follow(root, member)).filter((target) => target !== true)
    for (const target of targets) {
      whole =
        whole !== undefined && isObject(target) && !merging.has(target) ? SchemaMerge.merge(whole, target) : undefined
    }
    if (whole === undefined) return refuse(place, "all of several schemas at once")
    for (const target of targets) merging.add(target)
    const shape = readShape(whole, place)
    for (const target of targets) merging.delete(target)
    return shape
  }

  const readAnyOf = (base: JsonObject, members: ReadonlyArray<unknown>, place: Place): Shape => {
    const required = members.map(requiredAlone)
    if (required.every((fields) => fields !== undefined)) {
      place.notes.push(`Needed: ${required.map((fields) => fields.join(" and ") || "nothing more").join(", or ")}.`)
      return readShape(base, place)
    }
    const among = { ...place, isWhole: false }
    const isFree = !SchemaMerge.isShaping(base)
    return union(members.map((member) => (isFree ? readShape(member, among) : readAllOf(base, [member], among))))
  }

  const readType = (schema: JsonObject, place: Place): Shape => {
    const { type } = schema
    if (Array.isArray(type))
      return union(type.map((one) => readType({ ...schema, type: one }, { ...place, isWhole: type.length === 1 })))
    switch (type ?? impliedType(schema)) {
      case "string":
        return { _tag: "Scalar", name: "String" }
      case "number":
        return { _tag: "Scalar", name: "Number" }
      case "integer":
        return { _tag: "Scalar", name: "Int" }
      case "boolean":
        return { _tag: "Scalar", name: "Boolean" }
      case "null":
        return { _tag: "Literals", values: [null] }
      case "array":
        return readArray(schema, place)
      case "object":
        return namesAll && !place.isWhole ? named(schema, place) : readFields(schema, place)
      case undefined:
        return unknown
      default:
        return refuse(place, "its type is none that JSON has")
    }
  }

  const named = (schema: JsonObject, place: Place): Shape => {
    const entry: Entry = { name: names.take(place.path), guards: place.guards, isOpen: true }
    define(schema, entry, { depth: place.depth, path: place.path })
    return { _tag: "Reference", name: entry.name, isLater: false }
  }

  const readFields = (schema: JsonObject, place: Place): Shape => {
    const { additionalProperties: further, patternProperties } = schema
    const required = stringsIn(schema.required)
    const properties = isObject(schema.properties) ? schema.properties : {}
    const missing = required.filter((key) => !Object.hasOwn(properties, key)).map((key) => [key, true] as const)
    const fields = [...Object.entries(properties), ...missing].flatMap(([key, property]): ReadonlyArray<Field> => {
      // As a key of an object literal it would be the object's prototype.
      if (key === "__proto__") return []
      const doc = Remarks.of(property)
      const shape = readShape(property, { ...within(place, key), notes: doc.notes })
      return [{ key, shape, isOptional: !required.includes(key), doc }]
    })
    if (fields.length > 0) {
      const isOpen = further === true || isObject(further) || isObject(patternProperties)
      if (isObject(further)) place.notes.push("Further fields are checked by the server.")
      return { _tag: "Struct", fields, isOpen }
    }
    if (isObject(patternProperties)) {
      if (further !== false) return { _tag: "Dictionary", value: unknown }
      const values = Object.values(patternProperties).map((value) => readShape(value, within(place, "value")))
      return { _tag: "Dictionary", value: union(values) }
    }
    return { _tag: "Dictionary", value: further === undefined ? unknown : readShape(further, within(place, "value")) }
  }

  const readArray = (schema: JsonObject, place: Place): Shape => {
    const { items, maxItems, minItems, prefixItems } = schema
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined
    if (first === undefined) {
      return { _tag: "List", item: items === undefined ? unknown : readShape(items, within(place, "item")) }
    }
    const least = typeof minItems === "number" ? minItems : 0
    const most = typeof maxItems === "number" ? maxItems : Number.POSITIVE_INFINITY
    const elements = first.slice(0, most).map(
      (element, index): Element => ({
        shape: readShape(element, within(place, `item${index + 1}`)),
        isOptional: index >= least
      })
    )
    const further = first === prefixItems ? items : schema.additionalItems
    const isClosed = further === false || most <= first.length
    const rest = isClosed ? undefined : readShape(further ?? true, within(place, "rest"))
    return { _tag: "Tuple", elements, rest }
  }

  const entry: Entry = { name: names.take(rootName), guards: 0, isOpen: true }
  known.set("#", entry)
  define(root, entry, { depth: 0, path: rootName })
  return { all, isRecursive }
}

const literals = (values: ReadonlyArray<unknown>, { notes }: Place): Shape => {
  if (values.every(isLiteral)) return union([{ _tag: "Literals", values }])
  notes.push("Any value: some of those that are allowed are objects or lists.")
  return unknown
}

const isLiteral = (value: unknown): value is Value =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** The fields of a member that says no more than which ones have to be there. */
const requiredAlone = (member: unknown): ReadonlyArray<string> | undefined =>
  isObject(member) && Array.isArray(member.required) && !SchemaMerge.isShaping(without(member, "required"))
    ? stringsIn(member.required)
    : undefined

const impliedType = (schema: JsonObject): "object" | "array" | undefined => {
  if (["properties", "additionalProperties", "patternProperties", "required"].some((key) => Object.hasOwn(schema, key)))
    return "object"
  return ["items", "prefixItems"].some((key) => Object.hasOwn(schema, key)) ? "array" : undefined
}

const stringsIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? [...new Set(value.filter((item) => typeof item === "string"))] : []

const without = (schema: JsonObject, key: string): JsonObject => {
  const { [key]: _, ...rest } = schema
  return rest
}
