/**
 * The UI on its services: they are given the person as the one who approves and logs in, what they tell is shown, and what keys
 * ask for is done. It is loaded behind the first frame.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Engine } from "../engine/Engine.ts"
import type { ModelSwitch } from "../engine/model/ModelSwitch.ts"
import type { SessionStore } from "../engine/SessionStore.ts"
import type { McpAuth } from "../mcp/McpAuth.ts"
import type { McpManager } from "../mcp/McpManager.ts"
import type { ToolRegistry } from "../tool/ToolRegistry.ts"
import * as Approvals from "./Approvals.ts"
import * as Feeds from "./Feeds.ts"
import * as Interpreter from "./Interpreter.ts"
import * as Logins from "./Logins.ts"
import * as Transcript from "./Transcript.ts"
import type { Message } from "./UiState.ts"
import type { UiStore } from "./UiStore.ts"

/**
 * What the UI shows and drives.
 *
 * @since 0.1.0
 * @category models
 */
export type Services = Engine | McpAuth | McpManager | ModelSwitch | SessionStore | ToolRegistry

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Interpreter.Options {
  /** What is wrong with the configuration that the program began with. */
  readonly problems?: Effect.Effect<ReadonlyArray<string>> | undefined
  readonly messages?: Stream.Stream<Message, never, McpManager> | undefined
}

/**
 * Builds the services, and runs for as long as it is let.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = Effect.fnUntraced(function* <E, R>(options: Options, services: Layer.Layer<Services, E, R>) {
  const context = yield* Layer.build(Layer.provideMerge(services, Layer.merge(Approvals.layer, Logins.layer)))
  yield* Effect.forkScoped(Effect.provide(Feeds.run(options.store), context))
  yield* Effect.forkScoped(tell(options.store, options.problems ?? Effect.succeed([])))
  const shown = Stream.runForEach(options.messages ?? Stream.empty, (message) =>
    options.store.update((state) => ({ ...state, message }))
  )
  yield* Effect.forkScoped(Effect.provide(shown, context))
  return yield* Effect.provide(Interpreter.run(options), context)
})

const tell = (store: UiStore, problems: Effect.Effect<ReadonlyArray<string>>) =>
  Effect.flatMap(problems, (texts) =>
    store.update((state) => ({
      ...state,
      transcript: texts.reduce(
        (before, text) => Transcript.add(before, Transcript.Item.Notice({ text, tone: "error" })),
        state.transcript
      )
    }))
  )
