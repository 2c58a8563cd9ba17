import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isObject, type JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as ModelSchema from "../../src/tool/ModelSchema.ts"

const anthropic = (schema: JsonObject) => ModelSchema.forProvider("anthropic", schema)
const openai = (schema: JsonObject) => ModelSchema.forProvider("openai", schema)
const gemini = (schema: JsonObject) => ModelSchema.forProvider("gemini", schema)

describe("a schema that is fine", () => {
  it("keeps its meaning and is not reported", () => {
    const schema = { type: "object", properties: { q: { type: "string", format: "uri" } }, required: ["q"] }
    expect(anthropic(schema)).toEqual({ schema, notes: [] })
  })

  it("is computed once for each provider", () => {
    const schema = { type: "object" }
    expect(openai(schema)).toBe(openai(schema))
    expect(openai(schema)).not.toBe(anthropic(schema))
  })
})

describe("the root", () => {
  it("becomes an object with properties", () => {
    for (const schema of [{}, { type: "object" }, { type: ["object", "null"] }, { type: "object", properties: null }]) {
      expect(openai(schema).schema).toEqual({ type: "object", properties: {} })
    }
  })

  it("folds anyOf under its own properties and tells the requirement in words", () => {
    const { notes, schema } = anthropic({
      type: "object",
      description: "Finds a thing.",
      properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } },
      required: ["c"],
      anyOf: [{ required: ["a"] }, { required: ["b"] }]
    })
    expect(schema).toEqual({
      type: "object",
      description: "Finds a thing.\nGive one of these sets of fields: a; b.",
      properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } },
      required: ["c"]
    })
    expect(notes).toEqual(["root anyOf folded into one object"])
  })

  it("joins the branches of a union: constants become an enum, what all require stays required", () => {
    const branch = (kind: string, field: string) => ({
      type: "object",
      properties: { kind: { const: kind }, [field]: { type: "string" } },
      required: ["kind", field]
    })
    const { schema } = openai({ oneOf: [branch("file", "path"), branch("link", "url"), { type: "null" }] })
    expect(schema).toEqual({
      type: "object",
      description: 'Give one of these sets of fields: kind = "file" and path; kind = "link" and url.',
      properties: { kind: { enum: ["file", "link"] }, path: { type: "string" }, url: { type: "string" } },
      required: ["kind"]
    })
  })

  it("takes in allOf and a root reference", () => {
    const { schema } = openai({
      $ref: "#/definitions/Input",
      definitions: {
        Input: {
          allOf: [
            { properties: { a: {} }, required: ["a"] },
            { properties: { b: {} }, required: ["b"] }
          ]
        }
      }
    })
    expect(schema).toEqual({ type: "object", properties: { a: {}, b: {} }, required: ["a", "b"] })
  })

  it("that is no object makes the tool unusable", () => {
    const reason = "its input schema does not describe an object"
    for (const schema of [
      { type: "string" },
      { type: ["string", "null"] },
      { anyOf: [{ type: "string" }, { type: "number" }] },
      { allOf: [{ type: "object" }, { type: "array" }] },
      { $ref: "#/$defs/S", $defs: { S: { type: "string" } } }
    ]) {
      expect(ModelSchema.unusable(schema)).toBe(reason)
    }
    for (const schema of [{}, { type: "object" }, { anyOf: [{ type: "object" }, { type: "null" }] }, { $ref: "#" }]) {
      expect(ModelSchema.unusable(schema)).toBeUndefined()
    }
  })
})

