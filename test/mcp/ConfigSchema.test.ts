import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Ajv } from "ajv"
import * as Jsonc from "jsonc-parser"
import * as JsonSchema from "../../src/mcp/internal/config/JsonSchema.ts"
import { isObject, type JsonObject } from "../../src/mcp/JsonRpc.ts"

const root = new URL("../../", import.meta.url)

const read = (path: string) => readFileSync(new URL(path, root), "utf8")

const accepts = new Ajv({ strict: false }).compile(JsonSchema.make())

const acceptsEntry = (entry: unknown) => accepts({ mcpServers: { it: entry } })

/** The properties of all objects of a schema that have no description, by their path. */
const undescribed = (schema: unknown, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap((part) => undescribed(part, path))
  if (!isObject(schema)) return []
  const properties = isObject(schema.properties) ? schema.properties : {}
  return [
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...(isObject(property) && typeof property.description === "string" ? [] : [`${path}/${name}`]),
      ...undescribed(property, `${path}/${name}`)
    ]),
    ...undescribed(schema.additionalProperties, path),
    ...undescribed(schema.anyOf, path)
  ]
}

describe("the JSON Schema of .mcp.json", () => {
  it("is current: npm run schema writes it", () => {
    expect(read("schema/mcp.schema.json")).toBe(`${JSON.stringify(JsonSchema.make(), null, 2)}\n`)
  })

  it("accepts the example, which refers to it", () => {
    const example: JsonObject = Jsonc.parse(read(".mcp.json.example"))
    expect(accepts(example)).toBe(true)
    expect(read(String(example.$schema))).toBe(read("schema/mcp.schema.json"))
  })

  it("describes every field", () => {
    expect(undescribed(JsonSchema.make())).toEqual([])
  })

  it("knows what other hosts write", () => {
    expect(acceptsEntry({ httpUrl: "https://x/mcp", transport: "streamable-http" })).toBe(true)
    expect(acceptsEntry({ transport: { type: "stdio", command: "x" } })).toBe(true)
    expect(acceptsEntry({ type: "local", command: ["x", "y"], env: ["A=1"], timeout: "90s" })).toBe(true)
  })

  it("marks what the reader would not take", () => {
    for (const entry of [
      { command: 5 },
      { command: "x", disabled: "yes" },
      { comand: "x" },
      { type: "ws", url: "x" }
    ]) {
      expect(acceptsEntry(entry)).toBe(false)
    }
    expect(accepts({ mcpServer: {} })).toBe(false)
  })

  it("is part of the package", () => {
    const { exports, files } = JSON.parse(read("package.json"))
    expect(files).toContain("schema")
    expect(exports["./schema/mcp.schema.json"]).toBe("./schema/mcp.schema.json")
  })
})
