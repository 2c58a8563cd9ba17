/**
 * The language of permission rules: `mcp__fs__*`, `bash(git status*)`, `write_file(src/**)`.
 *
 * A pattern is a tool name, in which `*` stands for any characters, and optionally a pattern of the call's main argument in
 * parentheses: the command of `bash`, the path of a file tool, the JSON of the arguments of any other tool.
 * A backslash makes the next character literal.
 *
 * Wildcards are careful, since a rule that matches too much is a hole: in a command `*` never stands for what joins or
 * substitutes commands (`;`, `&`, `|`, `` ` ``, `$(`, `<`, `>`, a line end); in a path `*` stays in one folder, `**` crosses
 * folders, and neither leaves the folder that the rule names.
 *
 * @since 0.1.0
 */
import { posix } from "node:path"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type { Tool } from "../tool/Tool.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface PermissionPattern {
  readonly source: string
  readonly name: string
  /** The pattern of the main argument; `undefined` matches every call of the tool. */
  readonly argument: string | undefined
}

/**
 * The part of a call that a rule looks at.
 *
 * @since 0.1.0
 * @category models
 */
export interface Call {
  readonly tool: Pick<Tool, "name" | "origin">
  readonly arguments: JsonObject
}

/**
 * Reads a pattern; `undefined` when it is none (nothing before the parenthesis, a parenthesis that is not closed).
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (source: string): PermissionPattern | undefined => {
  const match = /^([^()\s]+)(?:\(([\s\S]*)\))?$/.exec(source.trim())
  if (match?.[1] === undefined) return undefined
  return { source, name: match[1], argument: match[2] }
}

/**
 * Whether the rule covers the call. Paths are read from `directory`.
 *
 * @since 0.1.0
 * @category matching
 */
export const matches = (pattern: PermissionPattern, call: Call, directory: string): boolean => {
  if (!glob(pattern.name, call.tool.name, anything)) return false
  if (pattern.argument === undefined) return true
  const main = mainArgument(call)
  switch (main.kind) {
    case "command":
      return glob(pattern.argument, main.value, plainCommand)
    case "path":
      return glob(insideOf(directory, pattern.argument), relativePath(main.value, directory), oneFolder)
    case "json":
      return glob(pattern.argument, main.value, anything)
  }
}

/**
 * Whether the rule lets a server ask the model: `sampling(SERVER)`. The name has to be written out: `*` stands for tools.
 *
 * @since 0.1.0
 * @category matching
 */
export const allowsSampling = ({ argument, name }: PermissionPattern, server: string): boolean =>
  name === "sampling" && (argument === undefined || glob(argument, server, anything))

/**
 * The pattern that lets this server ask the model, and no other.
 *
 * @since 0.1.0
 * @category constructors
 */
export const sampling = (server: string): string => `sampling(${server.replace(/[*\\]/g, "\\$&")})`

/**
 * The narrowest pattern that covers the call: what a person is told to allow.
 *
 * @since 0.1.0
 * @category constructors
 */
export const exact = (call: Call): string => {
  const main = mainArgument(call)
  return main.kind === "json" ? call.tool.name : `${call.tool.name}(${main.value.replace(/[*\\]/g, "\\$&")})`
}

type MainArgument = { readonly kind: "command" | "path" | "json"; readonly value: string }

const mainArgument = (call: Call): MainArgument => {
  const { command, path } = call.arguments
  if (call.tool.origin._tag === "Builtin" && typeof command === "string") return { kind: "command", value: command }
  if (call.tool.origin._tag === "Builtin" && typeof path === "string") return { kind: "path", value: path }
  return { kind: "json", value: JSON.stringify(call.arguments) }
}

// What one star, two stars, and two stars with a slash stand for.
interface Wildcards {
  readonly one: string
  readonly many: string
  readonly folders: string
}

const anything: Wildcards = { one: "[\\s\\S]*", many: "[\\s\\S]*", folders: "[\\s\\S]*/" }

const noJoining = "(?:[^;&|`<>\\n\\r$]|\\$(?![({]))*"
const plainCommand: Wildcards = { one: noJoining, many: noJoining, folders: `${noJoining}/` }

// A path outside the directory is absolute here: no wildcard stands for its first slash.
const oneFolder: Wildcards = { one: "[^/]*", many: "(?!/)[\\s\\S]*", folders: "(?:(?!/)[\\s\\S]*/)?" }

/** A path in the directory as seen from there, without `.` and `..`; any other as an absolute one. */
const relativePath = (path: string, directory: string): string => {
  const absolute = posix.resolve(directory, path)
  return absolute === posix.resolve(directory) ? "." : insideOf(directory, absolute)
}

const insideOf = (directory: string, path: string): string => {
  const root = `${posix.resolve(directory).replace(/\/$/, "")}/`
  return path.startsWith(root) ? path.slice(root.length) : path.replace(/^\.\//, "")
}

/** Several wildcards make matching slow on long texts, which the model writes: those need a person, or a rule without. */
const longest = 4096

const glob = (pattern: string, text: string, wildcards: Wildcards): boolean => {
  let count = 0
  const body = pattern.replace(/\\([\s\S])|(\*\*\/)|(\*+)|([\s\S])/g, (_, escaped, folders, stars, plain) => {
    if (folders === undefined && stars === undefined) return literal(escaped ?? plain)
    count += 1
    if (folders !== undefined) return wildcards.folders
    return stars.length > 1 ? wildcards.many : wildcards.one
  })
  return (count < 2 || text.length <= longest) && new RegExp(`^${body}$`).test(text)
}

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&")
