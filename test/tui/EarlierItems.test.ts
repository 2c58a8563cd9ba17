import { describe, expect, it } from "@effect/vitest"
import type { SessionEvent } from "../../src/engine/SessionEvent.ts"
import * as EarlierItems from "../../src/tui/EarlierItems.ts"

const shown = (events: ReadonlyArray<SessionEvent>, here = "/work") =>
  EarlierItems.of({ id: "s", directory: "/work", events }, here).map((item) =>
    item._tag === "Tool"
      ? `${item.call.server ?? "built in"} ${item.call.name}: ${item.call.outcome?.text}`
      : `${item._tag}: ${item.text}`
  )

const prompted = (prompt: string): SessionEvent => ({ type: "prompted", prompt })

describe("what was said before a session was opened", () => {
  it("is shown as it was: prompts, thoughts, calls with their results, answers, how runs ended", () => {
    expect(
      shown([
        prompted("look"),
        { type: "noticed", notices: ["x is not usable"] },
        { type: "offered", tools: [{ name: "mcp__it__a", server: "it" }, { name: "glob" }] },
        {
          type: "answered",
          parts: [
            { type: "reasoning", text: "hm" },
            { type: "text", text: "Let me." },
            { type: "tool-call", id: "1", name: "mcp__it__a", arguments: {} },
            { type: "tool-call", id: "2", name: "glob", arguments: {} }
          ]
        },
        { type: "returned", id: "1", text: "one", isError: false, denied: false, durationMs: 1 },
        { type: "ended", reason: "error", turns: 1, error: "no connection" }
      ])
    ).toEqual([
      "User: look",
      "Notice: x is not usable",
      "Thought: hm",
      "Answer: Let me.",
      "it mcp__it__a: one",
      "built in glob: harness9 was stopped before there was a result",
      "Notice: no connection",
      "Notice: going on with session s"
    ])
  })

  it("is what came after it was forgotten, bounded, and names another directory", () => {
    expect(shown([prompted("old"), { type: "cleared" }, prompted("new")], "/elsewhere")).toEqual([
      "User: new",
      "Notice: going on with session s; it was begun in /work"
    ])
    const many = shown(Array.from({ length: 500 }, (_, index) => prompted(String(index))))
    expect(many[0]).toBe("Notice: 100 earlier entries are not shown: harness9 sessions show s")
    expect(many).toHaveLength(402)
  })
})
