/**
 * What flows into the store from each connected server: its prompts, and what it logs.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ServerClients from "../engine/ServerClients.ts"
import * as ServerPrompts from "../engine/ServerPrompts.ts"
import type * as McpClient from "../mcp/McpClient.ts"
import type * as McpManager from "../mcp/McpManager.ts"
import * as UiState from "./UiState.ts"
import type { UiStore } from "./UiStore.ts"

/** What a person would want to know of a server; the rest is noise. */
const level = "warning"

/**
 * Feeds the store for as long as it runs. What a server cannot list or log is not there, and harms nothing else.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = (manager: McpManager.Service, store: UiStore): Effect.Effect<void> =>
  ServerClients.forEach(manager, (client) =>
    Effect.all([prompts(store, client), logs(store, client)], { concurrency: "unbounded", discard: true })
  )

const prompts = (store: UiStore, client: McpClient.Service): Effect.Effect<void> => {
  const set = (list: ReadonlyArray<ServerPrompts.ServerPrompt>) =>
    store.update((state) => UiState.onPrompts(state, client.server, list))
  const listed = Effect.flatMap(
    Effect.orElseSucceed(ServerPrompts.ofClient(client), () => []),
    set
  )
  const changes = Stream.runForEach(client.promptsChanged, () => listed)
  return Effect.zipRight(listed, changes).pipe(Effect.ensuring(set([])))
}

const logs = (store: UiStore, client: McpClient.Service): Effect.Effect<void> =>
  Effect.zipRight(
    Effect.ignore(client.setLogLevel(level)),
    Stream.runForEach(client.logMessages, (message) =>
      store.update((state) => UiState.onLog(state, client.server, message))
    )
  )
