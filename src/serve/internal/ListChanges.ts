/** Clients are told when the lists are others: not when a server is away for a moment. */
import { isDeepStrictEqual } from "node:util"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as ToolRegistry from "../../tool/ToolRegistry.ts"
import type * as Clients from "../Clients.ts"
import type { Upstreams } from "../Upstreams.ts"

/** Tells as long as the Scope is open. */
export const tell = Effect.fnUntraced(function* (
  clients: Clients.Service,
  registry: ToolRegistry.Service,
  upstreams: Upstreams
) {
  const tools = registry.changes.pipe(
    Stream.map(({ tools }) => tools.map(({ run: _, ...described }) => described)),
    Stream.changesWith(isDeepStrictEqual),
    Stream.drop(1)
  )
  yield* Effect.forkScoped(Stream.runForEach(tools, () => Effect.sync(() => clients.tell(toolsChanged))))
  yield* Effect.forkScoped(
    Stream.runForEach(upstreams.presentChanged, () =>
      Effect.sync(() => {
        clients.tell("notifications/prompts/list_changed")
        clients.tell("notifications/resources/list_changed")
      })
    )
  )
})

const toolsChanged = "notifications/tools/list_changed"
