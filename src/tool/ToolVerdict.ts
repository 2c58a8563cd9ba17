/**
 * What becomes of a server's tool on its way to a model: its name, what its schema had to be changed for, its size.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as ToolName from "../mcp/ToolName.ts"
import * as ModelSchema from "./ModelSchema.ts"
import type { Tool } from "./Tool.ts"
import type { ToolSet } from "./ToolRegistry.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/**
 * @since 0.1.0
 * @category schemas
 */
export const ToolVerdict = Schema.Struct({
  /** The server's own name for it. */
  tool: Schema.String,
  /** Its name here. */
  name: Schema.String,
  /** What a model's API is given, where that differs. */
  modelName: optional(Schema.String),
  /** Why it is not offered. */
  skipped: optional(Schema.String),
  /** It is held back only until a person accepts it. */
  quarantined: optional(Schema.Literal(true)),
  /** What had to be changed in the input schema, and for whose API. */
  repairs: Schema.Array(Schema.Struct({ note: Schema.String, providers: Schema.Array(Schema.String) })),
  /** Characters; a model reads them in each turn. */
  descriptionLength: Schema.Number,
  schemaLength: Schema.Number
})

/**
 * @since 0.1.0
 * @category models
 */
export type ToolVerdict = typeof ToolVerdict.Type

/**
 * A verdict on each tool of a server, in the order of the set.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofServer = (set: ToolSet, server: string): ReadonlyArray<ToolVerdict> =>
  [...set.tools.map((tool) => ({ tool, reason: undefined })), ...set.skipped].flatMap(({ reason, tool }) =>
    tool.origin._tag === "Mcp" && tool.origin.server === server ? [make(tool, tool.origin.tool, reason)] : []
  )

const make = (
  { description, inputSchema, name, withheld }: Tool,
  tool: string,
  skipped: string | undefined
): ToolVerdict => {
  const modelName = ToolName.forModel(name)
  return {
    tool,
    name,
    ...(modelName !== name && { modelName }),
    ...(skipped !== undefined && { skipped }),
    ...(withheld !== undefined && { quarantined: true as const }),
    repairs: repairs(inputSchema),
    descriptionLength: description.length,
    schemaLength: JSON.stringify(inputSchema).length
  }
}

const providers = ["anthropic", "openai", "gemini"] as const

/** Each change once, with the providers that need it. */
const repairs = (schema: Tool["inputSchema"]): ToolVerdict["repairs"] => {
  const byNote = new Map<string, ReadonlyArray<string>>()
  for (const provider of providers) {
    for (const note of ModelSchema.forProvider(provider, schema).notes) {
      byNote.set(note, [...(byNote.get(note) ?? []), provider])
    }
  }
  return [...byNote].map(([note, needing]) => ({ note, providers: needing }))
}
