import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { type Kind, McpError } from "../../src/mcp/McpError.ts"
import * as Supervision from "../../src/mcp/Supervision.ts"

const policy = Supervision.policy()
const error = (kind: Kind, status?: number) =>
  new McpError({ server: "it", phase: "connect", kind, message: "x", status })
const ended = (history: Supervision.History, kind: Kind, now: number) =>
  Supervision.ended(policy, history, error(kind), now)

describe("a failure is a matter of", () => {
  it.each([
    ["unreachable", "network", undefined],
    ["unreachable", "http", 502],
    ["unreachable", "http", 429],
    ["death", "exit", undefined],
    ["death", "closed", undefined],
    ["death", "timeout", undefined],
    ["death", "too-large", undefined],
    ["person", "http", 404],
    ["person", "http", 200],
    ["person", "spawn", undefined],
    ["person", "config", undefined],
    ["person", "needs-auth", undefined],
    ["person", "protocol", undefined],
    ["person", "rpc", undefined]
  ] as const)("%s: %s %s", (cause, kind, status) => {
    expect(Supervision.cause(error(kind, status))).toBe(cause)
  })
})

describe("another attempt", () => {
  const asked = Supervision.asked(policy, 0)
  const connected = Supervision.connected(asked, 0)

  it("is made for a connection that was lost", () => {
    for (const kind of ["exit", "closed", "network", "timeout"] as const) {
      expect(ended(connected, kind, 10)).toMatchObject({ retries: true, history: { attempt: 1 } })
    }
  })

  it("is made for an address that cannot be reached, the first time too, for as long as it takes", () => {
    let history = asked
    for (let attempt = 1; attempt <= 1000; attempt++) {
      const after = ended(history, "network", attempt)
      expect(after).toMatchObject({ retries: true, history: { attempt } })
      history = after.history
    }
  })

  it("is not made for a program that never worked, nor for what a person must mend", () => {
    for (const kind of ["exit", "timeout", "spawn", "config", "needs-auth", "protocol", "rpc"] as const) {
      expect(ended(asked, kind, 10).retries).toBe(false)
    }
    for (const kind of ["spawn", "config", "needs-auth", "protocol", "rpc"] as const) {
      expect(ended(connected, kind, 10).retries).toBe(false)
    }
  })

  it("is not made after the fifth quick end in a row, before the handshake or after it", () => {
    let history = connected
    const told: Array<boolean> = []
    for (const connects of [true, false, true, false, true]) {
      const after = ended(connects ? Supervision.connected(history, 100) : history, "exit", 200)
      told.push(after.retries)
      history = after.history
    }
    expect(told).toEqual([true, true, true, true, false])
    expect(Supervision.givenUp(history, error("exit")).hint).toContain("5 times in a row")
  })

  it("counts from one again after a connection that lasted, not after one that was made", () => {
    const quick = ended(connected, "exit", 1_000).history
    const made = ended(Supervision.connected(quick, 2_000), "exit", 61_999).history
    expect(made).toMatchObject({ attempt: 2, quickEnds: 2 })
    const lasted = ended(Supervision.connected(made, 100_000), "exit", 160_000)
    expect(lasted).toMatchObject({ retries: true, history: { attempt: 1, quickEnds: 0 } })
  })

  it.effect("waits from half a second, doubled, to a minute, give or take a fifth", () =>
    Effect.gen(function* () {
      let history = asked
      for (const expected of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
        const next = yield* Supervision.nextTry(policy, history, 1_000)
        const delay = (next?.at ?? Number.NaN) - 1_000
        expect(delay).toBeGreaterThanOrEqual(expected * 0.8)
        expect(delay).toBeLessThanOrEqual(expected * 1.2)
        history = next?.history ?? history
      }
    })
  )

  it.effect("is not made when the schedule has come to its end", () =>
    Effect.gen(function* () {
      const twice = Supervision.policy({ backoff: Schedule.recurs(2) })
      let history = Supervision.asked(twice, 0)
      for (let attempt = 0; attempt < 2; attempt++) {
        const next = yield* Supervision.nextTry(twice, history, 0)
        history = next?.history ?? history
        expect(next).toBeDefined()
      }
      expect(yield* Supervision.nextTry(twice, history, 0)).toBeUndefined()
    })
  )

  it.effect("is made so many times a minute, whatever asks for it, and the limit is named", () =>
    Effect.gen(function* () {
      const hasty = Supervision.policy({
        attemptsPerMinute: 3,
        backoff: Schedule.spaced("1 milli"),
        useInterval: Duration.zero
      })
      let history = Supervision.asked(hasty, 0)
      for (const now of [1_000, 2_000]) {
        expect(Supervision.mayTryOnUse(hasty, history, now)).toBe(true)
        history = Supervision.started(history, now)
      }
      expect(Supervision.mayTryOnUse(hasty, history, 3_000)).toBe(false)
      const next = yield* Supervision.nextTry(hasty, history, 3_000)
      expect(next?.at).toBe(60_000)
      expect(Supervision.held(hasty, error("exit")).hint).toContain("limits.reconnectsPerMinute")
      history = Supervision.started(history, 60_000)
      expect((yield* Supervision.nextTry(hasty, history, 60_001))?.at).toBe(61_000)
    })
  )

  it("is made on use, once in a while", () => {
    const started = Supervision.started(asked, 10_000)
    expect(Supervision.mayTryOnUse(policy, started, 14_999)).toBe(false)
    expect(Supervision.mayTryOnUse(policy, started, 15_000)).toBe(true)
    const patient = Supervision.policy({ useInterval: Duration.minutes(1) })
    expect(Supervision.mayTryOnUse(patient, started, 15_000)).toBe(false)
  })
})
