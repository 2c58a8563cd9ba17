/**
 * Every server examined: connected once, each step told, each tool judged.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as ConfigEdit from "../mcp/ConfigEdit.ts"
import * as Diagnosis from "../mcp/Diagnosis.ts"
import * as ShellWord from "../mcp/internal/ShellWord.ts"
import * as McpConfig from "../mcp/McpConfig.ts"
import type { McpError } from "../mcp/McpError.ts"
import { McpManager } from "../mcp/McpManager.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import { type ServerStatus, word } from "../mcp/ServerStatus.ts"
import * as McpToolAdapter from "../tool/McpToolAdapter.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as ToolVerdict from "../tool/ToolVerdict.ts"
import { ExitCode, exitCodeOf } from "./CliError.ts"
import * as Servers from "./Servers.ts"

/**
 * What is known of a server: what `mcp doctor --json` prints of each.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ServerReport = Schema.Struct({
  server: Schema.String,
  transport: Schema.optionalWith(Schema.Literal("stdio", "http", "sse"), { exact: true }),
  /** The word of `mcp list`; `unusable` is an entry that cannot be connected at all. */
  status: Schema.String,
  /** Whether it can be used, with everything that it has. */
  ok: Schema.Boolean,
  steps: Schema.Array(Diagnosis.Step),
  tools: Schema.Array(ToolVerdict.ToolVerdict)
})

/**
 * @since 0.1.0
 * @category models
 */
export type ServerReport = typeof ServerReport.Type

/**
 * A report, and what it means to a script.
 *
 * @since 0.1.0
 * @category models
 */
export interface Examined {
  readonly report: ServerReport
  readonly exitCode: ExitCode
}

/**
 * Examines these servers of the configuration; of an entry that cannot be used, the file. Without names, all.
 *
 * @since 0.1.0
 * @category operations
 */
export const examine = (
  config: McpConfig.McpConfig,
  name: string | undefined,
  options: Servers.Options
): Effect.Effect<ReadonlyArray<Examined>, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const isWanted = (server: string) => name === undefined || server === name
    const usable = config.servers.filter((server) => isWanted(server.name))
    const problems = new Map(Object.entries(Arr.groupBy(config.problems, ({ server }) => server ?? "")))
    const broken = [...problems.keys()].filter(
      (server) => server !== "" && isWanted(server) && !usable.some((known) => known.name === server)
    )
    const connected = yield* connect(usable, problems, options)
    const unusable = yield* Effect.forEach(broken, (server) => explain(server, problems.get(server) ?? []))
    return [...connected, ...unusable].sort((a, b) => (a.report.server < b.report.server ? -1 : 1))
  })

type Problems = ReadonlyMap<string, ReadonlyArray<McpConfig.Problem>>

const connect = (configs: ReadonlyArray<ServerConfig>, problems: Problems, options: Servers.Options) =>
  Effect.gen(function* () {
    const manager = yield* McpManager
    const registry = yield* ToolRegistry.ToolRegistry
    yield* manager.start
    yield* McpToolAdapter.sync(manager, registry)
    const tools = yield* registry.snapshot
    const statuses = yield* manager.statuses
    return yield* Effect.forEach(configs, (config) =>
      Effect.gen(function* () {
        const { name } = config
        const status = statuses.find((known) => known.name === name)
        if (status === undefined) return []
        const error = yield* reasonOf(status)
        const attempt = {
          config,
          status,
          error,
          diagnostics: yield* manager.diagnostics(name),
          problems: (problems.get(name) ?? []).map(({ message }) => message),
          warnings: yield* warningsOf(status)
        }
        return [judged(attempt, ToolVerdict.ofServer(tools, name))]
      }).pipe(Effect.orElseSucceed(() => []))
    ).pipe(Effect.map((all) => all.flat()))
  }).pipe(Effect.provide(Layer.merge(Servers.layer(configs, options), ToolRegistry.layer)))

/** Why a server has no client; the Manager says it of those that were never tried. */
const reasonOf = (status: ServerStatus): Effect.Effect<McpError | undefined, never, McpManager> => {
  if ("error" in status) return Effect.succeed(status.error)
  return Effect.flatMap(McpManager, ({ client }) =>
    Effect.match(client(status.name), { onSuccess: () => undefined, onFailure: (error) => error })
  )
}

