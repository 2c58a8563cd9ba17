import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import stringWidth from "string-width"
import * as TextBuffer from "../../src/tui/TextBuffer.ts"

/** A buffer from a text in which `|` is the cursor. */
const at = (marked: string): TextBuffer.TextBuffer => ({
  ...TextBuffer.empty,
  text: marked.replace("|", ""),
  cursor: marked.indexOf("|")
})

const marked = ({ cursor, text }: TextBuffer.TextBuffer): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`

const pressed = (buffer: TextBuffer.TextBuffer, key: string): TextBuffer.TextBuffer =>
  TextBuffer.keys[key]?.(buffer) ?? buffer

const long = Array.from({ length: 120 }, (_, line) => `line ${line}`).join("\n")

describe("TextBuffer", () => {
  it.each([
    ["left", "ab|c", "a|bc"],
    ["left", "|abc", "|abc"],
    ["left", "a👩‍👩‍👧|", "a|👩‍👩‍👧"],
    ["left", "a\n|b", "a|\nb"],
    ["right", "a|é", "aé|"],
    ["right", "|\nb", "\n|b"],
    ["right", "abc|", "abc|"],
    ["ctrl+left", "one two|", "one |two"],
    ["ctrl+left", "one  |two", "|one  two"],
    ["ctrl+right", "|one two", "one| two"],
    ["alt+f", "one| two.three", "one two|.three"],
    ["home", "a\nbc|d", "a\n|bcd"],
    ["ctrl+a", "|a\nb", "|a\nb"],
    ["end", "a|b\nc", "ab|\nc"],
    ["backspace", "漢字|", "漢|"],
    ["backspace", "|a", "|a"],
    ["backspace", "a\n|b", "a|b"],
    ["delete", "a|👍🏽b", "a|b"],
    ["ctrl+w", "one two |three", "one |three"],
    ["alt+d", "one| two three", "one| three"],
    ["ctrl+k", "a|b\nc", "a|\nc"],
    ["ctrl+k", "a|\nc", "a|c"],
    ["ctrl+u", "x\nab|c", "x\n|c"],
    ["alt+enter", "a|b", "a\n|b"],
    ["ctrl+j", "a|b", "a\n|b"]
  ])("%s turns %j into %j", (key, before, after) => {
    expect(marked(pressed(at(before), key))).toBe(after)
  })

  it("what was cut last is put back", () => {
    expect(marked(pressed(pressed(pressed(at("one two|"), "ctrl+w"), "home"), "ctrl+y"))).toBe("two|one ")
  })

  it("a large paste is one block, which is deleted, passed over and sent as a whole", () => {
    const buffer = TextBuffer.insert(TextBuffer.paste(TextBuffer.insert(TextBuffer.empty, "look: "), long), "!")
    expect(TextBuffer.layout(buffer, 80).rows[0]?.shown).toBe("look: [pasted 120 lines]!")
    expect(TextBuffer.content(buffer)).toBe(`look: ${long}!`)
    const without = pressed(pressed(buffer, "left"), "backspace")
    expect(TextBuffer.content(without)).toBe("look: !")
  })

  it("a small paste is text", () => {
    expect(TextBuffer.paste(TextBuffer.empty, "two\nlines").text).toBe("two\nlines")
  })

  it("pasted text cannot pretend to be a block", () => {
    const buffer = TextBuffer.paste(TextBuffer.paste(TextBuffer.empty, long), "\ue000")
    expect(TextBuffer.content(buffer)).toBe(long)
  })

  it("control characters are kept in the text and written out on the screen", () => {
    const buffer = TextBuffer.paste(TextBuffer.empty, "a\x1b[2Jb\tc")
    expect(TextBuffer.content(buffer)).toBe("a\x1b[2Jb\tc")
    expect(TextBuffer.layout(buffer, 80).rows[0]?.shown).toBe("a\\x1b[2Jb  c")
  })

  it.each([
    ["abcdef|", 3, ["abc", "def", ""], 2, 0],
    ["abc|def", 3, ["abc", "def", ""], 1, 0],
    ["漢字漢|", 4, ["漢字", "漢"], 1, 2],
    ["a漢|", 2, ["a", "漢", ""], 2, 0],
    ["ab\n\n|c", 10, ["ab", "", "c"], 2, 0],
    ["ab\n|", 10, ["ab", ""], 1, 0],
    ["|", 10, [""], 0, 0]
  ])("%j at width %i takes the rows %j", (text, width, rows, row, column) => {
    const layout = TextBuffer.layout(at(text), width)
    expect(layout.rows.map(({ shown }) => shown)).toEqual(rows)
    expect([layout.row, layout.column]).toEqual([row, column])
  })

  it.each([
    ["abcd\nef|", -1, "ab|cd\nef"],
    ["a|bcd\nef", 1, "abcd\ne|f"],
    ["abcd|\nef", 1, "abcd\nef|"],
    ["漢字\nabc|", -1, "漢|字\nabc"]
  ])("%j moved by %i rows is %j", (before, rows, after) => {
    const moved = TextBuffer.moveRows(at(before), rows, 20)
    expect(moved && marked(moved)).toBe(after)
  })

  it("there is no row above the first and below the last", () => {
    expect(TextBuffer.moveRows(at("a|\nb"), -1, 20)).toBeUndefined()
    expect(TextBuffer.moveRows(at("a\nb|"), 1, 20)).toBeUndefined()
  })

  const edits = fc.array(
    fc.oneof(
      fc.record({ text: fc.string({ unit: "grapheme", maxLength: 5 }) }),
      fc.record({ text: fc.constantFrom("\n", "漢", "e\u0301", "👩‍👩‍👧", "🇩🇪") }),
      fc.record({ key: fc.constantFrom(...Object.keys(TextBuffer.keys)) })
    ),
    { maxLength: 30 }
  )

  const edit = (steps: ReadonlyArray<{ text: string } | { key: string }>): TextBuffer.TextBuffer =>
    steps.reduce<TextBuffer.TextBuffer>(
      (buffer, step) => ("key" in step ? pressed(buffer, step.key) : TextBuffer.insert(buffer, step.text)),
      TextBuffer.empty
    )

  it("the cursor never leaves the text and never splits a surrogate pair", () => {
    fc.assert(
      fc.property(edits, (steps) => {
        const { cursor, text } = edit(steps)
        expect(cursor).toBeGreaterThanOrEqual(0)
        expect(cursor).toBeLessThanOrEqual(text.length)
        expect(/[\ud800-\udbff]$/.test(text.slice(0, cursor))).toBe(false)
      })
    )
  })

  it("rows hold the whole text, none is wider than allowed, and the cursor is in one of them", () => {
    fc.assert(
      fc.property(edits, fc.integer({ min: 24, max: 60 }), (steps, width) => {
        const buffer = edit(steps)
        const layout = TextBuffer.layout(buffer, width)
        for (const { shown } of layout.rows) expect(stringWidth(shown)).toBeLessThanOrEqual(width)
        const parts = layout.rows.map(({ end, start }) => buffer.text.slice(start, end))
        expect(parts.join("")).toBe(buffer.text.replaceAll("\n", ""))
        expect(layout.rows[layout.row]).toBeDefined()
        expect(layout.column).toBeLessThanOrEqual(width)
      })
    )
  })
})
