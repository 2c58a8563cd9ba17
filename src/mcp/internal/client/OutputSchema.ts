/**
 * Structured results held against the `outputSchema` of their tool. What does not fit is said on the result, which stays as
 * usable as it was; a schema that cannot be used is said once. Nothing is loaded or compiled before a tool with a schema has
 * answered.
 */
import * as Effect from "effect/Effect"
import type { JsonObject } from "../../JsonRpc.ts"
import type { McpTool, ToolCallResult } from "../../McpSchema.ts"
import type * as SchemaCheck from "./SchemaCheck.ts"

export interface OutputSchema {
  /** The tools are these now. */
  readonly listed: (tools: ReadonlyArray<McpTool>) => void
  /** The result of a call, checked if the tool has a schema. */
  readonly checked: <E>(tool: string, result: Effect.Effect<ToolCallResult, E>) => Effect.Effect<ToolCallResult, E>
}

export interface Options {
  /** Told of a schema that cannot be used. */
  readonly warn: (subject: string, warnings: ReadonlyArray<string>) => void
}

/** A schema, what checks it once it was needed, and whether it has been given up. */
interface Entry {
  readonly schema: JsonObject
  check?: SchemaCheck.Check
  unusable?: boolean
}

export const make = ({ warn }: Options): OutputSchema => {
  let entries = new Map<string, Entry>()

  /** What is to be said of the result. */
  const warnings = (
    tool: string,
    entry: Entry,
    value: unknown,
    { compile }: typeof SchemaCheck
  ): string | undefined => {
    if (entry.unusable === true) return undefined
    if (value === undefined) return "the tool has an outputSchema and gave no structured content"
    entry.check ??= compile(entry.schema)
    const finding = entry.check(value)
    switch (finding._tag) {
      case "Fits":
        return undefined
      case "Misfit":
        return `the structured content does not fit the tool's outputSchema: ${finding.reason}`
      case "Unusable": {
        entry.unusable = true
        const warning = `the outputSchema of "${tool}" cannot be used: ${finding.reason}`
        warn(`outputSchema ${tool}`, [warning])
        return warning
      }
    }
  }

  return {
    listed: (tools) => {
      entries = new Map(
        tools.flatMap(({ name, outputSchema }) =>
          outputSchema === undefined ? [] : [[name, { schema: outputSchema }]]
        )
      )
    },
    checked: (tool, result) => {
      const entry = entries.get(tool)
      if (entry === undefined) return result
      return Effect.flatMap(result, (result) =>
        result.isError
          ? Effect.succeed(result)
          : Effect.map(Effect.promise(loaded), (module) => {
              const warning = warnings(tool, entry, result.structuredContent, module)
              return warning === undefined ? result : { ...result, warnings: [warning] }
            })
      )
    }
  }
}

const loaded = () => import("./SchemaCheck.ts")
