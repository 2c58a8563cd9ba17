/**
 * What is the matter with a server: how far connecting to it came, step by step, what failed, why, and what to do.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Redact from "./internal/Redact.ts"
import type { McpError } from "./McpError.ts"
import type { Diagnostics } from "./McpTransport.ts"
import * as ServerConfig from "./ServerConfig.ts"
import type { ServerStatus } from "./ServerStatus.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/**
 * The steps in the order in which they are told: a program is spawned, an address is connected to.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StepName = Schema.Literal("config", "expansion", "spawn", "connect", "handshake", "auth", "list")

/**
 * @since 0.1.0
 * @category models
 */
export type StepName = typeof StepName.Type

/**
 * One step.
 *
 * - `ok`: done
 * - `warning`: done, and there is something to know
 * - `failed`: not done, or not as it should be
 * - `skipped`: not needed, or not come to
 *
 * @since 0.1.0
 * @category schemas
 */
export const Step = Schema.Struct({
  step: StepName,
  status: Schema.Literal("ok", "warning", "failed", "skipped"),
  /** What was found. */
  message: Schema.String,
  /** What kind of failure it is. */
  kind: optional(Schema.String),
  /** What to do. */
  hint: optional(Schema.String),
  /** The last lines that the server wrote to stderr. */
  stderr: optional(Schema.String),
  /** Samples of what the server wrote where messages belong, and was none. */
  noise: optional(Schema.Array(Schema.String))
})

/**
 * @since 0.1.0
 * @category models
 */
export type Step = typeof Step.Type

/**
 * What is known of a server after one attempt to connect to it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Attempt {
  readonly config: ServerConfig.ServerConfig
  readonly status: ServerStatus
  /** Why there is no connection, when there is none. */
  readonly error: McpError | undefined
  readonly diagnostics: Diagnostics
  /** What is wrong with parts of the entry that can be done without. */
  readonly problems: ReadonlyArray<string>
  /** What of the server's lists could not be used. */
  readonly warnings: ReadonlyArray<string>
}

/**
 * The steps of an attempt.
 *
 * @since 0.1.0
 * @category constructors
 */
export const steps = (attempt: Attempt): ReadonlyArray<Step> => {
  const { config, error } = attempt
  const order = orderOf(config)
  const failed = error === undefined ? undefined : failedStep(config, error)
  const reached = failed === undefined ? order.length : order.indexOf(failed)
  return order.map((step, index): Step => {
    if (error !== undefined && step === failed) return failure(step, attempt, error)
    // The login comes between the address and the handshake.
    if (index > reached || (failed === "auth" && step === "handshake")) return skipped(step, "not come to")
    return success(step, attempt)
  })
}

/**
 * The steps of an entry that cannot be connected at all. `step` is the one that fails.
 *
 * @since 0.1.0
 * @category constructors
 */
export const unusable = (
  step: "config" | "expansion",
  problems: ReadonlyArray<string>,
  hint: string
): ReadonlyArray<Step> => [
  ...(step === "expansion" ? [{ step: "config", status: "ok", message: "the entry is well formed" } as const] : []),
  { step, status: "failed", kind: "config", message: problems.join("; "), hint },
  ...(step === "config" ? [skipped("expansion", "not come to")] : [])
]

/**
 * Whether every step is as it should be.
 *
 * @since 0.1.0
 * @category guards
 */
export const isHealthy = (steps: ReadonlyArray<Step>): boolean => steps.every(({ status }) => status !== "failed")

const orderOf = ({ transport }: ServerConfig.ServerConfig): ReadonlyArray<StepName> => [
  "config",
  "expansion",
  transport._tag === "stdio" ? "spawn" : "connect",
  "handshake",
  "auth",
  "list"
]

/** Which step an error belongs to: what has been done before it is known to be in order. */
const failedStep = (config: ServerConfig.ServerConfig, { kind, phase, status }: McpError): StepName => {
  const start = config.transport._tag === "stdio" ? "spawn" : "connect"
  if (config.unusable !== undefined) return "expansion"
  if (kind === "disabled" || kind === "spawn" || phase === "spawn") return start
  if (kind === "needs-auth" || phase === "auth" || status === 403) return "auth"
  if (phase === "config") return "config"
  if (kind === "network" || kind === "config") return start
  return phase === "list" ? "list" : "handshake"
}

