/**
 * The Manager's servers by name, and how another configuration takes the place of the present one: entry by entry, only
 * what differs is stopped or started, each server by itself.
 */
import { isDeepStrictEqual } from "node:util"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { ServerConfig } from "../../ServerConfig.ts"
import type { ServerStatus } from "../../ServerStatus.ts"
import * as Supervision from "../../Supervision.ts"
import * as Latest from "../Latest.ts"
import * as ManagedServer from "./ManagedServer.ts"

/** How long calls that are under way may go on when their server is replaced or removed. */
const patience = Duration.seconds(10)

export interface Options extends Pick<ManagedServer.Options, "factory" | "policy" | "root" | "features" | "eras"> {
  readonly connectTimeout: Duration.Duration
  readonly callTimeout: Duration.Duration | undefined
}

/** The names of the entries, by what became of them. */
export interface Changes {
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly changed: ReadonlyArray<string>
  readonly unchanged: ReadonlyArray<string>
}

export interface ServerTable {
  readonly get: (name: string) => ManagedServer.ManagedServer | undefined
  readonly configs: () => ReadonlyArray<ServerConfig>
  readonly statuses: Latest.Latest<ReadonlyArray<ServerStatus>>
  readonly start: Effect.Effect<void>
  /** Done when every server that it touches has settled. */
  readonly reload: (configs: ReadonlyArray<ServerConfig>) => Effect.Effect<Changes>
}

interface Slot {
  /** What the configuration says now; the server may still be the one before. */
  readonly config: ServerConfig
  readonly server: ManagedServer.ManagedServer
  /** The work of putting the new server into the old one's place. */
  readonly replacing: Fiber.RuntimeFiber<void> | undefined
}

