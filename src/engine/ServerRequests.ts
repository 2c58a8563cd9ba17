/**
 * What servers may ask of harness9: where it works, its model, and its person. The same for servers of every revision.
 *
 * Without a person a form or a page is declined, and the model is asked only by servers that a rule names.
 *
 * @since 0.1.0
 */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { Browser } from "../mcp/auth/Browser.ts"
import { ClientFeatures, type Origin } from "../mcp/ClientFeatures.ts"
import type * as Sampling from "../mcp/Sampling.ts"
import * as ModelSampling from "./ModelSampling.ts"
import type { Decision } from "./Permission.ts"
import * as PermissionPattern from "./PermissionPattern.ts"
import * as PermissionRules from "./PermissionRules.ts"
import { Person } from "./Person.ts"
import * as PersonRequests from "./PersonRequests.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The rules of the settings; those of the form `sampling(SERVER)` decide about requests to the model. */
  readonly rules?: ReadonlyArray<PermissionRules.Rule> | undefined
  /** Permission patterns; those of the form `sampling(SERVER)` let a server ask the model unasked. */
  readonly allow?: ReadonlyArray<string> | undefined
  /** Every server may ask the model. */
  readonly yes?: boolean | undefined
  /** What servers are told is the field of work. Default: the working directory. */
  readonly directory?: string | undefined
}

/**
 * Answers without a person.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<ClientFeatures, never, LanguageModel.LanguageModel> =>
  Layer.effect(
    ClientFeatures,
    Effect.gen(function* () {
      const covered = coverage(options)
      const sampling = yield* ModelSampling.make({
        decide: (_, { server }) =>
          Effect.sync(() => {
            const { action, rule } = covered(server)
            if (action === "allow") return allow
            return deny(action === "deny" ? forbidden(rule) : nobody(server))
          })
      })
      return { roots: PersonRequests.roots(options.directory), sampling, elicitation: PersonRequests.declined }
    })
  )

/**
 * Answers with a person: what no rule covers is asked, and a page is opened only when the person has agreed to it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerAsk = (
  options: Options & {
    /** Keeps a pattern that a person has allowed for good. */
    readonly onAlways?: ((pattern: string) => Effect.Effect<void>) | undefined
  } = {}
): Layer.Layer<ClientFeatures, never, LanguageModel.LanguageModel | Person | Browser> =>
  Layer.effect(
    ClientFeatures,
    Effect.gen(function* () {
      const sampling = yield* ModelSampling.make({ decide: yield* asking(options) })
      return {
        roots: PersonRequests.roots(options.directory),
        sampling,
        elicitation: yield* PersonRequests.asked
      }
    })
  )

/** Asks unless a rule covers the server, or the person has said so before in this session. */
const asking = Effect.fnUntraced(function* (
  options: Options & { readonly onAlways?: ((pattern: string) => Effect.Effect<void>) | undefined }
) {
  const person = yield* Person
  const covered = coverage(options)
  const remembered = yield* Ref.make<ReadonlySet<string>>(new Set())
  return Effect.fnUntraced(function* (request: Sampling.Request, origin: Origin) {
    const { server } = origin
    const { action, rule } = covered(server)
    if (action === "deny") return deny(forbidden(rule))
    if (action === "allow" || (yield* Ref.get(remembered)).has(server)) return allow
    const answer = yield* person.sampling(request, origin)
    if (answer._tag === "Deny") return deny("the person did not allow this request")
    if (answer._tag === "Once") return allow
    yield* Ref.update(remembered, (servers) => new Set([...servers, server]))
    // Where a rule asks, one that allows would not be heard.
    if (answer._tag === "Always" && rule === undefined && options.onAlways !== undefined) {
      yield* options.onAlways(PermissionPattern.sampling(server))
    }
    return allow
  })
})

interface Verdict {
  readonly action: PermissionRules.Action
  readonly rule?: PermissionRules.Rule
}

const coverage = ({ allow = [], rules = [], yes = false }: Options): ((server: string) => Verdict) => {
  const patterns = allow.flatMap((source) => PermissionPattern.parse(source) ?? [])
  return (server) => {
    const rule = PermissionRules.decidingSampling(rules, server)
    if (rule?.action === "deny") return { action: "deny", rule }
    if (yes || patterns.some((pattern) => PermissionPattern.allowsSampling(pattern, server))) return { action: "allow" }
    return rule === undefined ? { action: "ask" } : { action: rule.action, rule }
  }
}

const forbidden = (rule: PermissionRules.Rule | undefined): string =>
  `a rule forbids this request${rule === undefined ? "" : `: ${PermissionRules.shown(rule)}`}`

const allow: Decision = { _tag: "Allow" }

const deny = (reason: string): Decision => ({ _tag: "Deny", reason })

const nobody = (server: string): string =>
  `nobody is there to allow this request: start harness9 with --allow '${PermissionPattern.sampling(server)}' or --yes`