describe("references", () => {
  it("keep their cycles, with what they reach under $defs", () => {
    const node = { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/Node" } } } }
    const schema = { type: "object", properties: { node: { $ref: "#/$defs/Node" } }, $defs: { Node: node, Unused: {} } }
    expect(anthropic(schema).schema).toEqual({ ...schema, $defs: { Node: node } })
  })

  it("outside $defs are collected there", () => {
    const { schema } = openai({ type: "object", properties: { e: { type: "string" }, r: { $ref: "#/properties/e" } } })
    expect(schema).toMatchObject({
      properties: { e: { type: "string" }, r: { $ref: "#/$defs/e" } },
      $defs: { e: { type: "string" } }
    })
  })

  it("to elsewhere, or to nothing, allow any value and are reported; nothing is fetched", () => {
    for (const $ref of ["http://127.0.0.1:9/never-fetch.json", "#/$defs/Gone", "other.json", "#anchor"]) {
      const { notes, schema } = openai({ type: "object", properties: { e: { $ref, description: "E" } } })
      expect(schema).toEqual({ type: "object", properties: { e: { description: "E" } } })
      expect(notes).toHaveLength(1)
    }
  })
})

describe("what the APIs refuse further down", () => {
  const property = (schema: unknown) =>
    (openai({ type: "object", properties: { p: schema } }).schema.properties as JsonObject).p

  it("is repaired", () => {
    expect(property(true)).toEqual({})
    expect(property(false)).toBeUndefined()
    expect(property({ type: "object" })).toEqual({ type: "object", properties: {} })
    expect(property({ type: "array" })).toEqual({ type: "array", items: {} })
    expect(property({ type: "array", items: [{ type: "string" }], additionalItems: false })).toEqual({
      type: "array",
      prefixItems: [{ type: "string" }],
      items: {}
    })
    expect(property({ type: "number", minimum: 1, exclusiveMinimum: true })).toEqual({
      type: "number",
      exclusiveMinimum: 1
    })
    expect(property({ type: "any", required: true, enum: [], pattern: "(?P<x>", title: null, minLength: "3" })).toEqual(
      {}
    )
  })

  it("`required` inside `properties` moves to its place", () => {
    expect(openai({ type: "object", properties: { coin: { type: "string" }, required: ["coin"] } }).schema).toEqual({
      type: "object",
      properties: { coin: { type: "string" } },
      required: ["coin"]
    })
  })

  it("a property called `required` is a property", () => {
    const schema = { type: "object", properties: { required: { type: "boolean" } } }
    expect(openai(schema).schema).toEqual(schema)
  })

  it("property names that Anthropic refuses are left out, and named", () => {
    const { notes, schema } = anthropic({ type: "object", properties: { "a b": {}, ok: {} }, required: ["a b", "ok"] })
    expect(schema).toEqual({ type: "object", properties: { ok: {} }, required: ["ok"] })
    expect(notes).toEqual(['property "a b" left out: the model API refuses the name'])
  })
})

describe("Gemini", () => {
  it("gets no references, const, type lists, unknown formats or additionalProperties", () => {
    const { schema } = gemini({
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      additionalProperties: false,
      properties: {
        node: { $ref: "#/$defs/Node" },
        when: { type: ["string", "null"], format: "uri" },
        kind: { const: "x" },
        level: { enum: [1, 2] },
        either: { oneOf: [{ type: "string" }, { type: "number" }, { type: "null" }] }
      },
      required: ["node", "gone"],
      $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } }
    })
    expect(schema).toEqual({
      type: "object",
      properties: {
        node: { type: "object", properties: { next: { type: "object" } } },
        when: { type: "string", nullable: true },
        kind: { type: "string", enum: ["x"] },
        level: { description: "One of: [1,2]" },
        either: { anyOf: [{ type: "string" }, { type: "number" }], nullable: true }
      },
      required: ["node"]
    })
  })
})

describe("any JSON at all", () => {
  const keyword = fc.constantFrom(
    ...["type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "enum", "const"],
    ...["if", "then", "definitions", "exclusiveMinimum", "minimum", "additionalProperties", "prefixItems", "__proto__"]
  )
  const { schema: schemaLike } = fc.letrec((tie) => ({
    schema: fc.dictionary(keyword, tie("value"), { maxKeys: 5 }),
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(
        "object",
        "string",
        "#",
        "#/$defs",
        "#/properties/items",
        "#/anyOf/0",
        "http://x/y",
        null,
        true,
        false,
        3
      ),
      fc.array(tie("value"), { maxLength: 3 }),
      tie("schema")
    )
  }))

  it("gives a root object without combinators, leaves the original alone and ends", () => {
    fc.assert(
      fc.property(schemaLike, fc.constantFrom("anthropic", "openai", "offline", "gemini"), (schema, provider) => {
        const before = JSON.stringify(schema)
        const root = ModelSchema.forProvider(provider, schema as JsonObject).schema
        expect(root.type).toBe("object")
        expect(isObject(root.properties)).toBe(true)
        for (const key of ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"]) expect(root).not.toHaveProperty(key)
        expect(JSON.stringify(schema)).toBe(before)
        ModelSchema.unusable(schema as JsonObject)
      }),
      { numRuns: 1000 }
    )
  })

  it("thousands of levels deep does not overflow the stack", () => {
    let schema: JsonObject = {}
    for (let level = 0; level < 20_000; level++) schema = { type: "object", properties: { p: schema } }
    expect(openai(schema).notes).toEqual(["nested too deeply: the innermost schemas take every value"])
  })
})
