import { describe, expect, it } from "@effect/vitest"
import { oneLine, visible } from "../../src/mcp/VisibleText.ts"

describe("VisibleText", () => {
  it.each([
    ["an escape sequence", "\x1b[2Jgone", "\\x1b[2Jgone"],
    ["a clipboard write", "\x1b]52;c;AAAA\x07", "\\x1b]52;c;AAAA\\x07"],
    ["C1 controls", "a\x9b31mb\x85", "a\\x9b31mb\\x85"],
    ["DEL and NUL", "\x7f\x00", "\\x7f\\x00"],
    ["bidirectional overrides", "\u202egnp\u2066", "\\u{202e}gnp\\u{2066}"],
    ["zero-width characters", "pass\u200bword\u2060\ufeff", "pass\\u{200b}word\\u{2060}\\u{feff}"],
    ["a joiner between Latin letters", "a\u200db", "a\\u{200d}b"],
    ["smuggled tag characters", "hi\u{e0041}\u{e0042}", "hi\\u{e0041}\\u{e0042}"],
    ["a row of variation selectors", "x\ufe01\ufe02", "x\ufe01\\u{fe02}"],
    ["line separators", "a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
    ["half a surrogate pair", "\ud83d", "\\u{d83d}"],
    ["a Hangul filler", "\u3164", "\\u{3164}"],
    ["line ends and tabs, on one line", "a\r\nb\tc", "a\\r\\nb\\tc"]
  ])("%s is written out", (_, text, expected) => {
    expect(visible(text)).toBe(expected)
  })

  it.each(["plain", "naïve café", "漢字", "👩‍👩‍👧", "👍🏽", "❤️", "می‌خواهم", "क्‍ष"])("%s stays as it is", (text) => {
    expect(visible(text)).toBe(text)
  })

  it("keeps the lines of a text that may have some, and nothing else", () => {
    expect(visible("a\r\n\tb\rc\x1b", { newlines: true })).toBe("a\n\tb\\rc\\x1b")
  })

  it("puts a text on one line", () => {
    expect(oneLine("  first\n\n  second\x1b ")).toBe("first second\\x1b")
  })

  it("changes nothing when applied twice", () => {
    const once = visible("\x1b\u202e\n")
    expect(visible(once)).toBe(once)
  })
})
