/**
 * The configuration as it changes: its files are watched, also those that are not there yet, and read again after each change.
 *
 * What is watched are folders, so that it does not matter how an editor saves: over the file, or by another file put in its
 * place. A file that is no configuration changes nothing and says why; and before a configuration that has lost its last server
 * is believed, it is read a second time: whoever writes a file begins by emptying it.
 *
 * @since 0.1.0
 */
import { basename, dirname } from "node:path"
import { isDeepStrictEqual } from "node:util"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as McpConfig from "./McpConfig.ts"

/**
 * What the files say after a change.
 *
 * - `Loaded`: this configuration
 * - `Rejected`: none that could be used; the one before stays in force
 *
 * @since 0.1.0
 * @category models
 */
export type Outcome = Data.TaggedEnum<{
  Loaded: { readonly config: McpConfig.McpConfig }
  Rejected: { readonly problems: ReadonlyArray<McpConfig.Problem> }
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const Outcome = Data.taggedEnum<Outcome>()

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends McpConfig.LoadOptions {
  /** How long the files must be at rest before they are read. Default: 200 milliseconds. */
  readonly debounce?: Duration.Duration | undefined
}

/** How long it takes to believe that there is no server any more. */
const secondLook = Duration.seconds(1)
/** How long to wait before watching again what could not be watched. */
const retryDelay = Duration.seconds(5)

/**
 * What the files say now, then again whenever that changes. Never fails; what cannot be watched is told in the log.
 *
 * @since 0.1.0
 * @category constructors
 */
export const watch = (options: Options = {}): Stream.Stream<Outcome, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const touched = yield* Queue.sliding<void>(1)
    const tell = Queue.offer(touched, undefined)
    yield* Effect.forEach(McpConfig.locations(options), ({ path }) => Effect.forkScoped(follow(path, tell)))
    yield* tell
    let believed: Outcome | undefined
    const next = Effect.gen(function* () {
      const outcome = yield* read(options)
      if (!isEmptied(believed, outcome)) return outcome
      yield* Effect.sleep(secondLook)
      return yield* read(options)
    }).pipe(
      Effect.tap((outcome) => {
        believed = outcome
      })
    )
    return Stream.fromQueue(touched, { maxChunkSize: 1 }).pipe(
      Stream.debounce(options.debounce ?? Duration.millis(200)),
      Stream.mapEffect(() => next),
      Stream.changesWith((before, after) => isDeepStrictEqual(before, after))
    )
  }).pipe(Stream.unwrapScoped)

/**
 * What the files say now.
 *
 * @since 0.1.0
 * @category constructors
 */
export const read = (options?: McpConfig.LoadOptions): Effect.Effect<Outcome, never, FileSystem.FileSystem> =>
  McpConfig.load(options).pipe(
    Effect.map((config) =>
      config.broken === undefined ? Outcome.Loaded({ config }) : Outcome.Rejected({ problems: config.problems })
    ),
    Effect.catchAll(({ message }) => Effect.succeed(Outcome.Rejected({ problems: [{ message }] })))
  )

const isEmptied = (before: Outcome | undefined, after: Outcome): boolean =>
  before?._tag === "Loaded" &&
  before.config.servers.length > 0 &&
  after._tag === "Loaded" &&
  after.config.servers.length === 0

/** Where a file is, or will be: the nearest folder that there is, and the name in it that leads to the file. */
interface Place {
  readonly folder: string
  readonly name: string
}

const placeOf = (path: string): Effect.Effect<Place, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    let at = path
    while (dirname(at) !== at && !(yield* Effect.orElseSucceed(fs.exists(dirname(at)), () => false))) at = dirname(at)
    return { folder: dirname(at), name: basename(at) }
  })

/** Tells of whatever may have changed a file, for as long as it is not interrupted. */
const follow = (path: string, tell: Effect.Effect<unknown>): Effect.Effect<never, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const place = yield* placeOf(path)
    const isMoved = Effect.map(placeOf(path), ({ folder }) => folder !== place.folder)
    yield* fs.watch(place.folder).pipe(
      Stream.map((event) => basename(event.path)),
      // The folder's own name: it was moved, or is gone.
      Stream.filter((name) => name === place.name || name === basename(place.folder)),
      Stream.tap(() => tell),
      Stream.takeUntilEffect((name) => (name === place.name ? isMoved : Effect.succeed(true))),
      Stream.runDrain,
      Effect.tapError(({ message }) => Effect.logWarning(`[mcp] ${place.folder} cannot be watched: ${message}`)),
      Effect.catchAll(() => Effect.sleep(retryDelay))
    )
    yield* tell
  }).pipe(Effect.forever)
