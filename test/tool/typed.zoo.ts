/**
 * Tools with every kind of schema that servers have, values that fit them, and values that do not.
 */
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import type { McpTool } from "../../src/mcp/McpSchema.ts"

export interface Specimen {
  readonly schema: JsonObject
  readonly fits: ReadonlyArray<unknown>
  readonly misfits: ReadonlyArray<unknown>
}

const object = (properties: JsonObject, ...required: ReadonlyArray<string>): JsonObject => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required })
})

export const zoo: Readonly<Record<string, Specimen>> = {
  nothing: { schema: { type: "object" }, fits: [{}, { any: 1 }], misfits: [1, null] },
  closed: {
    schema: { type: "object", properties: {}, additionalProperties: false },
    fits: [{}],
    misfits: [{ any: 1 }]
  },
  scalars: {
    schema: object(
      {
        s: { type: "string" },
        n: { type: "number" },
        i: { type: "integer" },
        b: { type: "boolean" },
        z: { type: "null" }
      },
      "s",
      "i"
    ),
    fits: [
      { s: "", i: 1 },
      { s: "x", i: 2, n: 1.5, b: false, z: null },
      { s: "x", i: 2, further: [] }
    ],
    misfits: [{}, { s: "x" }, { s: 1, i: 1 }, { s: "x", i: 1.5 }, { s: "x", i: 1, z: 0 }]
  },
  literals: {
    schema: object({
      mode: { enum: ["fast", "it's", 'a "b"', "\u202e"] },
      level: { type: "integer", enum: [1, 2, 3] },
      kind: { const: "only" },
      odd: { enum: [null, true, "x"] },
      titled: {
        oneOf: [
          { const: "a", title: "A" },
          { const: "b", title: "B" }
        ]
      }
    }),
    fits: [
      { mode: "it's", level: 3, kind: "only", odd: null, titled: "b" },
      { mode: "\u202e", odd: true }
    ],
    misfits: [{ mode: "slow" }, { level: 4 }, { kind: "other" }, { odd: false }, { titled: "c" }]
  },
  unions: {
    schema: object({
      either: { anyOf: [{ type: "string" }, { type: "number" }] },
      types: { type: ["string", "boolean", "null"] },
      nullable: { type: "string", nullable: true },
      optional: { anyOf: [object({ a: { type: "string" } }, "a"), { type: "null" }] },
      shared: {
        type: "object",
        properties: { id: { type: "string" } },
        anyOf: [object({ x: { type: "number" } }, "x"), object({ y: { type: "number" } }, "y")]
      }
    }),
    fits: [
      { either: 1, types: null, nullable: null, optional: null },
      { optional: { a: "" }, shared: { id: "1", y: 2 } }
    ],
    misfits: [
      { either: true },
      { types: 1 },
      { nullable: 1 },
      { optional: {} },
      { shared: { id: 1, y: 2 } },
      { shared: {} }
    ]
  },
  either: {
    schema: {
      ...object({ path: { type: "string" }, uri: { type: "string" } }),
      anyOf: [{ required: ["path"] }, { required: ["uri"] }]
    },
    fits: [{ path: "a" }, { uri: "b" }],
    misfits: [{ path: 1 }]
  },
  lists: {
    schema: object({
      names: { type: "array", items: { type: "string" }, minItems: 1, description: "Who" },
      any: { type: "array" },
      pair: { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], minItems: 2, maxItems: 2 },
      draft7: {
        type: "array",
        items: [{ type: "number" }, { type: "number" }],
        additionalItems: { type: "string" },
        minItems: 1
      },
      nested: { type: "array", items: { type: "array", items: object({ x: { type: "integer" } }, "x") } }
    }),
    fits: [
      { names: ["a"], any: [1, "x"], pair: [1, "a"], draft7: [1], nested: [[{ x: 1 }], []] },
      { draft7: [1, 2, "more"] }
    ],
    misfits: [
      { names: [1] },
      { pair: [1] },
      { pair: [1, "a", 2] },
      { draft7: [] },
      { draft7: [1, 2, 3] },
      { nested: [[{}]] }
    ]
  },
  records: {
    schema: object({
      counts: { type: "object", additionalProperties: { type: "integer" } },
      open: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: true },
      pattern: { type: "object", patternProperties: { "^x-": { type: "string" } }, additionalProperties: false },
      "odd key": { type: "string", description: "A key that is no identifier" }
    }),
    fits: [{ counts: { a: 1 }, open: { id: "1", more: [] }, pattern: { "x-a": "b" }, "odd key": "v" }],
    misfits: [{ counts: { a: "1" } }, { open: { more: 1 } }, { pattern: { "x-a": 1 } }, { "odd key": 1 }]
  },
  references: {
    schema: {
      ...object(
        { from: { $ref: "#/$defs/place", description: "Where it begins" }, to: { $ref: "#/$defs/place" } },
        "from"
      ),
      $defs: {
        place: { title: "A place", ...object({ lat: { type: "number" }, lon: { type: "number" } }, "lat", "lon") }
      }
    },
    fits: [{ from: { lat: 1, lon: 2 } }],
    misfits: [{}, { from: { lat: 1 } }, { from: { lat: 1, lon: 1 }, to: {} }]
  },
  recursive: {
    schema: {
      ...object({ tree: { $ref: "#/definitions/node" }, json: { $ref: "#/definitions/json" } }, "tree"),
      definitions: {
        node: object(
          {
            name: { type: "string", description: "What it is called" },
            children: { type: "array", items: { $ref: "#/definitions/node" } },
            about: object({ owner: { anyOf: [{ $ref: "#/definitions/node" }, { type: "null" }] } }),
            pair: { type: "array", prefixItems: [{ $ref: "#/definitions/node" }, { type: ["string", "null"] }] }
          },
          "name"
        ),
        json: {
          anyOf: [
            { type: ["string", "number", "boolean", "null"] },
            { type: "array", items: { $ref: "#/definitions/json" } },
            { type: "object", additionalProperties: { $ref: "#/definitions/json" } }
          ]
        }
      }
    },
    fits: [
      { tree: { name: "a", children: [{ name: "b", about: { owner: null } }] }, json: [1, { a: ["x", null] }] },
      { tree: { name: "a", about: { owner: { name: "c" } }, pair: [{ name: "d" }] } }
    ],
    misfits: [{ tree: { name: "a", children: [{}] } }, { tree: { name: "a", about: { owner: {} } } }]
  },
  itself: {
    schema: object({ next: { $ref: "#" }, value: { type: "number" } }, "value"),
    fits: [{ value: 1, next: { value: 2 } }],
    misfits: [{ value: 1, next: {} }]
  },
  mutual: {
    schema: {
      ...object({ a: { $ref: "#/$defs/a" } }),
      $defs: {
        a: { anyOf: [{ $ref: "#/$defs/b" }, { type: "string" }] },
        b: object({ a: { $ref: "#/$defs/a" }, c: { $ref: "#/$defs/c" } }),
        c: { type: "array", items: { $ref: "#/$defs/b" } }
      }
    },
    fits: [{ a: { a: "x", c: [{}, { a: { a: "y" } }] } }],
    misfits: [{ a: 1 }, { a: { c: [{ a: 1 }] } }]
  },
  together: {
    schema: {
      allOf: [object({ a: { type: "string" } }, "a"), { $ref: "#/$defs/b" }],
      $defs: { b: object({ b: { type: "number" }, a: { enum: ["x", "y"] } }, "b") }
    },
    fits: [{ a: "x", b: 1 }],
    misfits: [{ a: "x" }, { a: "z", b: 1 }]
  },
  beyond: {
    schema: object({
      not: { not: { type: "string" } },
      remote: { $ref: "https://example.com/schema.json" },
      missing: { $ref: "#/$defs/missing" },
      circle: { $ref: "#/properties/circle" },
      objects: { enum: [{ a: 1 }] },
      strange: { type: "date" },
      wrong: 7,
      both: { allOf: [{ type: "string" }, { type: "number" }] },
      yes: true,
      no: false,
      conditional: { type: "string", if: { minLength: 3 }, else: { pattern: "^a" } }
    }),
    fits: [{ not: 1, remote: {}, missing: 1, circle: 2, objects: { a: 1 }, strange: 1, wrong: 2, both: 1, yes: 1 }],
    misfits: [{ no: 1 }, { conditional: 1 }]
  },
  remarks: {
    schema: object({
      when: { type: "string", format: "date-time", description: "The day", default: "2026-01-01" },
      many: { type: "number", minimum: 1, maximum: 10, deprecated: true },
      hostile: {
        type: "string",
        description: "*/ export const stolen = 1 /*\n@deprecated `${process.exit()}`\u202e @ts-ignore"
      }
    }),
    fits: [{ when: "today", many: 11 }],
    misfits: [{ when: 1 }]
  }
}

/** A tool for each specimen, which takes it and gives it back. */
export const zooTools: ReadonlyArray<McpTool> = Object.entries(zoo).map(([name, { schema }]) => ({
  name,
  description: `Takes ${name}`,
  inputSchema: schema,
  outputSchema: schema
}))