export const make = Effect.fnUntraced(function* (
  configs: ReadonlyArray<ServerConfig>,
  options: Options
): Effect.fn.Return<ServerTable, never, Scope.Scope> {
  const { root } = options
  const runFork = Runtime.runFork(yield* Effect.runtime<never>())
  const oneAtATime = yield* Effect.makeSemaphore(1)
  const slots = new Map<string, Slot>()
  const statuses = yield* Latest.make<ReadonlyArray<ServerStatus>>([])
  let order = configs
  let started = false

  const announce = statuses.update(() => present())
  const present = () => [...slots.values()].map(({ server }) => server.status()).sort(byName)

  const serverOf = Effect.fnUntraced(function* (config: ServerConfig) {
    // Made where nothing is interruptible, it would start connections that nothing could end.
    const server: ManagedServer.ManagedServer = yield* Effect.interruptible(
      ManagedServer.make({
        ...options,
        config,
        connectTimeout: config.connectTimeout ?? options.connectTimeout,
        callTimeout: config.callTimeout ?? options.callTimeout,
        announce: (status) =>
          statuses.update((all) =>
            slots.get(config.name)?.server === server
              ? all.map((before) => (before.name === config.name ? status() : before))
              : all
          )
      })
    )
    return server
  })

  for (const config of configs) {
    slots.set(config.name, { config, server: yield* serverOf(config), replacing: undefined })
  }
  yield* announce

  /** The server has no entry any more, or another one stands for it. */
  const retire = (server: ManagedServer.ManagedServer) =>
    Effect.zipRight(Effect.timeoutOption(server.drained, patience), server.disable)

  const takeOver = (server: ManagedServer.ManagedServer) =>
    Effect.suspend(() => {
      const { config } = server
      slots.set(config.name, { config, server, replacing: slots.get(config.name)?.replacing })
      return announce
    })

  /** Where both can live side by side, the new server is there before the old one goes. */
  const replace = (old: ManagedServer.ManagedServer, next: ManagedServer.ManagedServer) =>
    Effect.gen(function* () {
      if (old.status()._tag !== "Connected" || next.config.disabled || !started) {
        yield* takeOver(next)
        yield* old.disable
        return yield* started ? next.start : Effect.void
      }
      yield* next.start
      const outcome = next.status()
      if (outcome._tag === "Connected") {
        yield* takeOver(next)
        return yield* Effect.asVoid(Effect.forkIn(retire(old), root))
      }
      const mayBeInTheWay = "error" in outcome && Supervision.cause(outcome.error) !== "person"
      if (!mayBeInTheWay) {
        yield* takeOver(next)
        return yield* old.disable
      }
      // The new process may want what the old one holds: a port, a lock, a profile directory.
      yield* old.disable
      yield* takeOver(next)
      yield* Effect.ignore(next.reconnect)
    }).pipe(Effect.onInterrupt(() => (slots.get(next.config.name)?.server === next ? Effect.void : next.disable)))

  const run = (work: Effect.Effect<void>) => runFork(work, { scope: root, immediate: false })

  const change = Effect.fnUntraced(function* (config: ServerConfig, slot: Slot) {
    if (slot.replacing !== undefined) yield* Fiber.interrupt(slot.replacing)
    const { server: old } = slots.get(config.name) ?? slot
    if (isDeepStrictEqual(old.config, config)) {
      slots.set(config.name, { config, server: old, replacing: undefined })
      return run(started && !config.disabled ? Effect.asVoid(old.enable) : Effect.void)
    }
    const next = yield* serverOf(config)
    const fiber = run(replace(old, next))
    slots.set(config.name, { config, server: old, replacing: fiber })
    return fiber
  })

  const remove = Effect.fnUntraced(function* ({ config, replacing }: Slot) {
    if (replacing !== undefined) yield* Fiber.interrupt(replacing)
    const server = slots.get(config.name)?.server
    slots.delete(config.name)
    return run(server === undefined ? Effect.void : retire(server))
  })

  const add = Effect.fnUntraced(function* (config: ServerConfig) {
    const server = yield* serverOf(config)
    slots.set(config.name, { config, server, replacing: undefined })
    return run(started ? server.start : Effect.void)
  })

  const apply = Effect.fnUntraced(function* (configs: ReadonlyArray<ServerConfig>) {
    const changes = difference(slots, configs)
    const wanted = new Map(configs.map((config) => [config.name, config]))
    const work: Array<Fiber.RuntimeFiber<void>> = []
    order = [...wanted.values()]
    for (const name of changes.removed) {
      const slot = slots.get(name)
      if (slot !== undefined) yield* remove(slot)
    }
    for (const config of wanted.values()) {
      const slot = slots.get(config.name)
      if (slot === undefined) work.push(yield* add(config))
      else if (changes.changed.includes(config.name)) work.push(yield* change(config, slot))
      else if (slot.replacing !== undefined) work.push(slot.replacing)
    }
    yield* announce
    return { changes, work }
  })

  return {
    get: (name) => slots.get(name)?.server,
    configs: () => order,
    statuses,
    start: Effect.suspend(() => {
      started = true
      return Effect.forEach([...slots.values()], ({ server }) => server.start, {
        concurrency: "unbounded",
        discard: true
      })
    }),
    reload: (configs) =>
      apply(configs).pipe(
        Effect.uninterruptible,
        oneAtATime.withPermits(1),
        Effect.tap(({ work }) => Fiber.awaitAll(work)),
        Effect.map(({ changes }) => changes)
      )
  }
})

const byName = (a: ServerStatus, b: ServerStatus): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** What differs between the entries that were last asked for and these. */
const difference = (slots: ReadonlyMap<string, Slot>, configs: ReadonlyArray<ServerConfig>): Changes => {
  const wanted = new Map(configs.map((config) => [config.name, config]))
  const kept = [...wanted.values()].filter(({ name }) => slots.has(name))
  const isSame = (config: ServerConfig) => isDeepStrictEqual(slots.get(config.name)?.config, config)
  return {
    added: [...wanted.keys()].filter((name) => !slots.has(name)),
    removed: [...slots.keys()].filter((name) => !wanted.has(name)),
    changed: kept.filter((config) => !isSame(config)).map(({ name }) => name),
    unchanged: kept.filter(isSame).map(({ name }) => name)
  }
}
