/**
 * What flows into the store by itself: the servers' states, the tools on offer, the questions and logins that wait, the model.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { format as formatModel } from "../engine/model/ModelInfo.ts"
import { ModelSwitch } from "../engine/model/ModelSwitch.ts"
import { McpManager } from "../mcp/McpManager.ts"
import type { ServerStatus } from "../mcp/ServerStatus.ts"
import { ToolRegistry } from "../tool/ToolRegistry.ts"
import { Approvals } from "./Approvals.ts"
import { Logins } from "./Logins.ts"
import * as ServerFeed from "./ServerFeed.ts"
import * as Transcript from "./Transcript.ts"
import * as UiState from "./UiState.ts"
import type { UiStore } from "./UiStore.ts"

/**
 * Feeds the store, and starts the servers.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = Effect.fnUntraced(function* (store: UiStore) {
  const manager = yield* McpManager
  const registry = yield* ToolRegistry
  const approvals = yield* Approvals
  const logins = yield* Logins
  const models = yield* ModelSwitch

  const servers = Stream.runForEach(manager.changes, (statuses) =>
    Effect.gen(function* () {
      const configs = yield* manager.servers
      yield* store.update((state) => UiState.onStatuses(UiState.onConfigs(state, configs), statuses))
      const stderr = yield* stderrOf(manager, statuses)
      if (stderr.size > 0) yield* store.update((state) => UiState.onStderr(state, stderr))
    })
  )
  const tools = Stream.runForEach(registry.changes, (set) => store.update((state) => UiState.onToolSet(state, set)))
  const questions = Stream.runForEach(approvals.changes, (waiting) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      store.update((state) => UiState.onQuestions({ ...state, now }, waiting))
    )
  )
  const waitingLogins = Stream.runForEach(logins.changes, (waiting) =>
    store.update((state) => UiState.onLogins(state, waiting))
  )
  const model = Stream.runForEach(models.changes, (info) =>
    store.update((state) => ({ ...state, model: formatModel(info), models: models.names }))
  )
  const told = Stream.runForEach(approvals.told, (text) =>
    store.update((state) => ({
      ...state,
      transcript: Transcript.add(state.transcript, Transcript.Item.Notice({ text, tone: "info" }))
    }))
  )
  const each = ServerFeed.run(manager, store)
  yield* Effect.all([servers, tools, questions, told, each, waitingLogins, model, manager.start], {
    concurrency: "unbounded",
    discard: true
  })
})

/** The last words of servers in trouble, where their error does not hold them. */
const stderrOf = (manager: McpManager["Type"], statuses: ReadonlyArray<ServerStatus>) =>
  Effect.forEach(statuses, (status) =>
    (status._tag === "Failed" || status._tag === "Reconnecting") && status.error.stderr === undefined
      ? Effect.option(Effect.map(manager.diagnostics(status.name), ({ stderr }) => [status.name, stderr] as const))
      : Effect.succeedNone
  ).pipe(Effect.map((found) => new Map(found.flatMap(Option.toArray).filter(([, stderr]) => stderr !== ""))))
