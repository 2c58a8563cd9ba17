/**
 * The options that several commands share: one name and one meaning everywhere.
 *
 * @since 0.1.0
 */
import * as Flag from "./Flag.ts"

/**
 * The log levels, by the words of `--log-level`.
 *
 * @since 0.1.0
 * @category constants
 */
export const logLevels = ["debug", "info", "warning", "error", "none"] as const

/**
 * @since 0.1.0
 * @category options
 */
export const logLevel = Flag.choice(
  "log-level",
  logLevels,
  "How much to log to stderr; default: info for a run, else warning"
)

/**
 * @since 0.1.0
 * @category options
 */
export const config = Flag.text("config", "FILE", "Use this file alone, and start what it lists")

/**
 * @since 0.1.0
 * @category options
 */
export const model = Flag.text(
  "model",
  "PROVIDER/MODEL",
  "anthropic/…, openai/… or offline; default: $HARNESS9_MODEL, else the provider whose key is set, else offline"
)

/**
 * @since 0.1.0
 * @category options
 */
export const connectTimeout = Flag.duration("connect-timeout", "How long connecting to a server may take; default 30s")

/**
 * @since 0.1.0
 * @category options
 */
export const toolTimeout = Flag.duration("tool-timeout", "How long a tool call may take; default 60s")

/**
 * @since 0.1.0
 * @category options
 */
export const json = Flag.toggle("json", "One JSON document on stdout and nothing else there")

/**
 * @since 0.1.0
 * @category options
 */
export const allow = Flag.texts("allow", "PATTERN", "A tool that may run unasked: mcp__fs__*, bash(git status*)")

/**
 * @since 0.1.0
 * @category options
 */
export const yes = Flag.toggle("yes", "Every tool may run unasked")

/**
 * @since 0.1.0
 * @category options
 */
export const trust = Flag.toggle(
  "trust",
  "Trust this project in this run: start what its .mcp.json lists, allow what its harness9.json allows"
)

/**
 * @since 0.1.0
 * @category options
 */
export const sandbox = Flag.choice(
  "sandbox",
  ["workspace", "offline"],
  "Confine bash: it changes only the working directory; offline: and has no network"
)

/**
 * @since 0.1.0
 * @category options
 */
export const continueLast = Flag.toggle("continue", "Go on with the last session of this directory")

/**
 * @since 0.1.0
 * @category options
 */
export const resume = Flag.optionalText("resume", "ID", "Go on with a session; without ID: choose from a list")

/**
 * @since 0.1.0
 * @category options
 */
export const noSession = Flag.toggle("no-session", "Keep nothing of this conversation")

/**
 * What is given to every command that connects.
 *
 * @since 0.1.0
 * @category options
 */
export const connecting = { config, connectTimeout, trust }

/**
 * What is given to every command that talks with the model.
 *
 * @since 0.1.0
 * @category options
 */
export const conversing = {
  ...connecting,
  toolTimeout,
  model,
  allow,
  yes,
  sandbox,
  continue: continueLast,
  resume,
  noSession
}

/**
 * All of them.
 *
 * @since 0.1.0
 * @category options
 */
export const shared = [logLevel, json, ...Object.values(conversing)]
