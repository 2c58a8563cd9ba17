/**
 * A tool's input schema as a model's API takes it. MCP allows any JSON Schema; one schema that an API does not take makes it
 * refuse every request of the conversation. The original stays as it is, for the server and for validation.
 *
 * @since 0.1.0
 */
import type { JsonObject } from "../mcp/JsonRpc.ts"
import * as GeminiSchema from "./internal/GeminiSchema.ts"
import * as RootFold from "./internal/RootFold.ts"
import * as SchemaRepair from "./internal/SchemaRepair.ts"

/**
 * Whose API the schema is for.
 *
 * @since 0.1.0
 * @category models
 */
export type Provider = "anthropic" | "openai" | "gemini" | "offline"

/**
 * A schema that the API takes, and what had to be changed for it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ModelSchema {
  readonly schema: JsonObject
  readonly notes: ReadonlyArray<string>
}

/**
 * Why a tool with this input schema cannot be offered to any model; `undefined` when it can.
 *
 * @since 0.1.0
 * @category guards
 */
export const unusable = (schema: JsonObject): string | undefined => {
  if (schema.type === "object") return undefined
  return RootFold.canBeObject(schema, schema) ? undefined : "its input schema does not describe an object"
}

/**
 * The schema for a provider. Pure: the same object gives the same answer, which is computed once.
 *
 * @since 0.1.0
 * @category conversions
 */
export const forProvider = (provider: Provider, schema: JsonObject): ModelSchema => {
  const known = computed[provider].get(schema)
  if (known !== undefined) return known
  const fresh = convert(provider, schema)
  computed[provider].set(schema, fresh)
  return fresh
}

const computed: Record<Provider, WeakMap<JsonObject, ModelSchema>> = {
  anthropic: new WeakMap(),
  openai: new WeakMap(),
  gemini: new WeakMap(),
  offline: new WeakMap()
}

const rules: Record<Provider, SchemaRepair.Rules> = {
  anthropic: { propertyName: /^[A-Za-z0-9_.-]{1,64}$/ },
  openai: {},
  gemini: {},
  offline: {}
}

const convert = (provider: Provider, schema: JsonObject): ModelSchema => {
  const notes: Array<string> = []
  const repaired = SchemaRepair.repair(RootFold.fold(schema, notes), schema, rules[provider], notes)
  return { schema: provider === "gemini" ? GeminiSchema.fromRepaired(repaired) : repaired, notes }
}
