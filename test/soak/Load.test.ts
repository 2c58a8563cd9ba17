import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { McpError } from "../../src/mcp/McpError.ts"
import type { ToolCallResult } from "../../src/mcp/McpSchema.ts"
import * as FakeManager from "../tool/FakeManager.ts"
import * as Load from "./Load.ts"

/** What is counted of the calls of a minute that all end so. */
const counted = Effect.fnUntraced(function* (outcome: (text: unknown) => Effect.Effect<ToolCallResult, McpError>) {
  const { manager, set } = yield* FakeManager.make([FakeManager.config("calm")], () => (_, args) => outcome(args.text))
  yield* set([FakeManager.connected("calm", [])])
  const tally = Load.tally()
  let present: Load.Tally | undefined = tally
  const servers = [{ name: "calm", kind: "stdio", isCalm: true, index: 0 }] as const
  const caller = yield* Effect.fork(Load.caller(manager, servers, () => present))
  yield* TestClock.adjust("1 second")
  present = undefined
  yield* TestClock.adjust("3 minutes")
  yield* Fiber.join(caller)
  expect(tally.calls).toBeGreaterThan(0)
  return tally
})

const echoed = (text: unknown) => FakeManager.result({ content: [{ type: "text", text: String(text) }] })

it.effect("each call is counted by its outcome", () =>
  Effect.gen(function* () {
    const good = yield* counted((text) => Effect.succeed(echoed(text)))
    expect(good).toMatchObject({ answered: good.calls, lost: 0, wrong: 0, calmFailures: 0 })
    const mixed = yield* counted(() => Effect.succeed(echoed("of somebody else")))
    expect(mixed.wrong).toBe(mixed.calls)
    const error = new McpError({ server: "calm", phase: "call", kind: "exit", message: "x" })
    const bad = yield* counted(() => Effect.fail(error))
    expect(bad).toMatchObject({ answered: 0, lost: 0, calmFailures: bad.calls })
    expect(bad.failed.get("exit")).toBe(bad.calls)
  })
)

it.effect("an end without a reason, or none at all, is a loss", () =>
  Effect.gen(function* () {
    for (const outcome of [Effect.interrupt, Effect.die("a bug"), Effect.never]) {
      const tally = yield* counted(() => outcome)
      expect(tally).toMatchObject({ answered: 0, lost: tally.calls })
    }
  })
)
