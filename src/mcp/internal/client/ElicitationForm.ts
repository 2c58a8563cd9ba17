/**
 * The form of an `elicitation/create`, read from the flat JSON Schema that it comes as. Total: a field of a kind that is not
 * known is one for a text.
 */
import * as Elicitation from "../../Elicitation.ts"
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import * as Field from "../Field.ts"

/** Reads the params of a request in form mode. */
export const read = (params: JsonObject): Elicitation.FormRequest => {
  const schema = Field.object(params.requestedSchema) ?? {}
  const required = new Set(Field.strings(schema.required))
  const properties = Object.entries(Field.object(schema.properties) ?? {})
  return {
    message: Field.string(params.message) ?? "",
    fields: properties.map(([name, property]) => readField(name, Field.object(property) ?? {}, required.has(name)))
  }
}

const readField = (name: string, schema: JsonObject, required: boolean): Elicitation.Field => {
  const common = {
    name,
    required,
    title: Field.string(schema.title),
    description: Field.string(schema.description)
  }
  switch (schema.type) {
    case "number":
    case "integer":
      return {
        ...common,
        type: schema.type,
        minimum: Field.number(schema.minimum),
        maximum: Field.number(schema.maximum),
        default: Field.number(schema.default)
      }
    case "boolean":
      return { ...common, type: "boolean", default: Field.boolean(schema.default) }
    case "array":
      return {
        ...common,
        type: "choices",
        options: readOptions(Field.object(schema.items) ?? {}) ?? [],
        minItems: Field.number(schema.minItems),
        maxItems: Field.number(schema.maxItems),
        default: Field.strings(schema.default)
      }
  }
  const options = readOptions(schema)
  return options === undefined
    ? { ...common, ...readText(schema) }
    : { ...common, type: "choice", options, default: Field.string(schema.default) }
}

const readText = (schema: JsonObject) => ({
  type: "string" as const,
  minLength: Field.number(schema.minLength),
  maxLength: Field.number(schema.maxLength),
  format: formats.find((format) => format === schema.format),
  pattern: Field.string(schema.pattern),
  default: Field.string(schema.default)
})

const formats = ["email", "uri", "date", "date-time"] as const

/** `enum` with or without `enumNames`, or a list of constants with titles (2025-11-25). */
const readOptions = (schema: JsonObject): ReadonlyArray<Elicitation.Option> | undefined => {
  const titled = schema.oneOf ?? schema.anyOf
  if (Array.isArray(titled)) {
    return titled.flatMap((option) =>
      isObject(option) && typeof option.const === "string"
        ? [{ value: option.const, title: Field.string(option.title) ?? option.const }]
        : []
    )
  }
  const values = Field.strings(schema.enum)
  const titles = Field.strings(schema.enumNames)
  return values?.map((value, index) => ({ value, title: titles?.[index] ?? value }))
}

/** What is sent for an answer, or why it cannot be: in words. */
export const result = (
  fields: ReadonlyArray<Elicitation.Field>,
  answer: Elicitation.FormAnswer
): JsonObject | string => {
  if (answer.action !== "accept") return { action: answer.action }
  const content = Elicitation.withDefaults(fields, answer.content)
  const wrong = Object.entries(Elicitation.problems(fields, content)).map(([name, problem]) => `${name} ${problem}`)
  return wrong.length === 0 ? { action: "accept", content } : `the answer does not fit the form: ${wrong.join(", ")}`
}
