import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as LiveTail from "../../src/tui/LiveTail.ts"
import * as Width from "../../src/tui/Width.ts"

const pieces = fc.array(fc.constantFrom("a", " ", "漢", "한", "👩‍👩‍👧", "🇩🇪", "e\u0301", "👍🏽"), { maxLength: 40 })

describe("Width", () => {
  it.each([
    ["abc", 3],
    ["漢字", 4],
    ["e\u0301", 1],
    ["👩‍👩‍👧", 2],
    ["", 0]
  ])("%j takes %i columns", (text, width) => {
    expect(Width.of(text)).toBe(width)
  })

  it("blanks are added by columns, not by characters", () => {
    expect([Width.padEnd("漢字", 6), Width.padEnd("abcdefg", 3)]).toEqual(["漢字  ", "abcdefg"])
  })

  it.each([
    ["漢字", 3, "字"],
    ["a👩‍👩‍👧", 2, "👩‍👩‍👧"],
    ["a👩‍👩‍👧", 1, ""],
    ["xe\u0301", 1, "e\u0301"],
    ["abc", 10, "abc"],
    ["abc", 0, ""]
  ])("the end of %j that fits into %i columns is %j", (text, width, end) => {
    expect(Width.endOf(text, width)).toBe(end)
  })

  it("the end of a text is never wider than allowed, and nothing that fits is left out", () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 2, max: 30 }), (parts, width) => {
        const text = parts.join("")
        const end = Width.endOf(text, width)
        expect(text.endsWith(end)).toBe(true)
        expect(Width.of(end)).toBeLessThanOrEqual(width)
        if (end !== text) expect(Width.of(end)).toBeGreaterThanOrEqual(width - 1)
      })
    )
  })

  it("the end of a long line that is still being written takes no more rows than there are", () => {
    expect(Width.of(LiveTail.cut("漢".repeat(500), 2, 40))).toBeLessThanOrEqual(80)
  })
})
