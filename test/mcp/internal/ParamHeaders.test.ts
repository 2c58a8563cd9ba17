import { describe, expect, it } from "@effect/vitest"
import * as ParamHeaders from "../../../src/mcp/internal/client/ParamHeaders.ts"

const annotated = (name: unknown, more = {}) => ({ type: "string", "x-mcp-header": name, ...more })
const schema = (properties: object) => ({ type: "object", properties })

describe("annotations that break no rule", () => {
  const params = ParamHeaders.read(
    schema({
      region: annotated("Region"),
      where: schema({ zone: annotated("Zone"), count: annotated("Count", { type: "integer" }) }),
      plain: { type: "string", default: { "x-mcp-header": "not an annotation" } },
      properties: { type: "string" }
    })
  )

  it("are found, however deep", () => {
    expect(params).toEqual([
      { path: ["region"], header: "mcp-param-region" },
      { path: ["where", "zone"], header: "mcp-param-zone" },
      { path: ["where", "count"], header: "mcp-param-count" }
    ])
  })

  it("make headers of the arguments that are there", () => {
    const of = (args: object) => ParamHeaders.of(Array.isArray(params) ? params : [], { ...args })
    expect(of({ region: "eu", where: { zone: " ä", count: 7 } })).toEqual({
      "mcp-param-region": "eu",
      "mcp-param-zone": "=?base64?IMOk?=",
      "mcp-param-count": "7"
    })
    expect(of({ region: null, where: { count: false } })).toEqual({ "mcp-param-count": "false" })
    expect(of({ region: { a: 1 }, where: "no object" })).toEqual({})
    expect(of({ region: "a\r\nx-evil: 1" })["mcp-param-region"]).not.toContain("\n")
  })
})

describe("annotations that break a rule", () => {
  for (const [what, properties] of Object.entries({
    "an empty name": { a: annotated("") },
    "no text for a name": { a: annotated(7) },
    "a name with a space": { a: annotated("My Region") },
    "a name with a line end": { a: annotated("a\nb") },
    "a name that is there twice": { a: annotated("X"), b: annotated("x") },
    "a number": { a: annotated("X", { type: "number" }) },
    "an object": { a: annotated("X", { type: "object" }) },
    "several types": { a: annotated("X", { type: ["string", "null"] }) },
    "the items of a list": { a: { type: "array", items: annotated("X") } },
    "one of several schemas": { a: { anyOf: [annotated("X")] } },
    "a definition": { a: { $defs: { b: annotated("X") } } }
  })) {
    it(`${what} make the tool unusable`, () => {
      expect(ParamHeaders.read(schema(properties))).toContain("x-mcp-header")
    })
  }
})
