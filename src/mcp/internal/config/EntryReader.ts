/**
 * One entry of a configuration file as the server that it means: transport chosen, variables put in, values checked.
 */
import { dirname, resolve } from "node:path"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { isObject } from "../../JsonRpc.ts"
import type { Sandbox } from "../../Sandbox.ts"
import type { Http, ServerConfig, Stdio } from "../../ServerConfig.ts"
import { type Node, toValue } from "./ConfigText.ts"
import * as EntryConsent from "./EntryConsent.ts"
import * as EntryFields from "./EntryFields.ts"
import { type Environment, expand } from "./Expansion.ts"
import * as HttpEntry from "./HttpEntry.ts"
import * as OAuthEntry from "./OAuthEntry.ts"
import * as Secrets from "./Secrets.ts"
import type { ServerEntry } from "./ServerEntry.ts"

export interface Surroundings {
  /** The file; absolute. */
  readonly path: string
  /** Where a program starts whose entry does not say. */
  readonly cwd: string
  readonly env: Environment
  /** The folder of the project that the file comes along with: its entries wait for a person's consent. */
  readonly project?: string | undefined
}

/** The server of an entry, or none when it cannot be connected: then the reasons have been reported. */
export const read = (
  name: string,
  node: Node,
  surroundings: Surroundings,
  report: EntryFields.Report
): Option.Option<ServerConfig> =>
  Option.flatMap(EntryFields.read(node, report), (fields) => {
    const kind = chooseTransport(fields.entry)
    if (Either.isLeft(kind)) {
      report(kind.left, node)
      return Option.none()
    }
    reportMeaningless(kind.right, fields, report)
    const { project } = surroundings
    const written = toValue(node)
    return Option.map(build(name, kind.right, fields, surroundings, report), (server) =>
      project === undefined || !isObject(written) ? server : { ...server, consent: EntryConsent.make(project, written) }
    )
  })

const kinds = {
  stdio: "stdio",
  local: "stdio",
  http: "http",
  "streamable-http": "http",
  streamable_http: "http",
  streamableHttp: "http",
  sse: "sse"
} as const

type Kind = (typeof kinds)[keyof typeof kinds]

const chooseTransport = ({ command, type, url }: ServerEntry): Either.Either<Kind, string> => {
  if (command === undefined && url === undefined) {
    return Either.left(`neither "command" (a program to start) nor "url" (an address) is given`)
  }
  if (type === undefined) {
    if (command !== undefined && url !== undefined) {
      return Either.left(`both "command" and "url" are given: keep one, or say which with "type"`)
    }
    return Either.right(command === undefined ? "http" : "stdio")
  }
  const needed = kinds[type] === "stdio" ? "command" : "url"
  if ((needed === "command" ? command : url) === undefined) {
    return Either.left(`"type" is ${type}, and "${needed}" is missing`)
  }
  return Either.right(kinds[type])
}

const fieldsOfStdio = ["command", "args", "env", "cwd", "inheritEnv", "sandbox"] as const
const fieldsOfHttp = ["url", "headers", "ca", "bearerTokenEnv", "headersHelper", "oauth"] as const

const reportMeaningless = (
  kind: Kind,
  { entry, label, nodeAt }: EntryFields.EntryFields,
  report: EntryFields.Report
) => {
  for (const field of kind === "stdio" ? fieldsOfHttp : fieldsOfStdio) {
    const value = entry[field]
    if (value === undefined || (typeof value === "object" && Object.keys(value).length === 0)) continue
    report(`"${label([field])}" means nothing to a server of type ${kind}; ignored`, nodeAt([field]))
  }
}

/** Puts the variables into texts, and remembers what it met. */
interface Expander {
  readonly text: (raw: string, ...path: ReadonlyArray<PropertyKey>) => string
  /** What a variable holds, by its name. The name is not told: a person may have written the value in its place. */
  readonly variable: (name: string, field: string) => string
  readonly values: ReadonlyArray<string>
  readonly unset: ReadonlyArray<EntryFields.Fault>
}

const makeExpander = (env: Environment): Expander => {
  const values: Array<string> = []
  const unset: Array<EntryFields.Fault> = []
  return {
    text: (raw, ...path) => {
      const expanded = expand(raw, env)
      values.push(...expanded.values)
      for (const variable of new Set(expanded.unset)) {
        unset.push({ path, message: `needs \${${variable}}, which is not set and has no default` })
      }
      return expanded.text
    },
    variable: (name, field) => {
      const value = Object.hasOwn(env, name) ? env[name] : undefined
      if (value === undefined) unset.push({ path: [field], message: "names a variable that is not set" })
      else values.push(value)
      return value ?? ""
    },
    values,
    unset
  }
}

