/**
 * Which model answers: for the status bar, for what the provider's API takes, and for errors that name it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type { Provider } from "../../tool/ModelSchema.ts"

/**
 * What a model can be given beside text.
 *
 * @since 0.1.0
 * @category models
 */
export type Medium = "image" | "audio"

/**
 * @since 0.1.0
 * @category models
 */
export interface ModelInfo {
  readonly provider: Provider
  readonly model: string
  /** In tokens, where it is known. */
  readonly contextWindow?: number | undefined
  /** How many tools one request may offer. Default: 512. */
  readonly maxTools?: number | undefined
  /** What it takes beside text; anything else in a tool's result is told in words. Default: nothing. */
  readonly media?: ReadonlyArray<Medium> | undefined
  /** The environment variable that holds the key. */
  readonly keyVariable?: string | undefined
  /** Where the model is asked, when that is not the provider's own address. */
  readonly baseUrl?: string | undefined
}

/**
 * @since 0.1.0
 * @category tags
 */
export class CurrentModel extends Context.Tag("harness9/CurrentModel")<CurrentModel, ModelInfo>() {}

/**
 * The model as a person names it: `anthropic/claude-sonnet-4-5`, `offline`.
 *
 * @since 0.1.0
 * @category formatting
 */
export const format = (info: ModelInfo): string =>
  info.model === "" ? info.provider : `${info.provider}/${info.model}`

/** What a model whose context is not known is taken to have. */
const usualContext = 128_000

/**
 * How much the model's context holds, in tokens.
 *
 * @since 0.1.0
 * @category getters
 */
export const windowOf = ({ contextWindow = usualContext }: ModelInfo): number => contextWindow