const success = (step: StepName, attempt: Attempt): Step => {
  const { config, diagnostics, problems, status, warnings } = attempt
  const connected = status._tag === "Connected" ? status : undefined
  switch (step) {
    case "config":
      return problems.length === 0
        ? { step, status: "ok", message: config.source ?? "given by a program" }
        : { step, status: "warning", message: problems.join("; "), hint: correct(config) }
    case "expansion":
      return { step, status: "ok", message: "every variable has a value" }
    case "spawn": {
      const { pid } = diagnostics
      return { step, status: "ok", message: pid === undefined ? "started" : `started as process ${pid}` }
    }
    case "connect":
      return { step, status: "ok", message: ServerConfig.address(config) }
    case "handshake": {
      const message =
        connected === undefined
          ? "agreed"
          : `${connected.serverInfo.name} ${connected.serverInfo.version}, revision ${connected.protocolVersion}`
      if (diagnostics.skipped.length === 0) return { step, status: "ok", message }
      const hint = "A server must keep its logs off stdout: they can break a message."
      return { step, status: "warning", message, hint, noise: diagnostics.skipped }
    }
    case "auth":
      return config.transport._tag === "stdio"
        ? skipped(step, "there is no login over stdio")
        : { step, status: "ok", message: "not refused" }
    case "list": {
      const count = connected?.tools.length ?? 0
      const message = `${count} ${count === 1 ? "tool" : "tools"}`
      if (warnings.length === 0) return { step, status: "ok", message }
      const hint = "Tell the server's author: the rest of the list is used."
      return { step, status: "failed", message: [message, ...warnings].join("; "), hint }
    }
  }
}

const skipped = (step: StepName, message: string): Step => ({ step, status: "skipped", message })

const failure = (step: StepName, { config, diagnostics }: Attempt, error: McpError): Step => {
  const { kind, message } = error
  if (kind === "disabled") {
    return { ...skipped(step, message), kind, hint: `Switch it on: harness9 mcp enable ${config.name}` }
  }
  const stderr = error.stderr ?? lastLines(diagnostics.stderr)
  return {
    step,
    status: "failed",
    kind,
    message,
    hint: error.hint ?? advice(config, step, error, diagnostics),
    ...(stderr !== "" && { stderr }),
    ...(diagnostics.skipped.length > 0 && { noise: diagnostics.skipped })
  }
}

/** What to do where the error itself does not say. */
const advice = (
  config: ServerConfig.ServerConfig,
  step: StepName,
  { kind, status }: McpError,
  { skipped }: Diagnostics
): string => {
  if (step === "config" || step === "expansion" || kind === "config") return correct(config)
  if (kind === "needs-auth") {
    return `Log in with: harness9 mcp login ${config.name}, or correct the credentials of the entry.`
  }
  if (status === 403) {
    return "The server refuses whoever asks: check the rights of the credentials, and whether this address is allowed to call."
  }
  switch (kind) {
    case "exit":
    case "spawn":
      return `Run it by hand to see more: ${commandLine(config)}`
    case "timeout":
      return timeoutAdvice(config, step, skipped.length > 0)
    case "network":
      return "Check the address in url, the network, and HTTPS_PROXY and NO_PROXY."
    case "http":
    case "session-lost":
      return "Check the path of the URL: many servers listen on /mcp."
    case "protocol":
      return config.protocolVersion === undefined
        ? "Update the server: it does not speak the protocol as it is written."
        : `Take "protocolVersion": "${config.protocolVersion}" out of the entry, or pin a revision that the server speaks.`
    case "too-large":
      return "Ask the server for less, with includeTools or its own settings."
    default:
      return `Look at what the server writes to its log; its address is ${commandLine(config)}`
  }
}

const timeoutAdvice = (config: ServerConfig.ServerConfig, step: StepName, isNoisy: boolean): string => {
  if (isNoisy) return "What it wrote to stdout is no message of MCP: is it an MCP server, and over stdio?"
  if (config.transport._tag !== "stdio") return "The address answers too late: try --connect-timeout 2m."
  return step === "handshake"
    ? `It runs and says nothing. Is it an MCP server over stdio? A first start may download for minutes: --connect-timeout 5m. By hand: ${commandLine(config)}`
    : "It answered before and is silent now: try --connect-timeout 2m."
}

const correct = ({ name, source }: ServerConfig.ServerConfig): string =>
  `Correct the entry "${name}"${source === undefined ? "" : ` in ${source}`}.`

const commandLine = (config: ServerConfig.ServerConfig): string =>
  Redact.mask(ServerConfig.address(config), config.secrets)

const lastLines = (stderr: string): string => stderr.trimEnd().split("\n").slice(-20).join("\n")
