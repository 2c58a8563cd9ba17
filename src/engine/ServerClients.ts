/**
 * The clients of connected servers as they come and go: what is done with each lasts as long as its connection.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Stream from "effect/Stream"
import type * as McpClient from "../mcp/McpClient.ts"
import type * as McpManager from "../mcp/McpManager.ts"

/**
 * Uses each client from when its server is connected until that connection is gone; a new connection is a new client.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forEach = <R>(
  manager: McpManager.Service,
  use: (client: McpClient.Service) => Effect.Effect<void, never, R>
): Effect.Effect<void, never, R> =>
  Effect.gen(function* () {
    const used = new Map<string, McpClient.Service>()
    const fibers = yield* FiberMap.make<string>()

    const follow = Effect.fnUntraced(function* (name: string) {
      const client = yield* Effect.option(manager.client(name))
      if (client._tag === "None" || used.get(name) === client.value) return
      used.set(name, client.value)
      yield* FiberMap.run(fibers, name, Effect.raceFirst(use(client.value), Effect.ignore(client.value.closed)))
    })

    yield* Stream.runForEach(manager.changes, (statuses) =>
      Effect.gen(function* () {
        const connected = new Set(statuses.flatMap(({ _tag, name }) => (_tag === "Connected" ? [name] : [])))
        for (const name of used.keys()) {
          if (connected.has(name)) continue
          used.delete(name)
          yield* FiberMap.remove(fibers, name)
        }
        yield* Effect.forEach(connected, follow, { discard: true })
      })
    )
  }).pipe(Effect.scoped)
