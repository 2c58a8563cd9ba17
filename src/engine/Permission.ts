/**
 * Whether a tool call may run: what runs by itself, what needs a person's word, and who is asked.
 *
 * A tool that only reads runs by itself. Any other call needs a rule that covers it, or a person who says yes.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type { Tool } from "../tool/Tool.ts"
import * as PermissionPattern from "./PermissionPattern.ts"

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
 * Decides without a person: what no rule covers is denied, with the option that would allow it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Service => {
  const covered = coverage(options)
  return {
    decide: (request) =>
      Effect.sync(() =>
        covered(request)
          ? allow
          : deny(
              `"${request.tool.name}" was not run: it needs a person's permission and nobody is there to ask. ` +
                `To allow it, start with --allow ${shellQuote(PermissionPattern.exact(request))}, or with --yes to allow every tool.`
            )
      )
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
  const covered = coverage(options)
  const remembered = yield* Ref.make<ReadonlyArray<string>>([])
  const oneAtATime = yield* Effect.makeSemaphore(1)

  const isRemembered = (request: PermissionRequest) =>
    Effect.map(Ref.get(remembered), (allow) => coverage({ ...options, allow })(request))

  const remember = (pattern: string) => Ref.update(remembered, (patterns) => [...patterns, pattern])

  const ask = Effect.fnUntraced(function* (request: PermissionRequest) {
    if (yield* isRemembered(request)) return allow
    const answer = yield* approver.ask(request)
    if (answer._tag === "Deny") return deny(denial(request, answer.reason))
    if (answer._tag === "Once") return allow
    const pattern = answer.pattern ?? suggestedPattern(request)
    yield* remember(pattern)
    if (answer._tag === "Always" && options.onAlways !== undefined) yield* options.onAlways(pattern)
    return allow
  })

  return Permission.of({
    decide: (request) => (covered(request) ? Effect.succeed(allow) : oneAtATime.withPermits(1)(ask(request)))
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

const coverage = (options: Options): ((request: PermissionRequest) => boolean) => {
  const directory = options.directory ?? process.cwd()
  const patterns = (options.allow ?? []).flatMap((source) => PermissionPattern.parse(source) ?? [])
  return (request) =>
    options.yes === true ||
    request.tool.hints.readOnly ||
    patterns.some((pattern) => PermissionPattern.matches(pattern, request, directory))
}

const shellQuote = (text: string): string =>
  /^[A-Za-z0-9_./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
