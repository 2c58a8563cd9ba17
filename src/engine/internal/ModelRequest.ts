/**
 * What a model is asked, as a cassette holds it: the messages, the tools by the digests of their definitions, and which model it is.
 */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Prompt from "@effect/ai/Prompt"
import * as AiTool from "@effect/ai/Tool"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../../mcp/internal/CanonicalJson.ts"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import type { ModelInfo } from "../model/ModelInfo.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Info = Schema.Struct({
  provider: Schema.Literal("anthropic", "openai", "offline"),
  model: Schema.String,
  contextWindow: optional(Schema.Number),
  maxTools: optional(Schema.Number),
  media: optional(Schema.Array(Schema.Literal("image", "audio")))
})

const decodeInfo = Schema.decodeUnknownEither(Info)
const encodeMessage = Schema.encodeSync(Prompt.Message)

export const of = (
  { prompt, responseFormat, toolChoice, tools }: LanguageModel.ProviderOptions,
  info?: ModelInfo
): JsonObject => ({
  ...(info && { model: infoRecord(info) }),
  prompt: prompt.content.map((message) => withoutOptions(encodeMessage(message))),
  tools: Object.fromEntries(tools.map((tool) => [tool.name, digest(tool)])),
  toolChoice,
  ...(responseFormat.type === "json" && { responseFormat: { type: "json", objectName: responseFormat.objectName } })
})

/** Which model it was that was asked. */
export const infoOf = (request: JsonObject | undefined): ModelInfo | undefined =>
  Either.getOrUndefined(decodeInfo(request?.model))

const infoRecord = ({ contextWindow, maxTools, media, model, provider }: ModelInfo): JsonObject => ({
  provider,
  model,
  ...(contextWindow !== undefined && { contextWindow }),
  ...(maxTools !== undefined && { maxTools }),
  ...(media !== undefined && { media })
})

/** What a provider is to do beside answering (caching and the like) is no part of the question. */
const withoutOptions = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutOptions)
  if (!isObject(value) || value.type === "tool-call" || value.type === "tool-result") return plain(value)
  const { options: _, ...rest } = value
  return { ...rest, ...(Array.isArray(rest.content) && { content: rest.content.map(withoutOptions) }) }
}

const plain = (value: unknown): unknown => {
  if (!isObject(value)) return value
  const { options: _, ...rest } = value
  return rest
}

const digests = new WeakMap<AiTool.Any, string>()

const digest = (tool: AiTool.Any): string => {
  const before = digests.get(tool)
  if (before !== undefined) return before
  const parameters = AiTool.getJsonSchemaFromSchemaAst(tool.parametersSchema.ast)
  const made = CanonicalJson.digest({ description: tool.description, parameters }).slice(0, "sha256:".length + 16)
  digests.set(tool, made)
  return made
}
