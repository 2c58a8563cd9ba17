import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { DurationText, parseDuration } from "../../src/mcp/DurationText.ts"

describe("DurationText", () => {
  it.each([
    ["30 seconds", 30_000],
    ["1 second", 1000],
    ["500 millis", 500],
    ["2 minutes", 120_000],
    ["1 hour", 3_600_000],
    ["30s", 30_000],
    ["500ms", 500],
    ["2m", 120_000],
    ["1.5 s", 1500],
    [" 10S ", 10_000]
  ])("%s is a time", (text, millis) => {
    expect(Either.map(parseDuration(text), Duration.toMillis)).toEqual(Either.right(millis))
  })

  it.each([
    "",
    "30",
    "s",
    "soon",
    "-5s",
    "5 parsecs",
    "1e3s",
    "NaNs",
    "5s 5s",
    "Infinity",
    "constructor",
    "1 constructor"
  ])("%j is none, and the answer says what would be", (text) => {
    expect(Either.flip(parseDuration(text)).pipe(Either.getOrThrow)).toMatch(/^must be a time such as "30 seconds"/)
  })

  it.each([
    ["0s", "must be more than zero"],
    ["30 hours", undefined],
    ["9999 hours", "must be at most 24 days"]
  ])("a wait that would never or always be over is refused: %s", (text, message) => {
    expect(Either.getOrUndefined(Either.flip(parseDuration(text)))).toBe(message)
  })

  it("a number in a file is a count of milliseconds", () => {
    const decode = Schema.decodeUnknownEither(DurationText)
    expect(decode(1500)).toEqual(Either.right(Duration.millis(1500)))
    expect(decode("90s")).toEqual(Either.right(Duration.seconds(90)))
    expect([0, -1, true, null, "x"].map((input) => Either.isLeft(decode(input)))).toEqual([
      true,
      true,
      true,
      true,
      true
    ])
  })
})
