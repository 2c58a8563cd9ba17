/**
 * The agent loop: the model is asked with every tool on offer, what it calls is run, and it is asked again with the results,
 * until it answers.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { EngineEvent } from "./EngineEvent.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface RunOptions {
  /** Default: 50. */
  readonly maxTurns?: number | undefined
}

/**
 * A conversation: each prompt sees what came before it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Conversation {
  /**
   * Runs a prompt to its answer. The stream never fails: what goes wrong is an event, and `Done` is the last one.
   * Interrupting it stops the model and every running call; the conversation then holds what had been finished, and the
   * model is told of the interruption next time.
   */
  readonly run: (prompt: string, options?: RunOptions) => Stream.Stream<EngineEvent>
  /** Adds something to the context without asking the model (the output of a person's own command). */
  readonly addContext: (text: string) => Effect.Effect<void>
  /** Forgets everything. */
  readonly clear: Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly conversation: Effect.Effect<Conversation>
  /** A run in a conversation of its own. */
  readonly run: (prompt: string, options?: RunOptions) => Stream.Stream<EngineEvent>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Engine extends Context.Tag("harness9/Engine")<Engine, Service>() {}
