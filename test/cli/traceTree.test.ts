import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as Style from "../../src/cli/output/Style.ts"
import * as TraceTree from "../../src/cli/output/traceTree.ts"
import * as Telemetry from "../../src/mcp/Telemetry.ts"
import { kept } from "../spans.ts"

const span = <A, E>(name: string, work: Effect.Effect<A, E>, attributes: Telemetry.Attributes = {}) =>
  Telemetry.span(name, { attributes }, () => work)

const shown = (work: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const { layer, spans } = yield* kept
    yield* Effect.exit(work).pipe(Effect.provide(layer))
    return TraceTree.format(spans, Style.none)
  })

const wait = (ms: number) => TestClock.adjust(`${ms} millis`)

describe("the tree of a trace", () => {
  it.effect("shows what was done within what, in its order, and how long it took", () =>
    Effect.gen(function* () {
      const turn = (number: number, work: Effect.Effect<void>) => span("turn", work, { "harness9.turn": number })
      const chat = span("chat m", wait(1_200), {
        "gen_ai.usage.input_tokens": 12,
        "gen_ai.usage.output_tokens": 3
      })
      const call = span("execute_tool a", span("tools/call a", wait(20)))
      const tree = yield* shown(span("harness9 run", Effect.all([turn(1, Effect.zipRight(chat, call)), turn(2, chat)])))
      expect(tree).toBe(
        [
          "harness9 run           2.4 s",
          "├─ turn 1              1.2 s",
          "│  ├─ chat m           1.2 s  12 → 3 tokens",
          "│  └─ execute_tool a   20 ms",
          "│     └─ tools/call a  20 ms",
          "└─ turn 2              1.2 s",
          "   └─ chat m           1.2 s  12 → 3 tokens"
        ].join("\n")
      )
    })
  )

  it.effect("marks what failed, with the reason in one visible line", () =>
    Effect.gen(function* () {
      const failing = span("connect it", Effect.fail(new Error("refused\n\u001b[2Jby the server")))
      expect(yield* shown(failing)).toBe("✗ connect it  0 ms  refused \\x1b[2Jby the server")
      expect(yield* shown(span("call", Effect.interrupt))).toBe("✗ call  0 ms  cancelled")
    })
  )
})
