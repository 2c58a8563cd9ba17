/**
 * The model that a name stands for: `anthropic/NAME`, `openai/NAME`, `offline`.
 *
 * Providers are loaded only when they are asked for, so that an offline run does not pay for them.
 *
 * @since 0.1.0
 */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Config from "effect/Config"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { CurrentModel, type Medium, type ModelInfo } from "./ModelInfo.ts"

/**
 * A model that cannot be used as it is asked for: a mistake of the command line or the environment.
 *
 * @since 0.1.0
 * @category errors
 */
export class ModelNotUsable extends Data.TaggedError("ModelNotUsable")<{
  readonly message: string
}> {}

/**
 * What the environment says of models. An empty variable is an unset one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Environment {
  /** `HARNESS9_MODEL` */
  readonly model: string | undefined
  readonly anthropic: Access
  readonly openai: Access
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Access {
  readonly apiKey: Redacted.Redacted | undefined
  readonly baseUrl: string | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export type Choice =
  | { readonly provider: "anthropic" | "openai"; readonly model: string; readonly access: Access }
  | { readonly provider: "offline" }

/**
 * The models taken when only a provider is known.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaults = { anthropic: "claude-sonnet-4-5", openai: "gpt-5" } as const

const wellKnown = {
  anthropic: [defaults.anthropic, "claude-opus-4-5", "claude-haiku-4-5"],
  openai: [defaults.openai, "gpt-5-mini", "gpt-5-nano", "gpt-4.1", "gpt-4o-mini", "o4-mini"]
} as const

/**
 * Decides the model: the name given, else `$HARNESS9_MODEL`, else the provider whose key is set, else `offline`.
 *
 * @since 0.1.0
 * @category choosing
 */
export const choose = (spec: string | undefined, environment: Environment): Effect.Effect<Choice, ModelNotUsable> => {
  const asked = filled(spec) ?? environment.model
  if (asked === undefined) return Effect.succeed(whoseKeyIsSet(environment))
  const slash = asked.indexOf("/")
  const provider = slash === -1 ? asked : asked.slice(0, slash)
  const name = slash === -1 ? "" : asked.slice(slash + 1).trim()
  if (provider === "offline") return Effect.succeed({ provider: "offline" })
  if (provider !== "anthropic" && provider !== "openai") {
    return new ModelNotUsable({
      message: `unknown model "${asked}": name it anthropic/MODEL, openai/MODEL (any server that speaks OpenAI's API, by OPENAI_BASE_URL) or offline`
    })
  }
  const access = environment[provider]
  if (access.apiKey === undefined && access.baseUrl === undefined) {
    const variable = provider.toUpperCase()
    return new ModelNotUsable({
      message: `"${asked}" needs a key: set ${variable}_API_KEY, or ${variable}_BASE_URL for a server that needs none`
    })
  }
  return Effect.succeed({ provider, model: name === "" ? defaults[provider] : name, access })
}

/**
 * The choice as a person names it: `anthropic/claude-sonnet-4-5`, `offline`.
 *
 * @since 0.1.0
 * @category formatting
 */
export const nameOf = (choice: Choice): string =>
  choice.provider === "offline" ? "offline" : `${choice.provider}/${choice.model}`

/**
 * Well-known models of the providers that the environment gives access to, and the one that it names. There are others.
 *
 * @since 0.1.0
 * @category choosing
 */
export const usable = (environment: Environment): ReadonlyArray<string> => {
  const named = environment.model === undefined || !environment.model.includes("/") ? [] : [environment.model]
  const known = (["anthropic", "openai"] as const).flatMap((provider) => {
    const { apiKey, baseUrl } = environment[provider]
    // What a server of one's own calls its models, nobody knows.
    return apiKey === undefined || baseUrl !== undefined ? [] : wellKnown[provider].map((name) => `${provider}/${name}`)
  })
  return [...new Set([...named, ...known, "offline"])]
}

/**
 * Reads the environment, through the `ConfigProvider`.
 *
 * @since 0.1.0
 * @category choosing
 */
export const environment: Effect.Effect<Environment> = Effect.gen(function* () {
  const read = (name: string) =>
    Effect.map(Effect.option(Config.string(name)), (value) => filled(Option.getOrUndefined(value)))
  const access = Effect.fnUntraced(function* (provider: string) {
    const apiKey = yield* read(`${provider}_API_KEY`)
    return {
      apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey),
      baseUrl: yield* read(`${provider}_BASE_URL`)
    }
  })
  return {
    model: yield* read("HARNESS9_MODEL"),
    anthropic: yield* access("ANTHROPIC"),
    openai: yield* access("OPENAI")
  }
})

/**
 * The chosen model as a service, and what is known of it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  spec: string | undefined
): Layer.Layer<LanguageModel.LanguageModel | CurrentModel, ModelNotUsable> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const choice = yield* choose(spec, yield* environment)
      if (choice.provider === "offline") return (yield* Effect.promise(() => import("./Offline.ts"))).layer
      return Layer.merge(yield* providerLayer(choice), Layer.succeed(CurrentModel, info(choice)))
    })
  )

type Remote = Exclude<Choice, { readonly provider: "offline" }>

const providerLayer = ({ provider, model, access }: Remote) =>
  Effect.map(
    Effect.promise(() => (provider === "anthropic" ? import("./Anthropic.ts") : import("./OpenAi.ts"))),
    (module) => module.layer({ model, ...access })
  )

const info = ({ provider, model, access }: Remote): ModelInfo => ({
  provider,
  model,
  contextWindow: windows.find(([name]) => name.test(model))?.[1],
  // OpenAI refuses a request with more; other servers of its API have no such limit.
  maxTools: provider === "openai" && isOpenAiItself(access.baseUrl) ? 128 : undefined,
  media: media(model, provider === "openai" && access.baseUrl !== undefined && access.apiKey === undefined),
  keyVariable: `${provider.toUpperCase()}_API_KEY`,
  baseUrl: access.baseUrl
})

const isOpenAiItself = (baseUrl: string | undefined): boolean =>
  baseUrl === undefined || baseUrl.startsWith("https://api.openai.com/")

const windows: ReadonlyArray<readonly [RegExp, number]> = [
  [/^claude-/, 200_000],
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4o/, 128_000],
  [/^o[134]/, 200_000]
]

/** By their names, since no API tells. Sounds go to local servers alone: the other APIs that are spoken have no place for them. */
const media = (model: string, isLocal: boolean): ReadonlyArray<Medium> => [
  ...(seeing.test(model) ? (["image"] as const) : []),
  ...(isLocal && hearing.test(model) ? (["audio"] as const) : [])
]

const seeing =
  /claude-(?!2|instant)|gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|\bo[134](?!-mini)|\bo4-mini|gemini|gemma-?3|llama-?4|llava|pixtral|vision|\bvl\b|vl:|internvl|minicpm-v/i

const hearing = /audio|omni|voxtral/i

const whoseKeyIsSet = ({ anthropic, openai }: Environment): Choice => {
  if (anthropic.apiKey !== undefined) return { provider: "anthropic", model: defaults.anthropic, access: anthropic }
  if (openai.apiKey !== undefined) return { provider: "openai", model: defaults.openai, access: openai }
  return { provider: "offline" }
}

const filled = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? undefined : value.trim()
