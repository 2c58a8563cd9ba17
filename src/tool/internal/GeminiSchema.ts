/**
 * The part of JSON Schema that Gemini takes: no references, no `const`, no type lists, few formats, `properties` on objects only.
 */
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import { resolve } from "./JsonPointer.ts"

const kept = [
  ...["title", "description", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"]
]
const formats = new Set(["date-time", "enum", "int32", "int64", "float", "double"])

/** Inlining can multiply: beyond this many schemas the rest is left open. */
const maxSchemas = 2000

/** Translates a repaired schema. */
export const fromRepaired = (document: JsonObject): JsonObject => {
  let count = 0

  const translate = (schema: unknown, within: ReadonlyArray<string>): JsonObject => {
    if (!isObject(schema) || ++count > maxSchemas) return {}
    if (typeof schema.$ref === "string") {
      const { $ref, ...siblings } = schema
      const target = resolve(document, $ref as string)
      if (within.includes($ref as string) || !isObject(target)) return { type: "object", ...described(schema) }
      return translate({ ...target, ...siblings }, [...within, $ref as string])
    }
    const parts: ReadonlyArray<unknown> = Array.isArray(schema.allOf) ? [...schema.allOf, schema] : [schema]
    const merged = Object.fromEntries(parts.filter(isObject).flatMap((part) => Object.entries(part)))
    return { ...described(merged), ...typed(merged), ...members(merged, within) }
  }

  const members = (schema: JsonObject, within: ReadonlyArray<string>): JsonObject => {
    const branches = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
    const open = branches.filter((branch) => !isObject(branch) || branch.type !== "null")
    const properties = schema.type === "object" && isObject(schema.properties) ? schema.properties : undefined
    const fields = properties === undefined ? [] : Object.keys(properties)
    const required = (Array.isArray(schema.required) ? schema.required : []).filter((field) => fields.includes(field))
    return {
      ...(open.length === 0 ? undefined : { anyOf: open.map((branch) => translate(branch, within)) }),
      ...(open.length < branches.length ? { nullable: true } : undefined),
      ...(properties === undefined
        ? undefined
        : {
            properties: Object.fromEntries(
              Object.entries(properties).map(([field, value]) => [field, translate(value, within)])
            )
          }),
      ...(required.length === 0 ? undefined : { required }),
      ...(schema.type === "array" ? { items: translate(schema.items, within) } : undefined)
    }
  }

  return translate(document, [])
}

const described = (schema: JsonObject): JsonObject => {
  const values = Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : undefined
  const texts = values?.filter((value) => typeof value === "string")
  return {
    ...Object.fromEntries(kept.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]]))),
    ...(typeof schema.format === "string" && formats.has(schema.format) ? { format: schema.format } : undefined),
    ...(values === undefined
      ? undefined
      : values.length > 0 && texts?.length === values.length
        ? { type: "string", enum: values }
        : { description: [schema.description, `One of: ${JSON.stringify(values)}`].filter(Boolean).join("\n") })
  }
}

const typed = ({ type }: JsonObject): JsonObject => {
  if (!Array.isArray(type)) return type === undefined ? {} : { type }
  const [first, ...rest] = type.filter((name) => name !== "null")
  return {
    ...(first === undefined
      ? undefined
      : rest.length === 0
        ? { type: first }
        : { anyOf: [first, ...rest].map((name) => ({ type: name })) }),
    ...(type.includes("null") ? { nullable: true } : undefined)
  }
}
