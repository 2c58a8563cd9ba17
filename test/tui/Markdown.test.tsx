import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { render } from "ink-testing-library"
import { Markdown } from "../../src/tui/components/Markdown.tsx"
import { columnWidths } from "../../src/tui/components/MarkdownTable.tsx"
import * as LiveTail from "../../src/tui/LiveTail.ts"
import * as MarkdownBlocks from "../../src/tui/MarkdownBlocks.ts"

const shown = (text: string, width = 60): string => {
  const { lastFrame, unmount } = render(<Markdown text={text} width={width} />)
  const frame = (lastFrame() ?? "").replace(/\x1b\[[0-9;]*m/g, "")
  unmount()
  return frame
}

describe("Markdown", () => {
  it("headings, emphasis, links and code are shown without their marks", () => {
    expect(shown("# Title\n\nA **bold** _word_ and `code`, see [here](https://a.example).")).toBe(
      "# Title\n\nA bold word and code, see here (https://a.example)."
    )
  })

  it("lists keep their marks and their depth", () => {
    expect(shown("- one\n- two\n  - deep\n\n3. three\n4. four\n\n- [x] done")).toBe(
      "• one\n• two\n  • deep\n\n3. three\n4. four\n\n☑ done"
    )
  })

  it("tables line up, also with wide characters", () => {
    expect(shown("| a | n |\n|---|--:|\n| 漢字 | 1 |\n| bb | 22 |").split("\n")).toEqual([
      "a       n",
      "────  ───",
      "漢字    1",
      "bb     22"
    ])
  })

  it("code is shown as it is", () => {
    expect(shown("```ts\nconst a = 1\n\n  b()\n```")).toBe("  const a = 1\n\n    b()")
    expect(shown("```nolanguage\nx < y && *z*\n```")).toBe("  x < y && *z*")
  })

  it("escapes in the text are written out", () => {
    expect(shown("a \x1b[2J b `\x1b]0;t\x07`")).toBe("a \\x1b[2J b \\x1b]0;t\\x07")
  })

  it("a table that is too wide gives way in its widest columns", () => {
    expect(columnWidths([[5, 100, 10]], 50)).toEqual([5, 31, 10])
    expect(columnWidths([[100, 100]], 22)).toEqual([10, 10])
  })
})

describe("MarkdownBlocks", () => {
  it.each([
    ["one\n\ntwo", "one\n\n", "two"],
    ["one\ntwo", "", "one\ntwo"],
    ["one\n\n", "", "one\n\n"],
    ["```\na\n\nb", "", "```\na\n\nb"],
    ["```\na\n\nb\n```\n\nafter", "```\na\n\nb\n```\n\n", "after"],
    ["````\n```\n\nx", "", "````\n```\n\nx"],
    ["- a\n\n- b", "", "- a\n\n- b"],
    ["- a\n\n-", "", "- a\n\n-"],
    ["- a\n\n  more", "", "- a\n\n  more"],
    ["1. a\n\n2. b\n\ntext", "1. a\n\n2. b\n\n", "text"],
    ["text\n\n- a", "text\n\n", "- a"]
  ])("%j is cut into %j and %j", (text, stable, rest) => {
    expect(MarkdownBlocks.split(text)).toEqual({ stable, rest })
  })

  it("a cut loses nothing, and what was cut off stays so however the text goes on", () => {
    const lines = fc.constantFrom("text", "", "- item", "  more", "```", "1. one", "# head", "> quote", "| a |")
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 12 }), fc.nat(), (parts, seed) => {
        const text = parts.join("\n")
        const begun = text.slice(0, text.length === 0 ? 0 : seed % text.length)
        const early = MarkdownBlocks.split(begun)
        expect(early.stable + early.rest).toBe(begun)
        expect(MarkdownBlocks.split(text).stable.startsWith(early.stable)).toBe(true)
      })
    )
  })
})

describe("LiveTail", () => {
  it("text that fits is whole", () => {
    expect(LiveTail.cut("a\nb", 5, 80)).toBe("a\nb")
  })

  it("the last lines are kept, long ones counted by the rows that they take", () => {
    expect(LiveTail.cut("a\nb\nc", 2, 80)).toBe("b\nc")
    expect(LiveTail.cut(`a\n${"x".repeat(24)}`, 3, 10)).toBe("x".repeat(24))
  })

  it("a tail of code is still code", () => {
    expect(LiveTail.cut("```ts\na\nb\nc", 2, 80)).toBe("```ts\nc")
    expect(LiveTail.cut("```ts\na\n```\nb\nc", 2, 80)).toBe("b\nc")
  })
})
