/**
 * A long run: many servers, calls at random, faults at random, and the figures of it.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Supervisor from "effect/Supervisor"
import * as ConfigWatch from "../../src/mcp/ConfigWatch.ts"
import * as McpConfig from "../../src/mcp/McpConfig.ts"
import * as McpManager from "../../src/mcp/McpManager.ts"
import * as TransportFactory from "../../src/mcp/TransportFactory.ts"
import type { Fault } from "./Faults.ts"
import * as Faults from "./Faults.ts"
import * as Fleet from "./Fleet.ts"
import * as Load from "./Load.ts"
import * as Resources from "./Resources.ts"

export interface Options {
  readonly root: string
  readonly minutes: number
  /** Of each kind. */
  readonly servers: number
}

export interface Figures {
  readonly connected: number
  /** The calls of the times with faults, of those right after them, and of those without. */
  readonly storm: Load.Tally
  readonly settling: Load.Tally
  readonly calm: Load.Tally
  readonly faults: ReadonlyMap<Fault, number>
  readonly samples: ReadonlyArray<Resources.Sample>
  readonly leaks: ReadonlyArray<string>
}

const callers = 24

/**
 * Times with faults and times without take turns, so that whatever else the machine does meets both alike: what calls take in the one
 * is compared with what they take in the other.
 */
const turnsOf = (total: Duration.Duration) => {
  const turn = Math.max(6000, Math.min(30_000, Duration.toMillis(total) / 20))
  return {
    turns: Math.max(1, Math.floor(Duration.toMillis(total) / turn)),
    storm: turn / 2,
    settling: turn / 6,
    calm: turn / 3
  }
}

export const run = Effect.fnUntraced(function* (options: Options) {
  const total = Duration.minutes(options.minutes)
  const before = Resources.active()
  const supervisor = yield* Supervisor.track
  const scope = yield* Scope.make()
  const managerScope = yield* Scope.make()
  let manager: McpManager.Service | undefined
  const fleet = yield* Fleet.make({
    root: options.root,
    count: options.servers,
    pid: (name) =>
      manager === undefined
        ? Effect.succeed(undefined)
        : manager.diagnostics(name).pipe(
            Effect.map(({ pid }) => pid),
            Effect.orElseSucceed(() => undefined)
          )
  }).pipe(Scope.extend(scope))

  const figures = yield* Effect.gen(function* () {
    const { servers } = yield* McpConfig.load({ file: fleet.configFile })
    const made = yield* McpManager.make(servers, { connectTimeout: Duration.minutes(1) })
    manager = made
    yield* made.start
    const connected = (yield* made.statuses).filter(({ _tag }) => _tag === "Connected").length
    yield* ConfigWatch.watch({ file: fleet.configFile }).pipe(
      Stream.filter((outcome) => outcome._tag === "Loaded"),
      Stream.flatMap(({ config }) => Stream.fromEffect(made.reload(config.servers)), { switch: true }),
      Stream.runDrain,
      Effect.forkScoped
    )
    const samples: Array<Resources.Sample> = []
    const every = Duration.times(total, 1 / 60)
    const measure = Effect.map(Resources.sample(fleet.marker), (sample) => samples.push(sample))
    yield* Effect.forkScoped(Effect.repeat(measure, Schedule.spaced(every)))

    const [calm, storm, settling] = [Load.tally(), Load.tally(), Load.tally()]
    let counted: Load.Tally | undefined = calm
    const fibers = yield* Effect.forEach(Array.from({ length: callers }), () =>
      Effect.fork(Load.caller(made, fleet.servers, () => counted))
    )
    const faults = new Map<Fault, number>()
    const injector = yield* Faults.make(fleet, made, faults)
    const times = turnsOf(total)
    const pause = Math.max(50, 15_000 / options.servers)
    const turn = Effect.gen(function* () {
      counted = calm
      yield* Effect.sleep(times.calm)
      counted = storm
      yield* Effect.timeoutOption(Effect.forever(Effect.delay(injector, pause)), times.storm)
      counted = settling
      yield* Effect.sleep(times.settling)
    })
    yield* Effect.repeatN(turn, times.turns - 1)
    counted = undefined
    yield* Fiber.joinAll(fibers)
    return { connected, calm, storm, settling, faults, samples }
  }).pipe(
    Scope.extend(managerScope),
    Effect.supervised(supervisor),
    Effect.provide([TransportFactory.layer, NodeFileSystem.layer]),
    Logger.withMinimumLogLevel(LogLevel.None)
  )

  yield* Scope.close(managerScope, Exit.void)
  yield* Scope.close(scope, Exit.void)
  const leaks = yield* Effect.repeat(leaksOf(before, supervisor, fleet.marker), {
    until: (found) => found.length === 0,
    schedule: Schedule.intersect(Schedule.spaced("500 millis"), Schedule.recurs(20))
  }).pipe(Effect.zipRight(leaksOf(before, supervisor, fleet.marker)))
  return { ...figures, leaks } satisfies Figures
})

const leaksOf = (
  before: ReadonlyMap<string, number>,
  supervisor: Supervisor.Supervisor<ReadonlyArray<Fiber.RuntimeFiber<unknown, unknown>>>,
  marker: string
) =>
  Effect.map(supervisor.value, (fibers): ReadonlyArray<string> => {
    const programs = Resources.programsWith(marker).length
    return [
      ...(programs > 0 ? [`${programs} processes`] : []),
      ...(fibers.length > 0 ? [`${fibers.length} fibers`] : []),
      ...Resources.surplus(before, Resources.active())
    ]
  })
