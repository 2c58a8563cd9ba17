/**
 * The language of permission rules: `mcp__fs__*`, `bash(git status*)`, `write_file(src/**)`.
 *
 * A pattern is a tool name, in which `*` stands for any characters, and optionally a pattern of the call's main argument in
 * parentheses: the command of `bash`, the path of a file tool, the JSON of the arguments of any other tool.
 * A backslash makes the next character literal.
 *
 * A rule that allows must not match too much: in a command its `*` never stands for what joins or substitutes commands (`;`, `&`,
 * `|`, `` ` ``, `$(`, `<`, `>`, a line end); in a path `*` stays in one folder, `**` crosses folders, and neither leaves the folder that
 * the rule names, by `..` or by a link. A rule that asks or denies must not match too little: it looks at each command of a line, and at a
 * path both as it is written and where it leads.
 *
 * @since 0.1.0
 */
import { posix } from "node:path"
import * as CanonicalJson from "../mcp/internal/CanonicalJson.ts"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type { Tool } from "../tool/Tool.ts"
import * as CommandParts from "./internal/CommandParts.ts"
import * as Wildcard from "./internal/Wildcard.ts"

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
 * Where a call's path is read from, and where it leads when links are followed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Place {
  readonly directory: string
  /** The real paths of the directory and of the call's path; absolute. */
  readonly real?: { readonly directory: string; readonly path: string } | undefined
}

/**
 * The path that a call is about, absolute, if it is about one.
 *
 * @since 0.1.0
 * @category getters
 */
export const pathOf = (call: Call, directory: string): string | undefined => {
  const main = mainArgument(call)
  return main.kind === "path" ? posix.resolve(directory, main.value) : undefined
}

/**
 * Whether a rule that allows covers the call: nothing of the call may be beyond the rule.
 *
 * @since 0.1.0
 * @category matching
 */
export const covers = (pattern: PermissionPattern, call: Call, place: Place): boolean =>
  fits(pattern, call, place, {
    command: (argument, line) => Wildcard.matches(argument, line, plainCommand),
    path: (spellings) => spellings.every(([rule, path]) => Wildcard.matches(rule, path, oneFolder))
  })

/**
 * Whether a rule that asks or denies is about the call: that any part of the call fits is enough.
 *
 * @since 0.1.0
 * @category matching
 */
export const touches = (pattern: PermissionPattern, call: Call, place: Place): boolean =>
  fits(pattern, call, place, {
    // A rule about several commands is looked for everywhere in the line.
    command: (argument, line) =>
      CommandParts.isJoined(argument)
        ? Wildcard.matches(`*${argument}*`, line, anything)
        : [line, ...CommandParts.of(line)].some((part) => Wildcard.matches(argument, part, anything)),
    path: (spellings) =>
      spellings.some(([rule, path]) =>
        // A folder itself is as good as what is in it.
        [path, `${path}/`].some((shown) => Wildcard.matches(rule, shown, anyFolder))
      )
  })

/** How the two kinds of rules look at what a call is about. */
interface Look {
  readonly command: (argument: string, line: string) => boolean
  readonly path: (spellings: ReturnType<typeof paths>) => boolean
}

const fits = ({ argument, name }: PermissionPattern, call: Call, place: Place, look: Look): boolean => {
  if (!Wildcard.matches(name, call.tool.name, anything)) return false
  if (argument === undefined) return true
  const main = mainArgument(call)
  switch (main.kind) {
    case "command":
      return look.command(argument, main.value)
    case "path":
      return look.path(paths(argument, main.value, place))
    case "json":
      return json(call).some((text) => Wildcard.matches(argument, text, anything))
  }
}

/**
 * Whether the rule lets a server ask the model: `sampling(SERVER)`. The name has to be written out: `*` stands for tools.
 *
 * @since 0.1.0
 * @category matching
 */
export const allowsSampling = ({ argument, name }: PermissionPattern, server: string): boolean =>
  name === "sampling" && (argument === undefined || Wildcard.matches(argument, server, anything))

/**
 * The pattern that lets this server ask the model, and no other.
 *
 * @since 0.1.0
 * @category constructors
 */
export const sampling = (server: string): string => `sampling(${server.replace(/[*\\]/g, "\\$&")})`

/**
 * The narrowest pattern that covers the call: this command, this file, or the tool. What a person is told to allow.
 *
 * @since 0.1.0
 * @category constructors
 */
export const exact = (call: Call, directory: string = process.cwd()): string => {
  const main = mainArgument(call)
  if (main.kind === "json") return call.tool.name
  const value = main.kind === "path" ? relativePath(main.value, directory) : main.value
  return `${call.tool.name}(${value.replace(/[*\\]/g, "\\$&")})`
}

type MainArgument = { readonly kind: "command" | "path" | "json"; readonly value: string }

const mainArgument = (call: Call): MainArgument => {
  const { command, path } = call.arguments
  if (call.tool.origin._tag === "Builtin" && typeof command === "string") return { kind: "command", value: command }
  if (call.tool.origin._tag === "Builtin" && typeof path === "string") return { kind: "path", value: path }
  return { kind: "json", value: JSON.stringify(call.arguments) }
}

/** With keys in the order in which the model wrote them, and in the one of the alphabet. */
const json = ({ arguments: args }: Call): ReadonlyArray<string> => [JSON.stringify(args), CanonicalJson.stringify(args)]

/** The rule's argument and the path, both as seen from the directory: as written, and with links followed. */
const paths = (
  argument: string,
  path: string,
  { directory, real }: Place
): ReadonlyArray<readonly [rule: string, path: string]> => {
  const rule = insideOf(directory, argument)
  const written = [rule, relativePath(path, directory)] as const
  return real === undefined ? [written] : [written, [rule, relativePath(real.path, real.directory)]]
}

const any: Wildcard.Span = { allows: () => true }
const anything: Wildcard.Wildcards = { one: any, many: any, folders: any }

const plain: Wildcard.Span = {
  allows: (text, index) =>
    !/[;&|`<>\n\r]/.test(text.charAt(index)) && !(text.charAt(index) === "$" && /[({]/.test(text.charAt(index + 1)))
}
const plainCommand: Wildcard.Wildcards = { one: plain, many: plain, folders: plain }

// A path outside the directory is absolute here: no wildcard stands for its first slash.
const nested: Wildcard.Span = { allows: () => true, begins: (text, index) => text.charAt(index) !== "/" }
const segment: Wildcard.Span = { allows: (text, index) => text.charAt(index) !== "/" }
const oneFolder: Wildcard.Wildcards = { one: segment, many: nested, folders: nested }
const anyFolder: Wildcard.Wildcards = { one: segment, many: any, folders: any }

/** A path in the directory as seen from there, without `.` and `..`; any other as an absolute one. */
const relativePath = (path: string, directory: string): string => {
  const absolute = posix.resolve(directory, path)
  return absolute === posix.resolve(directory) ? "." : insideOf(directory, absolute)
}

const insideOf = (directory: string, path: string): string => {
  const root = `${posix.resolve(directory).replace(/\/$/, "")}/`
  return path.startsWith(root) ? path.slice(root.length) : path.replace(/^\.\//, "")
}
