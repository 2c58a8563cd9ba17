/**
 * What is done to the servers, at random: each fault to one server of those that are not left in peace, or to the configuration.
 */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type * as McpManager from "../../src/mcp/McpManager.ts"
import type { Fleet, Server } from "./Fleet.ts"

export type Fault = "kill" | "stall" | "die in a call" | "flood" | "change" | "remove" | "break the file"

const faults: ReadonlyArray<Fault> = [
  "kill",
  "kill",
  "stall",
  "die in a call",
  "flood",
  "change",
  "remove",
  "break the file"
]

/** Does one thing each time; what it has done is counted. What takes longer goes on in the Scope. */
export const make = Effect.fnUntraced(function* (fleet: Fleet, manager: McpManager.Service, done: Map<Fault, number>) {
  const scope = yield* Effect.scope
  const targets = fleet.servers.filter(({ isCalm }) => !isCalm)
  const without = new Set<string>()
  const versions = new Map<string, number>()
  const write = Effect.suspend(() => fleet.writeConfig({ without, versions }))

  const commit = (fault: Fault, server: Server): Effect.Effect<unknown> => {
    const call = (tool: string) =>
      Effect.ignore(Effect.flatMap(manager.client(server.name), ({ callTool }) => callTool(tool, {})))
    switch (fault) {
      case "kill":
        return Effect.flatMap(Random.nextIntBetween(0, 3000), (ms) => fleet.kill(server, ms))
      case "stall":
        return Effect.flatMap(Random.nextIntBetween(1000, 15_000), (ms) => fleet.stall(server, ms))
      case "die in a call":
        return call("die")
      case "flood":
        return call("flood")
      case "change":
        versions.set(server.name, (versions.get(server.name) ?? 1) + 1)
        return write
      case "remove":
        without.add(server.name)
        return Effect.zipRight(
          write,
          Effect.delay(
            Effect.suspend(() => {
              without.delete(server.name)
              return write
            }),
            "3 seconds"
          )
        )
      case "break the file":
        return Effect.zipRight(fleet.breakConfig, Effect.delay(write, "1 second"))
    }
  }

  return Effect.gen(function* () {
    const fault = faults[yield* Random.nextIntBetween(0, faults.length)] ?? "kill"
    const server = targets[yield* Random.nextIntBetween(0, targets.length)]
    if (server === undefined) return
    done.set(fault, (done.get(fault) ?? 0) + 1)
    yield* Effect.forkIn(commit(fault, server), scope)
  })
})
