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
  readonly calm: Load.Tally
  readonly storm: Load.Tally
  readonly faults: ReadonlyMap<Fault, number>
  readonly samples: ReadonlyArray<Resources.Sample>
  readonly leaks: ReadonlyArray<string>
}

/** The share of the time in which nothing is done to any server, for comparison. */
const calmShare = 0.2
const callers = 24

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
    const made = yield* McpManager.make(servers, { callTimeout: Duration.seconds(10) })
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

    const [calm, storm] = [Load.tally(), Load.tally()]
    let counted: Load.Tally | undefined = calm
    const fibers = yield* Effect.forEach(Array.from({ length: callers }), () =>
      Effect.fork(Load.caller(made, fleet.servers, () => counted))
    )
    yield* Effect.sleep(Duration.times(total, calmShare))
    counted = storm
    const faults = new Map<Fault, number>()
    const pause = Math.max(50, 15_000 / options.servers)
    yield* Faults.inject(fleet, made, faults, pause).pipe(
      Effect.timeoutOption(Duration.times(total, 1 - calmShare)),
      Effect.asVoid
    )
    counted = undefined
    yield* Fiber.joinAll(fibers)
    return { connected, calm, storm, faults, samples }
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
