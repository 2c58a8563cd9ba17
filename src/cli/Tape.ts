/**
 * `--record` and `--replay`: what takes the place of servers, model and tools. Nothing of it is loaded without them.
 *
 * @since 0.1.0
 */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { EngineEvent } from "../engine/EngineEvent.ts"
import type { ModelSwitch } from "../engine/model/ModelSwitch.ts"
import type { McpConfig } from "../mcp/McpConfig.ts"
import type { TransportFactory } from "../mcp/TransportFactory.ts"
import type { Tool } from "../tool/Tool.ts"
import { type CliError, usage } from "./CliError.ts"
import * as Flag from "./Flag.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Tape {
  /** The servers' entries. */
  readonly config: Effect.Effect<McpConfig, CliError, FileSystem.FileSystem>
  readonly transports: <R>(real: Layer.Layer<TransportFactory, never, R>) => Layer.Layer<TransportFactory, never, R>
  readonly model: (real: Model) => Model
  readonly tool: (tool: Tool) => Tool
  /** Whether tools and servers really run. */
  readonly isLive: boolean
  /** How long a call took, as it is shown. */
  readonly duration: (call: string, measured: number) => Effect.Effect<number>
  /** The event as it is shown: with the recorded times. */
  readonly event: (event: EngineEvent) => Effect.Effect<EngineEvent>
  /** Ends the work with the first difference. */
  readonly whole: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | CliError, R>
}

/**
 * @since 0.1.0
 * @category models
 */
export type Model = Layer.Layer<LanguageModel.LanguageModel | ModelSwitch, CliError>

/**
 * @since 0.1.0
 * @category options
 */
export const flags = {
  record: Flag.text("record", "FILE", "Write everything that servers, model and tools say to FILE, without secrets"),
  replay: Flag.text(
    "replay",
    "FILE",
    "Play what was recorded: no server, key or network; ends at the first difference"
  ),
  force: Flag.toggle("force", "With --record: write over a file that is there")
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Input {
  readonly config: string | undefined
  readonly record: string | undefined
  readonly replay: string | undefined
  readonly force: boolean
}

/**
 * The tape that the command line asks for, if it does.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = (input: Input): Effect.Effect<Tape | undefined, CliError, Scope.Scope | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { record, replay } = input
    if (record === undefined && replay === undefined) return undefined
    if (record !== undefined && replay !== undefined) return yield* usage("--record and --replay exclude each other")
    const cassettes = yield* Effect.promise(() => import("./cassettes.ts"))
    return yield* record === undefined ? cassettes.replaying(replay ?? "", input) : cassettes.recording(record, input)
  })
