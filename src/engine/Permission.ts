/**
 * Whether a tool call may run: what runs by itself, what needs a person's word, and who is asked.
 *
 * What a rule denies never runs. Otherwise a tool that only reads runs by itself, and any other call needs a rule that covers it, or a
 * person who says yes. `yes` and `allow` are a person's word given beforehand: they settle what a rule asks, never what one denies.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type { Tool } from "../tool/Tool.ts"
import * as RealPath from "./internal/RealPath.ts"
import * as PermissionPattern from "./PermissionPattern.ts"
import * as PermissionRules from "./PermissionRules.ts"

/**
 * A call that waits for a decision.
 *
 * @since 0.1.0
 * @category models
 */
export interface PermissionRequest {
  readonly id: string
  readonly tool: Tool
  readonly arguments: JsonObject
  /** The rule that wants the question; a rule that allows would not be heard beside it. */
  readonly rule?: PermissionRules.Rule | undefined
}

/**
 * The answer. `reason` is told to the model when the call is denied.
 *
 * @since 0.1.0
 * @category models
 */
export type Decision = { readonly _tag: "Allow" } | { readonly _tag: "Deny"; readonly reason: string }

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly decide: (request: PermissionRequest) => Effect.Effect<Decision>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Permission extends Context.Tag("harness9/Permission")<Permission, Service>() {}

/**
 * What a person answers.
 *
 * - `Once`: this call
 * - `Session`: calls that `pattern` covers, until the program ends; default: every call of the tool, for `bash` this command
 * - `Always`: the same, and kept beyond
 * - `Deny`: `reason` is a word to the model
 *
 * @since 0.1.0
 * @category models
 */
export type Answer =
  | { readonly _tag: "Once" }
  | { readonly _tag: "Session"; readonly pattern?: string | undefined }
  | { readonly _tag: "Always"; readonly pattern?: string | undefined }
  | { readonly _tag: "Deny"; readonly reason?: string | undefined }

/**
 * The person, as a service: a UI implements it. Requests come one after the other; interrupting one takes the question back.
 *
 * @since 0.1.0
 * @category tags
 */
export class Approver extends Context.Tag("harness9/Permission/Approver")<
  Approver,
  { readonly ask: (request: PermissionRequest) => Effect.Effect<Answer> }
>() {}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The rules of the settings. */
  readonly rules?: ReadonlyArray<PermissionRules.Rule> | undefined
  /** Patterns of calls that need no person. One that cannot be read covers nothing. */
  readonly allow?: ReadonlyArray<string> | undefined
  /** Everything is allowed. */
  readonly yes?: boolean | undefined
  /** Where paths in patterns and arguments are read from. Default: the working directory. */
  readonly directory?: string | undefined
}

/**
 * The pattern that a person's "always" or "this session" stands for when the answer names none.
 *
 * @since 0.1.0
 * @category constructors
 */
export const suggestedPattern = (request: PermissionRequest): string =>
  request.tool.origin._tag === "Builtin" && typeof request.arguments.command === "string"
    ? PermissionPattern.exact(request)
    : request.tool.name

/**
 * The rule that a person's "always" writes when the answer names none: this command, this file, or the tool.
 *
 * @since 0.1.0
 * @category constructors
 */
export const keptPattern = (request: PermissionRequest, directory?: string): string =>
  PermissionPattern.exact(request, directory)

/**
 * What is known of a call before a person is asked: `rule` decides, where one does.
 *
 * @since 0.1.0
 * @category models
 */
export interface Verdict {
  readonly action: PermissionRules.Action
  /** Why, where no rule decides: the command line allows it, the tool only reads, or nothing is said of it. */
  readonly because: "rule" | "options" | "read-only" | "nothing"
  readonly rule?: PermissionRules.Rule | undefined
}

/**
 * What the options say of a call.
 *
 * @since 0.1.0
 * @category getters
 */
