/**
 * G. Schemas: what servers write, and what the APIs of models take.
 */
import { createServer } from "node:http"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { CurrentModel } from "../../src/engine/model/ModelInfo.ts"
import { isObject, type JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as ModelSchema from "../../src/tool/ModelSchema.ts"
import { collect, engine, only } from "../engine/fixture.ts"
import { fault } from "./fault.ts"
import { living, registryOf, registryOfServer, scripted, stdio } from "./living.ts"

const unit = ["test/tool/ModelSchema.test.ts"]

const providers = ["anthropic", "openai", "gemini", "offline"] as const

const forProvider = (provider: ModelSchema.Provider, schema: JsonObject) =>
  ModelSchema.forProvider(provider, schema).schema

/** Every object of a schema, itself included. */
const within = (value: unknown): ReadonlyArray<JsonObject> => {
  if (Array.isArray(value)) return value.flatMap(within)
  return isObject(value) ? [value, ...Object.values(value).flatMap(within)] : []
}

const combinators = ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"]

/** A server whose tools have these schemas, beside one good tool. */
const offering = (schemas: Readonly<Record<string, unknown>>) =>
  TestServer.make({
    methods: {
      "tools/list": () => ({
        tools: Object.entries({ ...schemas, good: { type: "object", properties: { q: { type: "string" } } } }).map(
          ([name, inputSchema]) => ({ name, inputSchema })
        )
      }),
      "tools/call": ({ name }) => ({ content: [{ type: "text", text: String(name) }] })
    }
  })

fault(
  53,
  "Each tool's schema is judged by itself: repaired, or the tool is set aside with the reason; its neighbours are offered",
  () => {
    it.scoped("whatever the neighbour's schema is, the good tool is offered and works", () =>
      Effect.gen(function* () {
        const schemas = fc.sample(
          fc.oneof(
            fc.jsonValue(),
            fc.record({
              type: fc.jsonValue(),
              properties: fc.jsonValue(),
              required: fc.jsonValue(),
              anyOf: fc.jsonValue()
            })
          ),
          { numRuns: 150, seed: 7 }
        )
        const odd = Object.fromEntries(schemas.map((schema, index) => [`odd${index}`, schema]))
        const registry = yield* registryOfServer(offering(odd))
        const { byName, skipped, tools } = yield* registry.snapshot
        expect(byName.has("mcp__it__good")).toBe(true)
        expect((yield* registry.execute("mcp__it__good", { q: "x" })).text).toBe("good")
        for (const { reason } of skipped) expect(reason).toMatch(/schema/)
        for (const { inputSchema } of tools) {
          for (const provider of providers) expect(forProvider(provider, inputSchema).type).toBe("object")
        }
      })
    )

    it.scopedLive("seventeen entries of one server: what can be used is, and the rest is named", () =>
      Effect.gen(function* () {
        const manager = yield* living([stdio("bad-schemas")])
        const registry = yield* registryOf(manager)
        const { byName, skipped } = yield* registry.snapshot
        for (const name of ["good1", "good2", "good3", ...Array.from({ length: 8 }, (_, n) => `fix${n + 1}`)]) {
          expect((yield* registry.execute(`mcp__bad_schemas__${name}`, {})).text).toBe(name)
        }
        expect(skipped.map(({ tool }) => tool.name)).toEqual(["mcp__bad_schemas__bad_type"])
        const { warnings } = yield* manager.client("bad-schemas")
        expect(byName.size + skipped.length + (yield* warnings).length).toBe(17)
      })
    )
  },
  { see: unit }
)

fault(
  54,
  "References stay within the tool: cycles end, pointers to anywhere in the schema are followed, nothing is ever fetched, an outputSchema that nobody can read costs nothing",
  () => {
    it("no reference of any kind loops, throws or leaves the document", () => {
      const target = fc.constantFrom(
        "#",
        "#/$defs/a",
        "#/$defs/b",
        "#/properties/p",
        "#/definitions/x%20y",
        "#/nowhere",
        "#anchor",
        "other.json",
        "http://127.0.0.1:9/x",
        ""
      )
      const reference = target.map(($ref) => ({ $ref }))
      const schema = fc.record({
        type: fc.constant("object"),
        properties: fc.record({ p: reference, q: fc.record({ type: fc.constant("array"), items: reference }) }),
        $defs: fc.record({
          a: reference,
          b: fc.record({ type: fc.constant("object"), properties: fc.record({ next: reference }) })
        }),
        definitions: fc.record({ "x y": fc.constant({ type: "string" }) })
      })
      fc.assert(
        fc.property(schema, fc.constantFrom(...providers), (document, provider) => {
          const made = forProvider(provider, document)
          expect(JSON.parse(JSON.stringify(made))).toEqual(made)
          for (const { $ref } of within(made)) if (typeof $ref === "string") expect($ref).toMatch(/^#/)
          if (provider === "gemini") expect(within(made).filter((part) => "$ref" in part)).toEqual([])
        })
      )
    })

    it.scopedLive("an address in a schema is not visited", () =>
      Effect.gen(function* () {
        let visits = 0
        const server = yield* Effect.acquireRelease(
          Effect.async<ReturnType<typeof createServer>>((resume) => {
            const server = createServer((_, response) => {
              visits++
              response.end("{}")
            }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.sync(() => server.close())
        )
        const address = server.address()
        const $ref = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/schema.json`
        const registry = yield* registryOfServer(
          TestServer.make({
            tools: {
              t: {
                inputSchema: { type: "object", properties: { p: { $ref } } },
                outputSchema: { $ref },
                handler: () => ({ structuredContent: { n: 1 } })
              }
            }
          })
        )
        for (const { inputSchema } of (yield* registry.snapshot).tools)
          for (const provider of providers) forProvider(provider, inputSchema)
        expect((yield* registry.execute("mcp__it__t", {})).isError).toBe(false)
        expect(visits).toBe(0)
      })
    )

    it.scoped("an output schema of any kind leaves the tool usable", () =>
      Effect.gen(function* () {
        for (const outputSchema of [
          { $ref: "#/$defs/Gone" },
          { $ref: "#" },
          { type: "nonsense" },
          { pattern: "(" },
          {}
        ]) {
          const registry = yield* registryOfServer(
            TestServer.make({ tools: { t: { outputSchema, handler: () => ({ structuredContent: { n: 1 } }) } } })
          )
          expect(yield* registry.execute("mcp__it__t", {})).toMatchObject({ isError: false, text: '{"n":1}' })
        }
      })
    )
  },
  { see: unit }
)

fault(
  64,
  "A root combinator becomes one root object: the properties of all branches, and the requirement in words",
  () => {
    it("no combinator is left at the root, no property is lost, for any API", () => {
      const branch = fc.dictionary(
        fc.stringMatching(/^[a-z]{1,3}$/),
        fc.constantFrom({ type: "string" }, { type: "integer" }),
        { maxKeys: 3 }
      )
      const schema = fc.tuple(
        fc.constantFrom("anyOf", "oneOf", "allOf"),
        fc.array(branch, { minLength: 1, maxLength: 4 }),
        fc.boolean()
      )
      fc.assert(
        fc.property(schema, fc.constantFrom(...providers), ([key, branches, typed], provider) => {
          const made = forProvider(provider, {
            ...(typed ? { type: "object" } : {}),
            [key]: branches.map((properties) => ({ type: "object", properties }))
          })
          expect(made.type).toBe("object")
          for (const combinator of combinators) expect(made).not.toHaveProperty(combinator)
          const names = new Set(branches.flatMap((properties) => Object.keys(properties)))
          expect(new Set(Object.keys(isObject(made.properties) ? made.properties : {}))).toEqual(names)
        })
      )
    })

    it("what the branches require is told", () => {
      const properties = { a: { type: "string" }, b: { type: "string" } }
      const { description } = forProvider("anthropic", {
        type: "object",
        properties,
        anyOf: [{ required: ["a"] }, { required: ["b"] }]
      })
      expect(description).toMatch(/a.*b/s)
    })
  },
  { see: unit }
)

fault(
  65,
  "An object without properties gets some: an empty set",
  () => {
    it("at the root, whatever else is missing", () => {
      for (const schema of [
        {},
        { type: "object" },
        { type: "object", properties: null },
        { type: ["object", "null"] },
        { properties: [] }
      ]) {
        for (const provider of providers)
          expect(forProvider(provider, schema)).toMatchObject({ type: "object", properties: {} })
      }
    })

    it.scoped("a tool without any schema can be called", () =>
      Effect.gen(function* () {
        const registry = yield* registryOfServer(offering({ none: undefined, null: null, empty: {} }))
        for (const name of ["none", "null", "empty"])
          expect((yield* registry.execute(`mcp__it__${name}`, {})).text).toBe(name)
      })
    )
  },
  { see: unit }
)

fault(
  66,
  "Each API gets what it takes, made from a copy: the server's own schema stays for the server",
  () => {
    const forbidden = ["$schema", "additionalProperties", "exclusiveMinimum", "const", "$ref", "$defs", "definitions"]
    const schema = fc.record(
      {
        $schema: fc.constant("http://json-schema.org/draft-07/schema#"),
        type: fc.constant("object"),
        additionalProperties: fc.constantFrom(false, true, {}),
        properties: fc.dictionary(
          fc.stringMatching(/^[a-z]{1,5}$/),
          fc.record(
            {
              type: fc.constantFrom("string", "integer", ["string", "null"], ["integer", "string"]),
              format: fc.constantFrom("uri", "date-time", "uuid", "x"),
              const: fc.constantFrom("a", 1),
              exclusiveMinimum: fc.integer(),
              items: fc.constant({ type: "string" })
            },
            { requiredKeys: ["type"] }
          )
        )
      },
      { requiredKeys: ["type", "properties"] }
    )

    it("Gemini gets none of the words that it refuses, and the original does not change", () => {
      fc.assert(
        fc.property(schema, (document) => {
          const before = JSON.stringify(document)
          const made = forProvider("gemini", document)
          expect(Object.keys(isObject(made.properties) ? made.properties : {}).sort()).toEqual(
            Object.keys(document.properties).sort()
          )
          const parts = [made, ...Object.values(isObject(made.properties) ? made.properties : {})]
          for (const part of parts) for (const word of forbidden) expect(part).not.toHaveProperty(word)
          for (const { type } of within(made))
            if (type !== undefined && !isObject(type)) expect(typeof type).toBe("string")
          expect(JSON.stringify(document)).toBe(before)
        })
      )
    })
  },
  { see: [...unit, "test/engine/Engine.test.ts"] }
)

fault(
  67,
  "What a model's API can take is a bound: the first tools in the registry's order are offered, and it is said what is left out; an entry can choose its tools",
  () => {
    it.scoped("three hundred tools: the same first ones in every run, and a notice", () =>
      Effect.gen(function* () {
        const many = (server: string) =>
          TestServer.make({
            tools: Object.fromEntries(
              Array.from({ length: 100 }, (_, index) => [`${server}${index}`, { handler: () => "ok" }])
            )
          })
        const manager = yield* scripted({ c: many("c"), a: many("a"), b: many("b") })
        yield* manager.start
        const registry = yield* registryOf(manager)
        const ask = Effect.gen(function* () {
          const script = ScriptedModel.make([ScriptedModel.text("ok")])
          const model = Layer.merge(
            script.layer,
            Layer.succeed(CurrentModel, { provider: "openai", model: "x", maxTools: 128 })
          )
          const events = yield* collect((yield* engine({ model, registry })).run("go"))
          return { offered: script.asked[0]?.tools ?? [], notices: only(events, "Notice") }
        })
        const first = yield* ask
        expect(first.offered).toHaveLength(128)
        expect(first.offered[0]).toBe("mcp__a__a0")
        expect(first.notices).toMatchObject([{ message: expect.stringContaining("128 of 300 tools") }])
        expect(yield* ask).toEqual(first)
      })
    )

    it.scoped("includeTools and excludeTools choose, and excludeTools wins", () =>
      Effect.gen(function* () {
        const server = TestServer.make({
          tools: Object.fromEntries(
            ["get_a", "get_b", "get_secret", "set_a"].map((name) => [name, { handler: () => "ok" }])
          )
        })
        const entry = { includeTools: ["get_*"], excludeTools: ["*secret*"] }
        const manager = yield* scripted({ it: server }, {}, { it: entry })
        yield* manager.start
        const { tools } = yield* (yield* registryOf(manager)).snapshot
        expect(tools.map(({ name }) => name)).toEqual(["mcp__it__get_a", "mcp__it__get_b"])
      })
    )
  },
  { see: ["test/engine/Engine.test.ts", "test/mcp/McpManager.test.ts"] }
)
