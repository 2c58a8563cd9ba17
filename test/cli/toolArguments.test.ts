import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { parse } from "../../src/cli/toolArguments.ts"

const schema = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer" },
    ratio: { type: "number" },
    on: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    sizes: { type: "array", items: { type: "integer" } },
    any: {},
    maybe: { type: ["string", "null"] },
    either: { anyOf: [{ type: "integer" }, { type: "string" }] },
    nested: { $ref: "#/$defs/point" },
    mode: { enum: ["a", 1, true] }
  },
  $defs: { point: { type: "object" } }
}

const result = (pairs: ReadonlyArray<string>, json?: string, root = schema as object) =>
  Either.match(parse(pairs, json, root as never), {
    onLeft: ({ hint, message }) => ({ message, ...(hint === undefined ? {} : { hint }) }),
    onRight: (value) => value
  })

describe("the arguments of a tool call", () => {
  it.each([
    ["text=5", { text: "5" }],
    ["text=a=b", { text: "a=b" }],
    ["text=", { text: "" }],
    ["count=5", { count: 5 }],
    ["ratio=-1.5e3", { ratio: -1500 }],
    ["ratio=2", { ratio: 2 }],
    ["on=false", { on: false }],
    ["tags=one", { tags: ["one"] }],
    ['tags=["one","two"]', { tags: ["one", "two"] }],
    ["any=5", { any: 5 }],
    ["any=five", { any: "five" }],
    ["maybe=null", { maybe: null }],
    ["maybe=5", { maybe: "5" }],
    ["either=5", { either: 5 }],
    ["either=12345678901234567890", { either: "12345678901234567890" }],
    ["either=x", { either: "x" }],
    ['nested={"x":1}', { nested: { x: 1 } }],
    ["mode=1", { mode: 1 }],
    ["mode=a", { mode: "a" }],
    ["other=true", { other: true }],
    ["__proto__=x", Object.fromEntries([["__proto__", "x"]])]
  ])("%s is %j", (pair, expected) => {
    expect(result([pair])).toEqual(expected)
  })

  it("makes a list of a key that is given several times", () => {
    expect(result(["sizes=1", "sizes=2", "any=x", "any=3"])).toEqual({ sizes: [1, 2], any: ["x", 3] })
  })

  it("puts pairs over the whole object", () => {
    expect(result(["count=2"], '{"count":1,"text":"t"}')).toEqual({ count: 2, text: "t" })
  })

  it.each([
    [["count=five"], undefined, 'count: "five" is no integer'],
    [["count=1.5"], undefined, 'count: "1.5" is no integer'],
    [["sizes=a"], undefined, 'sizes: "a" is no integer'],
    [["on=1", "on=2"], undefined, "on is given 2 times and takes one boolean"],
    [["text"], undefined, '"text" is no key=value'],
    [["=x"], undefined, '"=x" is no key=value'],
    [[], "[1]", "--args must be a JSON object"]
  ])("%j with %j is refused: %s", (pairs, json, message) => {
    expect(result(pairs, json)).toMatchObject({ message })
  })

  it("says where a JSON text breaks", () => {
    expect(result([], "{a}")).toMatchObject({ message: expect.stringContaining("--args is no JSON: ") })
  })

  it("names the argument that was meant, when the tool takes no others", () => {
    const closed = { ...schema, additionalProperties: false }
    expect(result(["cuont=1"], undefined, closed)).toEqual({
      message: 'the tool has no argument "cuont"',
      hint: "did you mean count?"
    })
  })

  it("ends on a schema that refers to itself", () => {
    const looped = { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/a" } } }
    expect(result(["a=1"], undefined, looped)).toEqual({ a: 1 })
  })
})
