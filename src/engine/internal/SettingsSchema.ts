/** The JSON Schema of `harness9.json`, for editors: made from the schema that reads it. */
import * as JSONSchema from "effect/JSONSchema"
import { plain } from "../../mcp/internal/config/JsonSchema.ts"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import { Document } from "../Settings.ts"

/** The whole file. A new object each time. */
export const make = (): JsonObject => {
  const document = plain(JSONSchema.make(Document))
  const { $schema, ...rest } = isObject(document) ? document : {}
  return { $schema, title: "The settings of harness9 (harness9.json)", ...rest }
}