export const verdict = (options: Options) => {
  const { rules = [], yes = false } = options
  const directory = options.directory ?? process.cwd()
  const given = (options.allow ?? []).flatMap((source) => PermissionPattern.parse(source) ?? [])
  return Effect.fnUntraced(function* (call: Pick<PermissionRequest, "arguments" | "tool">): Effect.fn.Return<Verdict> {
    const path = PermissionPattern.pathOf(call, directory)
    const real =
      path === undefined ? undefined : { directory: yield* RealPath.of(directory), path: yield* RealPath.of(path) }
    const place = { directory, real }
    const rule = PermissionRules.deciding(rules, call, place)
    if (rule?.action === "deny") return { action: "deny", because: "rule", rule }
    if (yes || given.some((pattern) => PermissionPattern.covers(pattern, call, place))) {
      return { action: "allow", because: "options" }
    }
    if (rule !== undefined) return { action: rule.action, because: "rule", rule }
    return call.tool.hints.readOnly ? { action: "allow", because: "read-only" } : { action: "ask", because: "nothing" }
  })
}

/**
 * Decides without a person: what no rule covers is denied, with the option that would allow it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Service => {
  const known = verdict(options)
  return {
    decide: (request) =>
      Effect.map(known(request), ({ action, rule }) => {
        if (action === "allow") return allow
        return deny(action === "deny" ? forbidden(request, rule) : unasked(request, rule, options.directory))
      })
  }
}

/**
 * Decides with a person: what no rule covers is asked, and answers for the session are remembered.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeAsk = Effect.fnUntraced(function* (
  options: Options & { readonly onAlways?: ((pattern: string) => Effect.Effect<void>) | undefined } = {}
) {
  const approver = yield* Approver
  const known = verdict(options)
  const remembered = yield* Ref.make<ReadonlyArray<string>>([])
  const oneAtATime = yield* Effect.makeSemaphore(1)

  const remember = (pattern: string) => Ref.update(remembered, (patterns) => [...patterns, pattern])

  const ask = Effect.fnUntraced(function* (request: PermissionRequest) {
    const allowed = yield* verdict({ ...options, allow: yield* Ref.get(remembered) })(request)
    if (allowed.action === "allow") return allow
    const answer = yield* approver.ask(request)
    if (answer._tag === "Deny") return deny(denial(request, answer.reason))
    if (answer._tag === "Once") return allow
    if (answer._tag === "Session") {
      yield* remember(answer.pattern ?? suggestedPattern(request))
      return allow
    }
    const pattern = answer.pattern ?? keptPattern(request, options.directory)
    yield* remember(pattern)
    if (options.onAlways !== undefined) yield* options.onAlways(pattern)
    return allow
  })

  return Permission.of({
    decide: (request) =>
      Effect.flatMap(known(request), ({ action, rule }) => {
        if (action === "allow") return Effect.succeed(allow)
        if (action === "deny") return Effect.succeed(deny(forbidden(request, rule)))
        return oneAtATime.withPermits(1)(ask({ ...request, rule }))
      })
  })
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<Permission> => Layer.sync(Permission, () => make(options))

/**
 * @since 0.1.0
 * @category layers
 */
export const layerAsk = (
  options: Options & {
    /** Keeps a pattern that a person has allowed for good. */
    readonly onAlways?: ((pattern: string) => Effect.Effect<void>) | undefined
  } = {}
): Layer.Layer<Permission, never, Approver> => Layer.effect(Permission, makeAsk(options))

const allow: Decision = { _tag: "Allow" }

const deny = (reason: string): Decision => ({ _tag: "Deny", reason })

const denial = (request: PermissionRequest, reason: string | undefined): string =>
  reason === undefined || reason.trim() === ""
    ? `The person did not allow this call of "${request.tool.name}". Do not try it again unasked.`
    : `The person did not allow this call of "${request.tool.name}": ${reason}`

const forbidden = ({ tool }: PermissionRequest, rule: PermissionRules.Rule | undefined): string =>
  `"${tool.name}" was not run: a rule forbids it${rule === undefined ? "" : `, ${PermissionRules.shown(rule)}`}. Do not look for a way around it.`

const unasked = (
  request: PermissionRequest,
  rule: PermissionRules.Rule | undefined,
  directory: string | undefined
): string =>
  `"${request.tool.name}" was not run: it needs a person's permission${rule === undefined ? "" : ` by the rule ${PermissionRules.shown(rule)}`} and nobody is there to ask. ` +
  `To allow it, start with --allow ${shellQuote(PermissionPattern.exact(request, directory))}, or with --yes to allow every tool.`

const shellQuote = (text: string): string =>
  /^[A-Za-z0-9_./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
