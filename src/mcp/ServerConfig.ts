/**
 * One server of the configuration, checked and expanded: what is needed to connect to it.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import type { ProtocolVersion } from "./ProtocolVersion.ts"

/**
 * A server that is started as a program and spoken to over its stdin and stdout.
 *
 * @since 0.1.0
 * @category models
 */
export interface Stdio {
  readonly _tag: "stdio"
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The entry's own variables, on top of the inherited ones. */
  readonly env: Readonly<Record<string, string>>
  /** Absolute. */
  readonly cwd: string
  /** Give the child harness9's whole environment instead of the minimal one. */
  readonly inheritEnv: boolean
}

/**
 * A server that is reached over HTTP: Streamable HTTP (`http`) or the HTTP+SSE of 2024-11-05 (`sse`).
 *
 * @since 0.1.0
 * @category models
 */
export interface Http {
  readonly _tag: "http" | "sse"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A PEM file with extra certificate authorities; absolute. */
  readonly ca?: string | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ServerConfig {
  readonly name: string
  readonly transport: Stdio | Http
  /** A disabled server is listed, and never started or contacted. */
  readonly disabled: boolean
  /** A run without this server is no run: `harness9 run` ends when it cannot be connected. */
  readonly required: boolean
  /** How long connecting may take, handshake and first lists included. Default: 30 seconds. */
  readonly connectTimeout?: Duration.Duration | undefined
  /** How long a tool call may take. Default: 60 seconds. */
  readonly callTimeout?: Duration.Duration | undefined
  /** Glob patterns over the server's own tool names; only these are offered. */
  readonly includeTools?: ReadonlyArray<string> | undefined
  /** Glob patterns over the server's own tool names; these are not offered. */
  readonly excludeTools: ReadonlyArray<string>
  /** Speak this revision and no other. */
  readonly protocolVersion?: ProtocolVersion | undefined
  /** The file that the entry stands in; absolute. Not there for entries made by a program. */
  readonly source?: string | undefined
  /**
   * Why a listed server cannot be connected, should it be enabled: a disabled entry whose variables are not set.
   * Connecting fails with this text, before anything is started or contacted.
   */
  readonly unusable?: string | undefined
  /**
   * Values in this entry that came from the environment or look like credentials: they are masked, by value, wherever
   * text is shown.
   */
  readonly secrets: ReadonlyArray<string>
}

/**
 * The program or address of a server in a word, without secrets: for tables and errors.
 *
 * @since 0.1.0
 * @category formatting
 */
export const address = (config: ServerConfig): string => {
  const { transport } = config
  if (transport._tag === "stdio") return [transport.command, ...transport.args].join(" ")
  try {
    const url = new URL(transport.url)
    return `${url.protocol}//${url.host}${url.pathname}`
  } catch {
    return transport.url
  }
}

/**
 * A stdio server from a program, for embedders: everything that is not given has the default of the file format.
 *
 * @since 0.1.0
 * @category constructors
 */
export const stdio = (
  name: string,
  options: Pick<Stdio, "command"> & Partial<Omit<Stdio, "_tag">> & Partial<Omit<ServerConfig, "name" | "transport">>
): ServerConfig => {
  const { command, args = [], env = {}, cwd = process.cwd(), inheritEnv = false, ...rest } = options
  return { ...defaults, ...rest, name, transport: { _tag: "stdio", command, args, env, cwd, inheritEnv } }
}

/**
 * An HTTP server from an address, for embedders.
 *
 * @since 0.1.0
 * @category constructors
 */
export const http = (
  name: string,
  options: Pick<Http, "url"> & Partial<Omit<Http, "_tag">> & Partial<Omit<ServerConfig, "name" | "transport">>
): ServerConfig => {
  const { url, headers = {}, ca, ...rest } = options
  return { ...defaults, ...rest, name, transport: { _tag: "http", url, headers, ca } }
}

const defaults = { disabled: false, required: false, excludeTools: [], secrets: [] }
