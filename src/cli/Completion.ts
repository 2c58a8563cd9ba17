/**
 * What may stand next on a command line: commands, options and their values, the names of servers, tools and hosts.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { hosts } from "../mcp/import/Host.ts"
import * as McpConfig from "../mcp/McpConfig.ts"
import * as ToolName from "../mcp/ToolName.ts"
import * as BuiltinName from "../tool/BuiltinName.ts"
import { route } from "./argv.ts"
import type { Command } from "./Command.ts"
import type { Entry } from "./commands.ts"
import type { Flag } from "./Flag.ts"
import * as options from "./options.ts"
import * as ToolCache from "./ToolCache.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Candidate {
  readonly value: string
  readonly description: string
}

/**
 * The shells that there are completions for.
 *
 * @since 0.1.0
 * @category constants
 */
export const shells = ["bash", "zsh", "fish"] as const

type Candidates = Effect.Effect<ReadonlyArray<Candidate>, never, FileSystem.FileSystem>

/**
 * What the last of these words may become; the words are those after the program's name. None where a file or a text of one's own
 * belongs.
 *
 * @since 0.1.0
 * @category getters
 */
export const candidates = (line: ReadonlyArray<string>, entries: ReadonlyArray<Entry>): Candidates =>
  Effect.gen(function* () {
    const words = joined(line)
    const before = words.slice(0, -1)
    const current = words.at(-1) ?? ""
    const found = yield* possible(before, current, entries)
    return found.filter(({ value }) => value.startsWith(current) && isPlain(value))
  })

/** A shell may have split an option from its value: `--config`, `=`, `FILE`. */
const joined = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word, index) => !(word === "=" && words[index - 1]?.startsWith("--") && index < words.length - 1))

/** Nothing that a shell would read as more than a word: the names of tools are chosen by servers. */
const isPlain = (value: string): boolean => /^[\p{L}\p{N}_.@/+-]+$/u.test(value)

const possible = (before: ReadonlyArray<string>, current: string, entries: ReadonlyArray<Entry>): Candidates => {
  if (before.includes("--")) return Effect.succeed([])
  const names = entries.map(({ name }) => name)
  const found = route(before, names, options.shared)
  switch (found._tag) {
    case "Unknown":
      return Effect.succeed([])
    case "Group":
      return Effect.succeed(nextWords(entries, `${found.group} `))
    case "Found": {
      const entry = entries.find(({ name }) => name === found.command)
      if (entry === undefined) return Effect.succeed([])
      const next = nextWords(entries, found.command === "" ? "" : `${found.command} `)
      return Effect.flatMap(Effect.promise(entry.load), ({ command }) => ofCommand(command, found.rest, current, next))
    }
  }
}

/** The next word of each command that begins so. */
const nextWords = (entries: ReadonlyArray<Entry>, prefix: string): ReadonlyArray<Candidate> => {
  const words = new Map<string, string>()
  for (const { name, summary } of entries) {
    if (name === "" || !name.startsWith(prefix)) continue
    const [word = "", ...more] = name.slice(prefix.length).split(" ")
    if (!words.has(word)) words.set(word, more.length === 0 ? summary : `${prefix}${word} commands`)
  }
  return [...words].map(([value, description]) => ({ value, description }))
}

/** `next` are the commands that may stand in the place of an argument. */
const ofCommand = (
  { args, flags }: Command,
  words: ReadonlyArray<string>,
  current: string,
  next: ReadonlyArray<Candidate>
): Candidates => {
  const { given, open, positional } = read(words, flags)
  if (open !== undefined) return ofLabel(open.value ?? "", words, [])
  if (current.startsWith("-")) {
    const left = flags.filter(({ name, repeatable }) => repeatable || !given.has(name))
    return Effect.succeed([
      ...left.map(({ name, summary }) => ({ value: `--${name}`, description: summary })),
      { value: "--help", description: "Show help" }
    ])
  }
  const argument = args[Math.min(positional.length, args.length - 1)]
  const isFull = positional.length >= args.length && argument?.label.includes("…") !== true
  return argument === undefined || isFull ? Effect.succeed(next) : ofLabel(argument.label, words, positional)
}

interface Read {
  readonly given: ReadonlySet<string>
  /** The option whose value comes next. */
  readonly open: Flag<unknown> | undefined
  readonly positional: ReadonlyArray<string>
}

const read = (words: ReadonlyArray<string>, flags: ReadonlyArray<Flag<unknown>>): Read => {
  const given = new Set<string>()
  const positional: Array<string> = []
  let open: Flag<unknown> | undefined
  for (const word of words) {
    const [, name, inline] = /^--([^=]+)(=?)/.exec(word) ?? []
    if (open !== undefined) open = undefined
    else if (name === undefined) positional.push(word)
    else {
      given.add(name)
      const flag = flags.find((known) => known.name === name)
      open = inline === "" && flag?.value !== undefined ? flag : undefined
    }
  }
  return { given, open, positional }
}

/** By what help calls a value: `SERVER`, `[SERVER]`, `text|json`. */
const ofLabel = (label: string, words: ReadonlyArray<string>, positional: ReadonlyArray<string>): Candidates => {
  const name = label.replace(/^\[|\]$/g, "")
  switch (name) {
    case "SERVER":
    case "NAME":
      return Effect.map(servers(words), (all) =>
        all.map((server) => ({ value: server.name, description: `${server.transport._tag} server` }))
      )
    case "TOOL":
      return Effect.gen(function* () {
        // Of `harness9 permissions` it is the first argument, and a name as the model sees it.
        if (positional.length === 0) return yield* allTools(words)
        const server = (yield* servers(words)).find((known) => known.name === positional[0])
        const tools = server === undefined ? [] : yield* ToolCache.recall(server)
        return tools.map((value) => ({ value, description: `tool of ${positional[0]}` }))
      })
    case "FROM":
      return Effect.succeed(hosts.map(({ id, title }) => ({ value: id, description: title })))
    case "SHELL":
      return Effect.succeed(shells.map((value) => ({ value, description: "" })))
    default:
      return Effect.succeed(
        /^[a-z-]+(\|[a-z-]+)+$/.test(name) ? name.split("|").map((value) => ({ value, description: "" })) : []
      )
  }
}

const allTools = (words: ReadonlyArray<string>): Candidates =>
  Effect.gen(function* () {
    const remote = yield* Effect.forEach(yield* servers(words), (server) =>
      Effect.map(ToolCache.recall(server), (tools) =>
        tools.map((tool) => ({ value: ToolName.make(server.name, tool), description: `tool of ${server.name}` }))
      )
    )
    return [...BuiltinName.all.map((value) => ({ value, description: "built in" })), ...remote.flat()]
  })

/** The servers of the configuration that the words name. Nothing is connected. */
const servers = (words: ReadonlyArray<string>) => {
  const at = words.lastIndexOf("--config")
  const inline = words.findLast((word) => word.startsWith("--config="))
  const file = at === -1 ? inline?.slice("--config=".length) : words[at + 1]
  return McpConfig.load({ file }).pipe(
    Effect.map((config) => config.servers),
    Effect.orElseSucceed(() => [])
  )
}
