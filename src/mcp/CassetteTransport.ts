/**
 * Recording and replaying what is said to servers, whatever carries it.
 *
 * ```ts
 * const Recorded = CassetteTransport.layerRecord.pipe(
 *   Layer.provide([TransportFactory.layer, CassetteRecorder.layer({ file: "run.ndjson" })])
 * )
 * const Replayed = CassetteTransport.layerReplay().pipe(Layer.provide(CassettePlayer.layer("run.ndjson")))
 * ```
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CassettePlayer } from "./CassettePlayer.ts"
import { CassetteRecorder } from "./CassetteRecorder.ts"
import * as RecordingTransport from "./internal/cassette/RecordingTransport.ts"
import * as ReplayTransport from "./internal/cassette/ReplayTransport.ts"
import { TransportFactory } from "./TransportFactory.ts"

/**
 * What goes wrong in a replay on purpose, when a server sends its message number `at`, counted from 1 over all of its messages.
 *
 * - `delay`: the message, and what comes after it, is late
 * - `drop`: the message does not come
 * - `kill`: the connection breaks in its place
 *
 * @since 0.1.0
 * @category models
 */
export type Fault =
  | { readonly _tag: "delay"; readonly server: string; readonly at: number; readonly by: Duration.DurationInput }
  | { readonly _tag: "drop" | "kill"; readonly server: string; readonly at: number }

/**
 * The transports of the context, with everything that goes over them recorded.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerRecord: Layer.Layer<TransportFactory, never, TransportFactory | CassetteRecorder> = Layer.effect(
  TransportFactory,
  Effect.gen(function* () {
    return RecordingTransport.factory(yield* TransportFactory, yield* CassetteRecorder)
  })
)

/**
 * Transports that play what was recorded. Nothing is started or reached. A program that says something else fails its requests
 * with the difference, and `CassettePlayer.difference`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerReplay = (
  options: { readonly faults?: ReadonlyArray<Fault> | undefined } = {}
): Layer.Layer<TransportFactory, never, CassettePlayer> =>
  Layer.effect(
    TransportFactory,
    Effect.map(CassettePlayer, (player) => ReplayTransport.factory(player, options.faults ?? []))
  )