const build = (
  name: string,
  kind: Kind,
  { entry, label, nodeAt }: EntryFields.EntryFields,
  surroundings: Surroundings,
  report: EntryFields.Report
): Option.Option<ServerConfig> => {
  const expander = makeExpander(surroundings.env)
  const transport = kind === "stdio" ? stdio(entry, surroundings, expander) : http(kind, entry, surroundings, expander)
  const disabled = entry.disabled === true || entry.enabled === false
  const isIncomplete = expander.unset.length > 0
  const faults = isIncomplete
    ? expander.unset
    : transport._tag === "stdio"
      ? stdioFaults(transport)
      : [...HttpEntry.faults(transport), ...HttpEntry.loginFaults(entry, transport)]
  const tell = ({ message, path }: EntryFields.Fault) => `"${label(path)}" ${message}`
  const mayStay = disabled && isIncomplete
  if (faults.length > 0 && !mayStay) {
    for (const fault of faults) report(tell(fault), nodeAt(fault.path))
    return Option.none()
  }
  return Option.some({
    name,
    transport,
    disabled,
    required: entry.required ?? false,
    connectTimeout: entry.connectTimeout,
    callTimeout: entry.timeout,
    includeTools: entry.includeTools,
    excludeTools: entry.excludeTools ?? [],
    defer: entry.defer,
    protocolVersion: entry.protocolVersion,
    limits: entry.limits,
    source: surroundings.path,
    unusable: mayStay ? faults.map(tell).join("; ") : undefined,
    secrets: Secrets.collect(transport, expander.values, surroundings.env)
  })
}

const stdio = (entry: ServerEntry, { cwd, env, path }: Surroundings, expander: Expander): Stdio => {
  const { args = [], command = "", env: variables = {} } = entry
  const [program, ...leading] =
    typeof command === "string"
      ? [expander.text(command, "command")]
      : command.map((part, index) => expander.text(part, "command", index))
  return {
    _tag: "stdio",
    command: fromHome(program ?? "", env),
    args: [...leading, ...args.map((argument, index) => expander.text(argument, "args", index))],
    env: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, expander.text(value, "env", name)])
    ),
    cwd: entry.cwd === undefined ? cwd : resolve(dirname(path), fromHome(expander.text(entry.cwd, "cwd"), env)),
    inheritEnv: entry.inheritEnv ?? false,
    sandbox: sandbox(entry.sandbox, (raw, index) =>
      resolve(dirname(path), fromHome(expander.text(raw, "sandbox", "writable", index), env))
    )
  }
}

const sandbox = (
  written: ServerEntry["sandbox"],
  absolute: (raw: string, index: number) => string
): Sandbox | undefined => {
  if (written === undefined || written === false) return undefined
  const { network = false, writable = [] } = written === true ? {} : written
  return { network, writable: writable.map(absolute) }
}

const http = (kind: "http" | "sse", entry: ServerEntry, { env, path }: Surroundings, expander: Expander): Http => {
  const { bearerTokenEnv, ca, headers = {}, oauth, url = "" } = entry
  const folder = dirname(path)
  const file = (raw: string, ...at: ReadonlyArray<PropertyKey>) =>
    resolve(folder, fromHome(expander.text(raw, ...at), env))
  const [program, ...args] =
    typeof entry.headersHelper === "string" ? [entry.headersHelper] : (entry.headersHelper ?? [])
  const bearer =
    bearerTokenEnv === undefined
      ? []
      : [["Authorization", `Bearer ${expander.variable(bearerTokenEnv, "bearerTokenEnv")}`]]
  return {
    _tag: kind,
    url: expander.text(url, "url").trim(),
    headers: Object.fromEntries([
      ...Object.entries(headers).map(([name, value]) => [name, expander.text(value, "headers", name).trim()]),
      ...bearer
    ]),
    ca: ca === undefined ? undefined : file(ca, "ca"),
    headersHelper:
      program === undefined
        ? undefined
        : {
            command: [
              fromHome(expander.text(program, "headersHelper"), env),
              ...args.map((argument, index) => expander.text(argument, "headersHelper", index + 1))
            ],
            cwd: folder
          },
    oauth: oauth === undefined ? undefined : OAuthEntry.build(oauth, { text: expander.text, path: file })
  }
}

const fromHome = (path: string, env: Environment): string => {
  const home = env.HOME ?? env.USERPROFILE
  return home === undefined ? path : path.replace(/^~(?=$|[/\\])/, () => home)
}

const stdioFaults = ({ args, command, cwd, env }: Stdio): ReadonlyArray<EntryFields.Fault> => {
  if (command.trim() === "") return [{ path: ["command"], message: "is empty" }]
  const texts: ReadonlyArray<readonly [ReadonlyArray<PropertyKey>, string]> = [
    [["command"], command],
    [["cwd"], cwd],
    ...args.map((argument) => [["args"], argument] as const),
    ...Object.entries(env).map(([name, value]) => [["env", name], value] as const)
  ]
  return texts
    .filter(([, text]) => text.includes("\0"))
    .map(([path]) => ({ path, message: "holds a NUL character, which no program can be given" }))
}
