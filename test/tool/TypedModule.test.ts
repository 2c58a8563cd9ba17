import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { transformSync } from "esbuild"
import * as fc from "fast-check"
import type { McpTool } from "../../src/mcp/McpSchema.ts"
import * as ToolDrift from "../../src/tool/ToolDrift.ts"
import * as TypedModule from "../../src/tool/typed/TypedModule.ts"
import { zoo, zooTools } from "./typed.zoo.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Runs a module, with functions that tell what they were made of. */
const evaluate = (text: string): Readonly<Record<string, unknown>> => {
  const { code } = transformSync(text, { loader: "ts", format: "cjs" })
  const module = { exports: {} }
  const told = (options: unknown) => options
  const require = (name: string) => (name === "harness9" ? { TypedTool: { make: told, structured: told } } : Schema)
  new Function("module", "require", code)(module, require)
  return module.exports
}

const tool = (name: string, more: Partial<McpTool> = {}): McpTool => ({
  name,
  description: "",
  inputSchema: { type: "object" },
  ...more
})

const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^export const (\w+)/gm)].map(([, name = ""]) => name)

describe("a typed module", () => {
  const text = TypedModule.write("zoo", zooTools)
  const exports = evaluate(text)

  it.each(Object.entries(zoo))(
    "has a schema of %s that takes what fits and nothing else",
    (name, { fits, misfits }) => {
      const { input } = exports[name] as { readonly input: Schema.Schema<unknown> }
      const decode = Schema.decodeUnknownEither(input)
      for (const value of fits) expect([value, Either.isRight(decode(value))]).toEqual([value, true])
      for (const value of misfits) expect([value, Either.isRight(decode(value))]).toEqual([value, false])
    }
  )

  it("is as the formatter would leave it", () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ["node_modules/@biomejs/biome/bin/biome", "format", "--stdin-file-path=src/zoo.ts"],
      { cwd: root, input: text, encoding: "utf8" }
    )
    expect(status).toBe(0)
    expect(text).toBe(stdout)
  })

  it("is the same in whatever order the tools are listed", () => {
    expect(TypedModule.write("zoo", zooTools.toReversed())).toBe(text)
  })

  it("says in comments what no type says", () => {
    expect(text).toContain('/** The day. Default: "2026-01-01". The server asks for: format "date-time". */')
    expect(text).toContain("/** Deprecated. The server asks for: minimum 1, maximum 10. */")
    expect(text).toMatch(
      /Any value: #\/\$defs\/missing is not in the schema\. \*\/\n +missing: Schema.optional\(Schema.Unknown\)/
    )
    expect(text).toContain("/** No type says: if, else. */")
    expect(text).toContain("/** Needed: path, or uri. */")
  })

  it("keeps a server's words in their comment, on their line and in sight", () => {
    expect(Object.keys(exports)).not.toContain("stolen")
    expect(text).toContain("*\\/ export const stolen = 1 /* \\@deprecated `${process.exit()}`\\u{202e} \\@ts-ignore")
    expect(text).not.toMatch(/[\u202e\u2028]/)
  })

  it("has safe names, each of them once", () => {
    const names = [
      "delete",
      "get-sum",
      "get_sum",
      "getSum",
      "GET_user",
      "3d",
      "",
      "日本",
      "server",
      "Schema",
      "constructor"
    ]
    const exported = namesIn(
      TypedModule.write(
        "it",
        names.map((name) => tool(name))
      )
    )
    expect(new Set(exported).size).toBe(names.length * 2)
    expect(exported).toEqual(
      expect.arrayContaining(["delete2", "getSum", "getSum2", "getSum3", "getUser", "n3d", "unnamed", "server2"])
    )
  })

  it("is a module even without tools", () => {
    expect(evaluate(TypedModule.write("empty", []))).toEqual({})
  })

  it("knows what it was written from, and so what has changed", () => {
    const locked = TypedModule.read(text)
    expect(locked).toBeDefined()
    expect(ToolDrift.between(locked ?? new Map(), zooTools)).toEqual([])
    const other = tool("scalars", { inputSchema: { type: "object", properties: { s: { type: "number" } } } })
    expect(ToolDrift.between(locked ?? new Map(), [other]).find(({ kind }) => kind === "changed")).toMatchObject({
      tool: "scalars",
      differences: expect.arrayContaining([
        { field: "inputSchema.properties.s.type", before: "string", after: "number" }
      ])
    })
    expect(TypedModule.read("export const mine = 1\n")).toBeUndefined()
  })

  it("can be written of anything: it exports what it should, and reads back", () => {
    const words = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("*/", "//", "`", "${1}", "\n", "__proto__", "\\")
    )
    const text = fc.array(words, { maxLength: 4 }).map((parts) => parts.join(""))
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(
          { type: "string" },
          { type: ["integer", "null"] },
          { $ref: "#" },
          { $ref: "#/properties/a" },
          true,
          1
        ),
        fc.record({ enum: fc.array(fc.oneof(text, fc.integer(), fc.constant(null))), description: text }),
        fc.record({ type: fc.constant("array"), items: tie("schema") }),
        fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }),
        fc.record({ allOf: fc.array(tie("schema"), { maxLength: 3 }) }),
        fc.record({ properties: fc.dictionary(fc.oneof(text, fc.constant("a")), tie("schema")), description: text })
      )
    }))
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, schema), { maxLength: 4 }), text, (given, server) => {
        const tools = given.map(([name, description, inner]) =>
          tool(name, { description, inputSchema: { type: "object", properties: { a: inner } } })
        )
        const module = TypedModule.write(server, tools)
        const distinct = new Map(tools.map((tool) => [tool.name, tool]))
        const made = Object.values(evaluate(module)).filter((made) => !Schema.isSchema(made))
        expect(made.map((made) => (made as { tool: string }).tool).sort()).toEqual([...distinct.keys()].sort())
        expect(ToolDrift.between(TypedModule.read(module) ?? new Map(), [...distinct.values()])).toEqual([])
      }),
      { numRuns: 300 }
    )
  })
})
