/**
 * A rule of an administrator's list: which servers it is about.
 *
 * A rule that forbids looks at every form of a thing, one that allows at the one form that cannot be imitated.
 */
import { basename } from "node:path"
import type { ServerConfig } from "../ServerConfig.ts"
import * as Glob from "./Glob.ts"

/** Patterns in which `*` is any text and `?` any one character. */
export type ServerRule = { readonly name: string } | { readonly command: string } | { readonly url: string }

/** Whether the rule forbids the server. */
export const forbids = (rule: ServerRule, server: ServerConfig): boolean =>
  "command" in rule
    ? programs(server)
        .flatMap(({ args, command }) => [...lines(command, args), ...lines(basename(command), args)])
        .some(Glob.matcher([rule.command]))
    : fits(rule, server)

/** Whether the rules allow the server. Anyone can take a name: one counts only where no rule is about programs or addresses. */
export const allow = (rules: ReadonlyArray<ServerRule>, server: ServerConfig): boolean => {
  const field = server.transport._tag === "stdio" ? "command" : "url"
  const telling = rules.filter((rule) => field in rule)
  const counting = telling.length > 0 ? telling : rules.filter((rule) => "name" in rule)
  return counting.some((rule) => fits(rule, server))
}

const fits = (rule: ServerRule, { name, transport }: ServerConfig): boolean => {
  if ("name" in rule) return Glob.matcher([rule.name])(name)
  if ("url" in rule) return transport._tag !== "stdio" && address(rule.url)(transport.url)
  if (transport._tag !== "stdio" || choosesPrograms(transport.env, transport.command)) return false
  return lines(transport.command, transport.args).some(Glob.matcher([rule.command]))
}

/** With a `PATH` of its own an entry says itself which program a name means. */
const choosesPrograms = (env: Readonly<Record<string, string>>, command: string): boolean =>
  !/[/\\]/.test(command) && Object.keys(env).some((name) => name.toUpperCase() === "PATH")

/** A pattern may be about the program, or about the whole command line. */
const lines = (command: string, args: ReadonlyArray<string>): ReadonlyArray<string> => [
  command,
  [command, ...args].join(" ")
]

const programs = ({ transport }: ServerConfig) => {
  if (transport._tag === "stdio") return [transport]
  const [command, ...args] = transport.headersHelper?.command ?? []
  return command === undefined ? [] : [{ command, args }]
}

/** `https://*.example.com/mcp/*`: scheme and path may be left out, and a `*` never goes beyond its part of the address. */
const address = (pattern: string): ((url: string) => boolean) => {
  const [, scheme, host = "", path] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/]*)(\/.*)?$/is.exec(pattern) ?? []
  const isHost = Glob.matcher([host.toLowerCase()])
  const isPath = path === undefined ? () => true : Glob.matcher([path])
  return (text) => {
    if (!URL.canParse(text)) return false
    const url = new URL(text)
    return (
      (scheme === undefined || url.protocol === `${scheme.toLowerCase()}:`) &&
      isHost(url.host.replace(/\.(?=$|:)/, "")) &&
      isPath(url.pathname)
    )
  }
}
