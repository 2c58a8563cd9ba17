/**
 * What a JSON Schema says of a value beside its type: in words, for a person.
 */
import type { JsonObject } from "../../mcp/JsonRpc.ts"
import type { Doc } from "./Shape.ts"

/** The description of a schema, what it is by default, and the rules that only the server keeps. */
export const of = (schema: unknown): { readonly description: string | undefined; readonly notes: Array<string> } => {
  if (typeof schema !== "object" || schema === null) return { description: undefined, notes: [] }
  const { default: preset, deprecated, description, title } = schema as JsonObject
  const rules = ruleKeys.flatMap((key) => {
    const value = own(schema as JsonObject, key)
    return value === undefined ? [] : [`${key} ${JSON.stringify(value)}`]
  })
  const unexpressed = unexpressible.filter((key) => own(schema as JsonObject, key) !== undefined)
  return {
    description: [description, title].find((text): text is string => typeof text === "string" && text.trim() !== ""),
    notes: [
      ...(preset === undefined ? [] : [`Default: ${JSON.stringify(preset)}.`]),
      ...(deprecated === true ? ["Deprecated."] : []),
      ...(rules.length === 0 ? [] : [`The server asks for: ${rules.join(", ")}.`]),
      ...(unexpressed.length === 0 ? [] : [`No type says: ${unexpressed.join(", ")}.`])
    ]
  }
}

/** Everything as one text. */
export const text = ({ description, notes }: Doc): string => {
  const remarks = [...new Set(notes)].join(" ")
  if (description === undefined || remarks === "") return description ?? remarks
  return `${description.trimEnd().replace(/(?<=[\p{L}\p{N})"'`])$/u, ".")} ${remarks}`
}

const own = (schema: JsonObject, key: string): unknown => (Object.hasOwn(schema, key) ? schema[key] : undefined)

const ruleKeys =
  "format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems minProperties maxProperties".split(
    " "
  )

const unexpressible =
  "not if then else dependentRequired dependentSchemas dependencies contains propertyNames patternProperties unevaluatedProperties unevaluatedItems $dynamicRef".split(
    " "
  )
