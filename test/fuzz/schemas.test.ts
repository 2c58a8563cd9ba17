/**
 * Whatever schema a tool has, it is judged and translated in bounded time and size, and results are checked against it or not at all.
 */
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as SchemaCheck from "../../src/mcp/internal/client/SchemaCheck.ts"
import { isObject, type JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as NullArguments from "../../src/tool/internal/NullArguments.ts"
import * as ModelSchema from "../../src/tool/ModelSchema.ts"
import { json, object, parse, runs } from "./hostile.ts"

const providers = ["anthropic", "openai", "gemini", "offline"] as const

const schema = object([
  "type",
  "properties",
  "required",
  "items",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
  "$defs",
  "enum",
  "const",
  "not"
]).map(parse) as fc.Arbitrary<JsonObject>

/** Everything that is done with a tool's schemas. */
const use = (schema: JsonObject, args: JsonObject) => {
  ModelSchema.unusable(schema)
  NullArguments.drop(schema, args)
  SchemaCheck.compile(schema)(args)
  return providers.map((provider) => ModelSchema.forProvider(provider, schema).schema)
}

it("any schema becomes one object for every API, and any value is checked against it", () => {
  fc.assert(
    fc.property(schema, json, (schema, value) => {
      const args = parse(value)
      for (const root of use(schema, isObject(args) ? args : {})) expect(root.type).toBe("object")
    }),
    runs(200)
  )
})

describe("a schema that multiplies", () => {
  const times = (count: number, make: (index: number) => unknown) =>
    Array.from({ length: count }, (_, index) => make(index))
  /** Different spellings of one name: `%70roperties`, `p%72operties`. */
  const spelled = (name: string, index: number) =>
    [...name].map((char, bit) => ((index >> bit) & 1 ? `%${char.charCodeAt(0).toString(16)}` : char)).join("")
  const levels = (count: number, level: (next: string) => unknown) =>
    Object.fromEntries(
      times(count, (index) => [`l${index}`, level(`#/$defs/l${index + 1}`)] as const) as Array<[string, unknown]>
    )

  const schemas: Readonly<Record<string, JsonObject>> = {
    "by references of combinators to itself": {
      allOf: times(50, () => ({ $ref: "#" })),
      anyOf: times(50, () => ({ $ref: "#" }))
    },
    "by choices of choices": {
      type: "object",
      properties: { x: { $ref: "#/$defs/l0" } },
      $defs: { ...levels(9, (next) => ({ anyOf: times(30, () => ({ $ref: next })) })), l9: { type: "string" } }
    },
    "by conjunctions of conjunctions": {
      allOf: [{ $ref: "#/$defs/l0" }],
      $defs: { ...levels(7, (next) => ({ allOf: times(30, () => ({ $ref: next })) })), l7: { type: "object" } }
    },
    "by properties that are all of it": {
      type: "object",
      properties: Object.fromEntries(
        times(500, (index) => [`p${index}`, { $ref: `#/${spelled("properties", index)}` }] as const) as Array<
          [string, unknown]
        >
      )
    },
    "by doubling at each level": {
      type: "object",
      properties: { x: { $ref: "#/$defs/l0" } },
      $defs: {
        ...levels(60, (next) => ({ type: "object", properties: { a: { $ref: next }, b: { $ref: next } } })),
        l60: {}
      }
    },
    "by the depth of its items": times(190, () => 0).reduce<JsonObject>((items) => ({ type: "array", items }), {})
  }

  it.each(Object.entries(schemas))("%s is done in a moment, and no larger than a model bears", (_, schema) => {
    const started = process.cpuUsage()
    for (const translated of use(schema, { x: null, p0: null }))
      expect(JSON.stringify(translated).length).toBeLessThan(4_000_000)
    const { system, user } = process.cpuUsage(started)
    expect((system + user) / 1e6).toBeLessThan(10)
  })
})
