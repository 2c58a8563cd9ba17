/**
 * The skills of all connected servers, as the model is told of them and reads them.
 *
 * The model is told names and descriptions, and reads a skill when it needs it, with `read_skill`. Servers are known by their names
 * in the configuration, and a skill by its server and its own name, so that none can pass for another's.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as McpClient from "../mcp/McpClient.ts"
import type { McpError } from "../mcp/McpError.ts"
import * as McpManager from "../mcp/McpManager.ts"
import type { ServerStatus } from "../mcp/ServerStatus.ts"
import * as Skills from "../mcp/Skills.ts"
import * as ReadSkill from "./builtin/ReadSkill.ts"
import * as SkillPrompt from "./internal/SkillPrompt.ts"
import * as ToolRegistry from "./ToolRegistry.ts"

/**
 * The skills that a server lists.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServerSkills {
  readonly server: string
  readonly skills: ReadonlyArray<Skills.Skill>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** By server, in the order of their names. Waits a few seconds for servers that have just been connected. */
  readonly skills: Effect.Effect<ReadonlyArray<ServerSkills>>
  /** What the system prompt says of them: nothing when there are none. Bounded. */
  readonly prompt: Effect.Effect<string>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class SkillCatalogue extends Context.Tag("harness9/SkillCatalogue")<SkillCatalogue, Service>() {}

/** The skills of a connection. */
interface Entry {
  readonly client: McpClient.Service
  readonly listing: Fiber.RuntimeFiber<void>
  skills: ReadonlyArray<Skills.Skill>
}

/**
 * Follows the Manager while the scope is open: lists what servers have, and puts `read_skill` into the registry for as long as
 * there is something to read.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  manager: McpManager.Service,
  registry: ToolRegistry.Service
): Effect.fn.Return<Service, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const entries = new Map<string, Entry>()
  const tool = ReadSkill.make({
    client: manager.client,
    listed: (server) => entries.get(server)?.skills ?? []
  })

  const list = (client: McpClient.Service) =>
    Effect.matchEffect(Skills.list(client), {
      onSuccess: ({ skills, warnings }) => Effect.as(Effect.forEach(warnings, warnOf(client.server)), skills),
      onFailure: (error: McpError) => Effect.as(warnOf(client.server)(error.message), [])
    })

  /** Lists what a new connection has. Nobody waits for it. */
  const open = Effect.fnUntraced(function* (server: string, client: McpClient.Service) {
    const listing = yield* Effect.forkIn(
      Effect.flatMap(list(client), (skills) => {
        const entry = entries.get(server)
        if (entry?.client !== client) return Effect.void
        entry.skills = skills
        return offer
      }),
      scope
    )
    entries.set(server, { client, listing, skills: entries.get(server)?.skills ?? [] })
  })

  const offer = Effect.suspend(() =>
    [...entries.values()].some(({ skills }) => skills.length > 0)
      ? registry.register(source, [tool])
      : registry.unregister(source.id)
  )

  const step = Effect.fnUntraced(function* (statuses: ReadonlyArray<ServerStatus>) {
    const kept = new Set(statuses.flatMap((status) => (mayHaveSkills(status) ? [status.name] : [])))
    const gone = [...entries.keys()].filter((name) => !kept.has(name))
    for (const name of gone) entries.delete(name)
    if (gone.length > 0) yield* offer
    for (const status of statuses) {
      if (status._tag !== "Connected" || !Skills.isSupported(status)) continue
      const client = yield* Effect.option(manager.client(status.name))
      if (client._tag === "Some" && entries.get(status.name)?.client !== client.value) {
        yield* open(status.name, client.value)
      }
    }
  })
  const inStep = (yield* Effect.makeSemaphore(1)).withPermits(1)
  yield* Effect.forkScoped(Stream.runForEach(manager.changes, (statuses) => inStep(step(statuses))))

  const skills = Effect.gen(function* () {
    yield* inStep(Effect.flatMap(manager.statuses, step))
    const listings = Effect.forEach([...entries.values()], ({ listing }) => Fiber.await(listing), { discard: true })
    yield* Effect.timeoutOption(listings, patience)
    return [...entries]
      .map(([server, { skills }]) => ({ server, skills }))
      .sort((a, b) => (a.server < b.server ? -1 : 1))
  })

  return { skills, prompt: Effect.map(skills, SkillPrompt.make) }
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<SkillCatalogue, never, McpManager.McpManager | ToolRegistry.ToolRegistry> =
  Layer.scoped(
    SkillCatalogue,
    Effect.gen(function* () {
      return yield* make(yield* McpManager.McpManager, yield* ToolRegistry.ToolRegistry)
    })
  )

/** How long a prompt waits for a server that has not yet said what it has. */
const patience = "3 seconds"

const source: ToolRegistry.Source = { id: "skills", rank: -1 }

/** A server that was lost keeps its skills while it is being connected again. */
const mayHaveSkills = (status: ServerStatus): boolean =>
  status._tag === "Connected" ? Skills.isSupported(status) : status._tag === "Reconnecting" || status._tag === "Pending"

const warnOf = (server: string) => (message: string) => Effect.logWarning(`[mcp] server "${server}": ${message}`)
