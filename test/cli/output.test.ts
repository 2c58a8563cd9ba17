import { describe, expect, it } from "@effect/vitest"
import * as Content from "../../src/cli/output/content.ts"
import { json, prettyJson } from "../../src/cli/output/json.ts"
import * as Style from "../../src/cli/output/Style.ts"
import { shortened, table } from "../../src/cli/output/table.ts"

describe("json", () => {
  it("writes what a terminal would obey as escapes that a reader of JSON undoes", () => {
    const value = { text: "\x1b[2J\x9b\u202e\u{e0041}\u2028 é 漢", literal: "\\x1b \\u{202e}" }
    const text = json(value)
    expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e\u2028]|\u{e0041}/u)
    expect(JSON.parse(text)).toEqual(value)
    expect(JSON.parse(prettyJson(value))).toEqual(value)
    expect(text).toContain("é 漢")
  })
})

describe("table", () => {
  it("aligns columns as a terminal shows them, wide characters and colours included", () => {
    const text = table([["漢字", "b"], [Style.ansi.red("abc"), "d"], ["x"]])
    expect(text).toBe(`漢字  b\n${Style.ansi.red("abc")}   d\nx`)
  })

  it("shortens a text to its columns", () => {
    expect(shortened("hello world", 8)).toBe("hello w…")
    expect(shortened("漢字漢字", 5)).toBe("漢字…")
    expect(shortened("hello", 5)).toBe("hello")
    expect(shortened("hello", Number.POSITIVE_INFINITY)).toBe("hello")
  })
})

describe("style", () => {
  it.each([
    [{ isTTY: true }, {}, true],
    [{ isTTY: false }, {}, false],
    [{}, {}, false],
    [{ isTTY: true }, { NO_COLOR: "1" }, false],
    [{ isTTY: true }, { NO_COLOR: "" }, true],
    [{ isTTY: true }, { TERM: "dumb" }, false]
  ])("of the stream %j in the environment %j has colours: %j", (stream, env, colours) => {
    expect(Style.forStream(stream, env)).toBe(colours ? Style.ansi : Style.none)
  })
})

describe("a tool's result", () => {
  it("is its texts, with other blocks named and control characters made visible", () => {
    const lines = Content.lines(
      [
        { type: "text", text: "one\ntwo\x1b[2J" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
        { type: "audio", data: "A".repeat(4096), mimeType: "audio/wav\n" },
        { type: "resource", resource: { uri: "file:///a", text: "body" } },
        { type: "resource", resource: { uri: "file:///b", blob: "AA==", mimeType: "x/y" } },
        { type: "resource_link", uri: "file:///c", name: "c" },
        { type: "unknown", block: { type: "hologram" } }
      ],
      undefined
    )
    expect(lines.split("\n")).toEqual([
      "one",
      "two\\x1b[2J",
      "[image image/png, 3 bytes]",
      "[audio audio/wav, 3.0 KiB]",
      "[resource file:///a]",
      "body",
      "[resource file:///b x/y, 1 bytes]",
      "[resource file:///c]",
      "{",
      '  "type": "hologram"',
      "}"
    ])
  })

  it("is its structured content when there is no text", () => {
    expect(Content.lines([], { sum: 5 })).toBe('{\n  "sum": 5\n}')
    expect(Content.lines([{ type: "text", text: "5" }], { sum: 5 })).toBe("5")
  })
})
