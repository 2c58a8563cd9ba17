/**
 * What all servers offer together, under names that tell them apart: each entry as its server wrote it, but for its name.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isObject, type JsonObject } from "../mcp/JsonRpc.ts"
import * as ToolName from "../mcp/ToolName.ts"
import type { Tool } from "../tool/Tool.ts"
import type { ToolSet } from "../tool/ToolRegistry.ts"
import * as UriTemplate from "./internal/UriTemplate.ts"
import type { List, Upstreams } from "./Upstreams.ts"

/**
 * Whether names begin with their server's: always, or only where two servers have the same one.
 *
 * @since 0.1.0
 * @category models
 */
export type Prefix = "server" | "none"

/**
 * A tool that is offered.
 *
 * @since 0.1.0
 * @category models
 */
export interface OfferedTool {
  /** What clients call it. */
  readonly name: string
  readonly server: string
  /** The server's own name for it. */
  readonly own: string
  readonly tool: Tool
}

/**
 * A prompt, by the server that has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Located {
  readonly server: string
  /** The server's own name for it. */
  readonly own: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Catalogue {
  /** The tools of servers in the set, by the names that clients know. */
  readonly offered: (set: ToolSet) => ReadonlyMap<string, OfferedTool>
  readonly tools: (set: ToolSet) => Effect.Effect<ReadonlyArray<JsonObject>>
  readonly prompts: Effect.Effect<ReadonlyArray<JsonObject>>
  readonly resources: Effect.Effect<ReadonlyArray<JsonObject>>
  readonly templates: Effect.Effect<ReadonlyArray<JsonObject>>
  readonly findPrompt: (name: string) => Effect.Effect<Located | undefined>
  /** The servers that may have the resource, the likeliest first. */
  readonly findResource: (uri: string) => Effect.Effect<ReadonlyArray<string>>
  readonly findTemplate: (uriTemplate: string) => Effect.Effect<string | undefined>
}

const lists = {
  tools: { capability: "tools", method: "tools/list", field: "tools" },
  prompts: { capability: "prompts", method: "prompts/list", field: "prompts" },
  resources: { capability: "resources", method: "resources/list", field: "resources" },
  templates: { capability: "resources", method: "resources/templates/list", field: "resourceTemplates" }
} satisfies Record<string, List>

interface Entry {
  readonly server: string
  readonly value: JsonObject
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (upstreams: Upstreams, prefix: Prefix): Catalogue => {
  /** The entries of all servers, in the order of the configuration. */
  const collect = (list: List, read = upstreams.list): Effect.Effect<ReadonlyArray<Entry>> =>
    Effect.flatMap(upstreams.present, (servers) =>
      Effect.map(
        Effect.forEach(
          servers,
          (server) =>
            Effect.map(read(server, list), (entries) =>
              entries.flatMap((value) => (isObject(value) ? [{ server, value }] : []))
            ),
          { concurrency: "unbounded" }
        ),
        (all) => all.flat()
      )
    )

  const named = memo((set: ToolSet): ReadonlyMap<string, OfferedTool> => {
    const tools = set.tools.flatMap((tool) =>
      tool.origin._tag === "Mcp" ? [{ server: tool.origin.server, own: tool.origin.tool, full: tool.name, tool }] : []
    )
    return new Map(chosen(tools, prefix).map(({ full: _, ...offered }) => [offered.name, offered]))
  })

  const prompts = (read = upstreams.list) =>
    Effect.map(collect(lists.prompts, read), (entries) => {
      const all = entries.flatMap(({ server, value }) =>
        typeof value.name === "string"
          ? [{ server, own: value.name, full: ToolName.make(server, value.name), value }]
          : []
      )
      return chosen(all, prefix)
    })

  /** Looks in the lists as last seen, and in those of now only when it is not there. */
  const find = <A>(look: (read: Upstreams["list"]) => Effect.Effect<A | undefined>): Effect.Effect<A | undefined> =>
    Effect.flatMap(look(upstreams.seen), (found) =>
      found === undefined ? look(upstreams.list) : Effect.succeed(found)
    )

  /** The servers that list the resource, then those with a template that it may be of; nothing when there is none. */
  const having = Effect.fnUntraced(function* (uri: string, read: Upstreams["list"]) {
    const resources = yield* collect(lists.resources, read)
    const templates = yield* collect(lists.templates, read)
    const listed = resources.filter(({ value }) => value.uri === uri)
    const fitting = templates.filter(({ value }) => UriTemplate.fits(String(value.uriTemplate), uri))
    const servers = [...listed, ...fitting].map(({ server }) => server)
    return servers.length === 0 ? undefined : servers
  })

  const firstOf = (entries: ReadonlyArray<Entry>, key: string) => {
    const taken = new Set<unknown>()
    return entries.flatMap(({ value }) => {
      if (taken.has(value[key])) return []
      taken.add(value[key])
      return [value]
    })
  }

  return {
    offered: named,
    tools: (set) =>
      Effect.map(collect(lists.tools), (entries) => {
        const raw = new Map(
          [...entries].reverse().map(({ server, value }) => [`${server}\n${String(value.name)}`, value])
        )
        return [...named(set).values()].flatMap(({ name, own, server }) => {
          const value = raw.get(`${server}\n${own}`)
          return value === undefined ? [] : [{ ...withoutExecution(value), name }]
        })
      }),
    prompts: Effect.map(prompts(), (all) => all.map(({ name, value }) => ({ ...value, name }))),
    resources: Effect.map(collect(lists.resources), (entries) => firstOf(entries, "uri")),
    templates: Effect.map(collect(lists.templates), (entries) => firstOf(entries, "uriTemplate")),
    findPrompt: (name) =>
      find((read) => Effect.map(prompts(read), (all) => all.find((prompt) => prompt.name === name))),
    findResource: (uri) =>
      Effect.gen(function* () {
        const servers = yield* upstreams.present
        const likely = yield* find((read) => having(uri, read))
        return [...new Set([...(likely ?? []), ...servers])]
      }),
    findTemplate: (uriTemplate) =>
      find((read) =>
        Effect.map(
          collect(lists.templates, read),
          (entries) => entries.find(({ value }) => value.uriTemplate === uriTemplate)?.server
        )
      )
  }
}

/** The gateway runs the tasks of servers itself, and has none for its clients. */
const withoutExecution = ({ execution: _, ...tool }: JsonObject): JsonObject => tool

/** Gives each the name that clients know it by; of two with one name the first has it. */
const chosen = <A extends { readonly own: string; readonly full: string }>(
  all: ReadonlyArray<A>,
  prefix: Prefix
): ReadonlyArray<A & { readonly name: string }> => {
  const counts = new Map<string, number>()
  for (const { own } of all) counts.set(own, (counts.get(own) ?? 0) + 1)
  const taken = new Set<string>()
  return all.flatMap((entry) => {
    const name = prefix === "none" && counts.get(entry.own) === 1 ? entry.own : entry.full
    if (taken.has(name)) return []
    taken.add(name)
    return [{ ...entry, name }]
  })
}

/** Remembers the last answer, for an argument that stays the same for long. */
const memo = <A extends object, B>(compute: (value: A) => B): ((value: A) => B) => {
  const kept = new WeakMap<A, B>()
  return (value) => {
    const found = kept.get(value)
    if (found !== undefined) return found
    const computed = compute(value)
    kept.set(value, computed)
    return computed
  }
}
