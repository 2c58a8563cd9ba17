/**
 * I. User interface.
 */
import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as ServerStatus from "../../src/mcp/ServerStatus.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { fault } from "./fault.ts"
import { living, scripted, stdio, untilLost } from "./living.ts"

fault(
  73,
  "One stream of statuses tells each server's change as it happens; bar, lists and counts are made from it and from nothing else",
  () => {
    it.scoped("every server is told of when it has settled, not when all have", () =>
      Effect.gen(function* () {
        const after = (delay: Duration.DurationInput) => TestServer.make({ delay: Duration.decode(delay) })
        const manager = yield* scripted({
          a: after(0),
          b: after("5 seconds"),
          c: TestServer.make({ fail: "dies" }),
          d: TestServer.make({ fail: "silent" })
        })
        const seen: Array<string> = []
        const bar = (statuses: ReadonlyArray<ServerStatus.ServerStatus>) =>
          statuses.map(ServerStatus.summary).join(" │ ")
        yield* manager.changes.pipe(
          Stream.runForEach((statuses) => Effect.sync(() => void seen.push(bar(statuses)))),
          Effect.forkScoped
        )
        const start = yield* Effect.fork(manager.start)
        yield* TestClock.adjust("1 seconds")
        expect(seen.at(-1)).toBe("a ● 0 tools │ b ○ connecting │ c ✗ failed │ d ○ connecting")
        yield* TestClock.adjust("4 seconds")
        expect(seen.at(-1)).toBe("a ● 0 tools │ b ● 0 tools │ c ✗ failed │ d ○ connecting")
        yield* TestClock.adjust("25 seconds")
        yield* Fiber.join(start)
        expect(seen.at(-1)).toBe("a ● 0 tools │ b ● 0 tools │ c ✗ failed │ d ✗ failed")
      })
    )

    it.scopedLive("a server that has no tools is connected, and one that dies does not stay green", () =>
      Effect.gen(function* () {
        const manager = yield* living([stdio("no-tools"), stdio("crash", ["deaf"])])
        yield* untilLost(manager, "crash")
        const bar = (yield* manager.statuses).map(ServerStatus.summary)
        expect(bar).toContain("no-tools ● 0 tools")
        expect(bar.join()).not.toContain("crash ●")
      })
    )
  },
  { see: ["test/mcp/McpManager.test.ts", "test/tui/components.test.tsx"] }
)
