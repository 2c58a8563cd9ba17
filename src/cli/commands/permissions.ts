/**
 * `harness9 permissions`: the rules in force, and which of them decides about a call.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Permission from "../../engine/Permission.ts"
import * as PermissionRules from "../../engine/PermissionRules.ts"
import type { JsonObject } from "../../mcp/JsonRpc.ts"
import * as Trust from "../../mcp/Trust.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import * as BuiltinTools from "../../tool/BuiltinTools.ts"
import { ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import { table } from "../output/table.ts"
import * as Rules from "../permissionRules.ts"
import { didYouMean } from "../suggest.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "permissions",
  summary: "Shows the rules over tool calls; of a call, which rule decides and why. Nothing is run",
  details:
    "Rules stand in harness9.json here and in $XDG_CONFIG_HOME/harness9/harness9.json, as lists of patterns: allow, ask, deny.\n" +
    "Their order does not matter: deny wins over ask, ask over allow. What the project's file allows counts once you have\n" +
    "agreed to it; what it asks or denies counts at once. --yes and --allow of a run settle what is asked, never what is denied.",
  flags: {
    approve: Flag.toggle("approve", "Agree to what this project's file allows now"),
    allow: options.allow,
    yes: options.yes,
    trust: options.trust,
    json: options.json
  },
  args: {
    tool: Flag.optional("TOOL", "A tool: bash, mcp__github__create_issue"),
    arguments: Flag.optional("ARGS-JSON", "The arguments of the call")
  },
  examples: [
    ["harness9 permissions", "the rules, each with its file and line"],
    [`harness9 permissions bash '{"command":"npm test && rm -rf x"}'`, "what would happen to this call"],
    ["harness9 permissions --approve", "agree to what this project allows"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const output = yield* Output
      const found = yield* Rules.load(input)
      if (input.approve) yield* Effect.forEach(found.waiting, agree, { discard: true })
      const rules = input.approve ? [...found.rules, ...found.waiting] : found.rules
      const waiting = input.approve ? [] : found.waiting
      const call = input.tool === undefined ? undefined : yield* explain(input.tool, { ...input, rules })
      if (input.json) {
        const listed = [...rules.map((rule) => toJson(rule, true)), ...waiting.map((rule) => toJson(rule, false))]
        yield* output.line(json({ rules: listed, problems: found.problems, ...(call !== undefined && { call }) }))
        return ExitCode.Done
      }
      for (const note of Rules.notes({ ...found, waiting })) yield* output.note(output.noteStyle.yellow(oneLine(note)))
      if (call !== undefined) {
        yield* output.line(`${output.style.bold(call.action)}: ${oneLine(call.reason)}`)
        return ExitCode.Done
      }
      yield* output.line(
        rules.length + waiting.length === 0
          ? "There are no rules: tools that only read run, others are asked about."
          : table([...rules.map((rule) => row(rule, "")), ...waiting.map((rule) => row(rule, "  not agreed to yet"))])
      )
      return ExitCode.Done
    })
})

const agree = (rule: PermissionRules.Rule) =>
  PermissionRules.agree(rule).pipe(
    Effect.provide(Trust.layer),
    Effect.mapError(({ hint, message }) => usage(`the approval could not be kept: ${message}`, hint))
  )

interface Given extends Permission.Options {
  readonly arguments: string | undefined
}

const explain = Effect.fnUntraced(function* (name: string, given: Given) {
  const args = yield* Schema.decode(Arguments)(given.arguments ?? "{}").pipe(
    Effect.mapError(() => usage("the arguments must be a JSON object"))
  )
  const builtin = yield* BuiltinTools.make({ root: process.cwd() })
  const names = builtin.map((tool) => tool.name)
  const tool = builtin.find((known) => known.name === name) ?? remote(name)
  if (tool === undefined) {
    return yield* usage(
      `no tool is called "${name}"`,
      didYouMean(name, names) ?? `the tools of servers are mcp__SERVER__TOOL`
    )
  }
  const call: Pick<Permission.PermissionRequest, "arguments" | "tool"> = { tool, arguments: args }
  const { action, because, rule } = yield* Permission.verdict(given)(call)
  return {
    tool: name,
    arguments: args,
    action,
    because,
    reason: rule === undefined ? reasons[because](name) : `the rule ${PermissionRules.shown(rule)} decides`,
    ...(rule !== undefined && { rule: toJson(rule, true) })
  }
})

const Arguments = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** A tool of a server; whether it only reads is known once the server is connected. */
const remote = (name: string): Permission.PermissionRequest["tool"] | undefined => {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  if (server === undefined || tool === undefined) return undefined
  return {
    name,
    description: "",
    inputSchema: {},
    origin: { _tag: "Mcp", server, tool },
    hints: { readOnly: false, destructive: true, idempotent: false },
    run: () => Effect.die("only looked at")
  }
}

const reasons: Readonly<Record<Permission.Verdict["because"], (tool: string) => string>> = {
  rule: () => "a rule decides",
  options: () => "--yes or --allow covers it, and no rule denies it",
  "read-only": () => "the tool only reads, and no rule is about this call",
  nothing: (tool) =>
    `no rule is about this call; without a person it is not run${
      tool.startsWith("mcp__") ? ", unless its server says that it only reads" : ""
    }`
}

const toJson = ({ action, line, path, pattern, scope }: PermissionRules.Rule, agreed: boolean): JsonObject => ({
  action,
  pattern: pattern.source,
  scope,
  path,
  line,
  inForce: agreed
})

const row = ({ action, line, path, pattern, scope }: PermissionRules.Rule, note: string): ReadonlyArray<string> => [
  action,
  oneLine(pattern.source),
  `${scope} ${path}:${line}${note}`
]