const warningsOf = ({ _tag, name }: ServerStatus) =>
  _tag !== "Connected"
    ? Effect.succeed([])
    : Effect.flatMap(McpManager, ({ client }) => Effect.flatMap(client(name), ({ warnings }) => warnings))

const judged = (attempt: Diagnosis.Attempt, tools: ReadonlyArray<ToolVerdict.ToolVerdict>): Examined => {
  const { config, error, status } = attempt
  const steps = withTools(config.name, Diagnosis.steps(attempt), tools)
  const ok = Diagnosis.isHealthy(steps)
  return {
    report: { server: config.name, transport: config.transport._tag, status: word(status), ok, steps, tools },
    exitCode: ok ? ExitCode.Done : error === undefined ? ExitCode.Failed : exitCodeOf(error)
  }
}

/** The step of the lists, with what became of the tools. */
const withTools = (
  server: string,
  steps: ReadonlyArray<Diagnosis.Step>,
  tools: ReadonlyArray<ToolVerdict.ToolVerdict>
): ReadonlyArray<Diagnosis.Step> => {
  const skipped = tools.filter((tool) => tool.skipped !== undefined).length
  const changed = tools.find(({ quarantined }) => quarantined === true)
  const repaired = tools.filter(({ repairs }) => repairs.length > 0).length
  return steps.map((step): Diagnosis.Step => {
    if (step.step !== "list" || step.status === "skipped" || skipped + repaired === 0) return step
    const told = [
      step.message,
      ...(skipped > 0 ? [`${skipped} not offered`] : []),
      ...(repaired > 0 ? [`${repaired} with a schema that was changed for a model's API`] : [])
    ]
    const hint =
      changed === undefined ? "See the tools below, and tell the server's author." : accepting(server, changed)
    return {
      ...step,
      status: skipped > 0 || step.status === "failed" ? "failed" : "warning",
      message: told.join(", "),
      ...(skipped > 0 && { hint })
    }
  })
}

const accepting = (server: string, { tool }: ToolVerdict.ToolVerdict): string =>
  `Look at what has changed with: harness9 mcp verify. Accept it with: harness9 mcp lock --accept ${ShellWord.quote(`${server}/${tool}`)}`

/** An entry that cannot be used: it is not well formed, or its variables are not set. */
const explain = (server: string, problems: ReadonlyArray<McpConfig.Problem>) =>
  Effect.gen(function* () {
    const path = problems[0]?.path
    const isUnset = path === undefined ? false : yield* lacksVariables(path, server)
    const steps = Diagnosis.unusable(
      isUnset ? "expansion" : "config",
      problems.map(({ message }) => message),
      isUnset
        ? "Set the variable where harness9 is started, or give it a default: ${NAME:-default}."
        : `Correct the entry "${server}"${path === undefined ? "" : ` in ${path}`}.`
    )
    const report: ServerReport = { server, status: "unusable", ok: false, steps, tools: [] }
    return { report, exitCode: ExitCode.Usage }
  })

/** Whether the entry would be well formed if it did not need its variables: switched off, it does not. */
const lacksVariables = (path: string, server: string) =>
  ConfigEdit.read(path).pipe(
    Effect.flatMap((text) => ConfigEdit.setField(server, "disabled", true)(text, path)),
    Effect.flatMap((text) => McpConfig.parse(text, { path, cwd: process.cwd(), env: process.env })),
    Effect.map(({ servers }) => servers.some(({ name, unusable }) => name === server && unusable !== undefined)),
    Effect.orElseSucceed(() => false)
  )

/**
 * @since 0.1.0
 * @category models
 */
export interface Loaded {
  readonly config: McpConfig.McpConfig
  readonly isBroken: boolean
}

/**
 * The configuration, or what is wrong with it as its only problem.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load = (file: string | undefined): Effect.Effect<Loaded, never, FileSystem.FileSystem> =>
  Effect.map(
    Effect.either(McpConfig.load({ file })),
    Either.match({
      onRight: (config): Loaded => ({ config, isBroken: false }),
      onLeft: ({ hint, message }: McpError): Loaded => ({
        config: { ...McpConfig.empty, problems: [{ message: hint === undefined ? message : `${message}: ${hint}` }] },
        isBroken: true
      })
    })
  )
