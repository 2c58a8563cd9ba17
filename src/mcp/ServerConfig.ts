/**
 * One server of the configuration, checked and expanded: what is needed to connect to it.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import type { JsonObject } from "./JsonRpc.ts"
import type * as Limits from "./Limits.ts"
import type { ProtocolVersion } from "./ProtocolVersion.ts"
import type { Sandbox } from "./Sandbox.ts"

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
  /** Confines the program; one that cannot be confined is not started. */
  readonly sandbox?: Sandbox | undefined
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
  /** A program that prints the headers to send. */
  readonly headersHelper?: HeadersHelper | undefined
  /** How to log in, where the server wants that. Without it: as a person, with a client that registers itself. */
  readonly oauth?: OAuth | undefined
}

/**
 * A program that prints headers as a JSON object: run at the first message, and again when the server does not accept them.
 *
 * @since 0.1.0
 * @category models
 */
export interface HeadersHelper {
  /** The program and its arguments; no shell is between. It gets the host's whole environment. */
  readonly command: readonly [string, ...ReadonlyArray<string>]
  /** Absolute. */
  readonly cwd: string
  /** How long it may take. Default: 10 seconds. */
  readonly timeout?: Duration.Duration | undefined
}

/**
 * A credential that stands in the entry, or in a file that is read each time it is needed.
 *
 * @since 0.1.0
 * @category models
 */
export type Credential =
  | { readonly _tag: "text"; readonly text: string }
  | { readonly _tag: "file"; readonly path: string }

/**
 * How harness9 gets a token for an HTTP server.
 *
 * - `authorization_code`: a person logs in with a browser
 * - `client_credentials`: a machine account, by its secret or its key
 * - `jwt_bearer`: a workload, by the token of its platform (RFC 7523)
 * - `enterprise`: a person, by the ID token of the company's identity provider (ID-JAG)
 *
 * @since 0.1.0
 * @category models
 */
export interface OAuth {
  readonly grant: "authorization_code" | "client_credentials" | "jwt_bearer" | "enterprise"
  /** The client that is registered with the authorization server beforehand. */
  readonly clientId?: string | undefined
  readonly clientSecret?: Credential | undefined
  /** A key in PEM form: the client authenticates with assertions that it signs (`private_key_jwt`). */
  readonly privateKey?: Credential | undefined
  /** The JWS algorithm of the assertions. Default: the usual one of the key. */
  readonly signingAlgorithm?: string | undefined
  /** The address of a document that describes the client, used as its id where the authorization server reads such. */
  readonly clientMetadataUrl?: string | undefined
  /** The authorization server that the client belongs to; no other one is used. */
  readonly issuer?: string | undefined
  readonly scopes?: ReadonlyArray<string> | undefined
  /** The port that the browser is sent back to. Default: a free one. */
  readonly callbackPort?: number | undefined
  /** Whether to ask for tokens that are bound to a key (DPoP). Default: when the server speaks of it. */
  readonly dpop?: boolean | undefined
  /** The workload's token (`jwt_bearer`). */
  readonly assertion?: Credential | undefined
  readonly identityProvider?: IdentityProvider | undefined
}

/**
 * The company's identity provider (`enterprise`).
 *
 * @since 0.1.0
 * @category models
 */
export interface IdentityProvider {
  readonly tokenEndpoint: string
  readonly clientId: string
  readonly clientSecret?: Credential | undefined
  /** What the person got when they logged in there. */
  readonly idToken: Credential
}

/**
 * What a person has to agree to before an entry that came along with a project is started or contacted.
 *
 * @since 0.1.0
 * @category models
 */
export interface Consent {
  /** The folder of the project; absolute. */
  readonly project: string
  /** Of the entry as it is written, whether it is switched on aside: another entry asks anew. */
  readonly digest: string
  /** The entry as it is written, with its credentials masked, for the person. */
  readonly entry: JsonObject
  /** The person's own entry of the same name: used instead for as long as nobody has agreed. */
  readonly hides?: ServerConfig | undefined
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
  /** Whether a model has to search for the tools before it is offered them. Default: `auto`, when there are too many. */
  readonly defer?: boolean | "auto" | undefined
  /** Speak this revision and no other. */
  readonly protocolVersion?: ProtocolVersion | undefined
  /** How much the server may send, list, ask and be asked, where it is not the default. */
  readonly limits?: Limits.Settings | undefined
  /** The file that the entry stands in; absolute. Not there for entries made by a program. */
  readonly source?: string | undefined
  /** What is still wanted of a person: the server is listed, and neither started nor contacted before. */
  readonly consent?: Consent | undefined
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
  const { command, args = [], env = {}, cwd = process.cwd(), inheritEnv = false, sandbox, ...rest } = options
  return { ...defaults, ...rest, name, transport: { _tag: "stdio", command, args, env, cwd, inheritEnv, sandbox } }
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
  const { url, headers = {}, ca, headersHelper, oauth, ...rest } = options
  return { ...defaults, ...rest, name, transport: { _tag: "http", url, headers, ca, headersHelper, oauth } }
}

const defaults = { disabled: false, required: false, excludeTools: [], secrets: [] }
