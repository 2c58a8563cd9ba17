/**
 * The rules over tool calls in force: from `harness9.json` of the project and of the user, and from the administrator.
 *
 * Their order does not matter: what one rule denies never runs, what one asks about is asked, whatever others allow. What a project's
 * file allows counts once a person has agreed to it, rule by rule, as with the servers of its `.mcp.json`; what it denies or asks
 * counts at once.
 *
 * @since 0.1.0
 */
import { dirname } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as ConfigEdit from "../mcp/ConfigEdit.ts"
import * as CanonicalJson from "../mcp/internal/CanonicalJson.ts"
import type * as McpConfig from "../mcp/McpConfig.ts"
import { McpError } from "../mcp/McpError.ts"
import type { Consent } from "../mcp/ServerConfig.ts"
import * as Trust from "../mcp/Trust.ts"
import * as BuiltinName from "../tool/BuiltinName.ts"
import * as PermissionPattern from "./PermissionPattern.ts"
import * as Settings from "./Settings.ts"

/**
 * What a rule does with the calls that it is about.
 *
 * @since 0.1.0
 * @category models
 */
export type Action = "allow" | "ask" | "deny"

/**
 * @since 0.1.0
 * @category models
 */
export interface Rule extends Settings.Location {
  readonly action: Action
  readonly pattern: PermissionPattern.PermissionPattern
  /** Where it stands in its file, from 1. */
  readonly line: number
}

/**
 * What the settings say of tool calls.
 *
 * @since 0.1.0
 * @category models
 */
export interface PermissionRules {
  readonly rules: ReadonlyArray<Rule>
  /** What the project's file allows and nobody has agreed to: no rules yet. */
  readonly waiting: ReadonlyArray<Rule>
  readonly problems: ReadonlyArray<McpConfig.Problem>
}

/** What a rule may be about by its whole name. */
const known: ReadonlyArray<string> = [...BuiltinName.all, "sampling"]

/**
 * Reads the rules. Fails with the place when a file cannot be understood, or one of its rules that asks or denies.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load: (
  options?: Omit<McpConfig.LoadOptions, "file">
) => Effect.Effect<PermissionRules, McpError, FileSystem.FileSystem> = Effect.fnUntraced(function* (options = {}) {
  const settings = yield* Settings.load(options)
  const trust = yield* Trust.Trust
  const problems = [...settings.problems]
  const all: Array<Rule> = []
  for (const { content, lineOf, path, scope } of settings.files) {
    for (const action of ["deny", "ask", "allow"] as const) {
      for (const [index, source] of (content.permissions?.[action] ?? []).entries()) {
        const line = lineOf(["permissions", action, index])
        const pattern = PermissionPattern.parse(source)
        const problem = pattern === undefined ? `"${source}" is no pattern` : unknownName(pattern)
        if (problem !== undefined) problems.push({ path, message: `${problem} (line ${line})` })
        if (pattern !== undefined) all.push({ action, line, path, pattern, scope })
        else if (action !== "allow") return yield* malformed(`${path}:${line}: ${problem} (in "${action}")`)
      }
    }
  }
  const rules = yield* Effect.filter(all, (rule) => isAgreed(trust, rule))
  return { rules, waiting: all.filter((rule) => !rules.includes(rule)), problems }
})

const malformed = (message: string) =>
  Effect.fail(
    new McpError({ server: "", phase: "config", kind: "config", message, hint: "a pattern is TOOL or TOOL(ARGUMENT)" })
  )

const unknownName = ({ name }: PermissionPattern.PermissionPattern): string | undefined => {
  if (name.startsWith("mcp__") || name.includes("*") || known.includes(name)) return undefined
  const near = known.find((other) => other.replace("_", "") === name.toLowerCase().replace("_", ""))
  return `no tool is called "${name}"${near === undefined ? "" : `: did you mean ${near}?`}`
}

const isAgreed = ({ isApproved }: Trust.Service, rule: Rule): Effect.Effect<boolean> =>
  rule.scope === "project" && rule.action === "allow"
    ? isApproved(nameOf(rule.pattern.source), consentTo(rule.path, rule.pattern.source))
    : Effect.succeed(true)

const nameOf = (pattern: string): string => `harness9.json: allow ${pattern}`

const consentTo = (path: string, allow: string): Consent => ({
  project: dirname(path),
  digest: CanonicalJson.digest({ allow }),
  entry: { allow }
})

/**
 * Keeps a person's word that a rule of the project's file allows.
 *
 * @since 0.1.0
 * @category operations
 */
export const agree = ({ path, pattern }: Pick<Rule, "path" | "pattern">): Effect.Effect<void, McpError> =>
  Effect.flatMap(Trust.Trust, ({ approve }) => approve(nameOf(pattern.source), consentTo(path, pattern.source)))

/**
 * Adds a pattern to what the project's file allows, and agrees to it. The rest of the file stays as it was written.
 *
 * @since 0.1.0
 * @category operations
 */
export const add = Effect.fnUntraced(function* (pattern: string, options: Omit<McpConfig.LoadOptions, "file"> = {}) {
  const parsed = PermissionPattern.parse(pattern)
  const file = Settings.locations(options).find(({ scope }) => scope === "project")
  if (parsed === undefined || file === undefined) return
  yield* ConfigEdit.update(file.path, ConfigEdit.append(["permissions", "allow"], pattern))
  yield* agree({ path: file.path, pattern: { ...parsed, source: pattern } })
})

/**
 * The rule that decides about a call, if one is about it.
 *
 * @since 0.1.0
 * @category getters
 */
export const deciding = (
  rules: ReadonlyArray<Rule>,
  call: PermissionPattern.Call,
  place: PermissionPattern.Place
): Rule | undefined =>
  first(rules, ({ action, pattern }) =>
    action === "allow"
      ? PermissionPattern.covers(pattern, call, place)
      : PermissionPattern.touches(pattern, call, place)
  )

/**
 * The rule that decides whether a server may ask the model: `sampling(SERVER)`.
 *
 * @since 0.1.0
 * @category getters
 */
export const decidingSampling = (rules: ReadonlyArray<Rule>, server: string): Rule | undefined =>
  first(rules, ({ pattern }) => PermissionPattern.allowsSampling(pattern, server))

const first = (rules: ReadonlyArray<Rule>, isAbout: (rule: Rule) => boolean): Rule | undefined => {
  const about = rules.filter(isAbout)
  return (["deny", "ask", "allow"] as const).flatMap((wanted) => about.filter(({ action }) => action === wanted))[0]
}

/**
 * A rule as a person finds it: `deny bash(rm *) (/home/me/project/harness9.json:4)`.
 *
 * @since 0.1.0
 * @category formatting
 */
export const shown = ({ action, line, path, pattern }: Rule): string => `${action} ${pattern.source} (${path}:${line})`
