import { describe, expect, it } from "@effect/vitest"
import { EngineEvent } from "../../src/engine/EngineEvent.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Transcript from "../../src/tui/Transcript.ts"

const { Item } = Transcript

const started = (id: string, name = "echo") =>
  EngineEvent.ToolStarted({ id, name, server: undefined, arguments: { id } })

const finished = (id: string, text = "done") =>
  EngineEvent.ToolFinished({ id, name: "echo", result: Tool.text(text), denied: false, durationMs: 5 })

const done = (reason: "answer" | "max-turns" | "cancelled" | "error", error?: string) =>
  EngineEvent.Done({ reason, text: "", turns: 2, error })

const told = (...events: ReadonlyArray<EngineEvent>): Transcript.Transcript =>
  events.reduce(
    (transcript, event) => Transcript.onEngineEvent(transcript, event, 1_000),
    Transcript.onRun(Transcript.empty, 0, "thinking")
  )

const said = ({ items }: Transcript.Transcript) =>
  items.map((item) => (item._tag === "Tool" ? `${item.call.id}: ${item.call.outcome?.text}` : item.text))

describe("Transcript", () => {
  it("text that streams in is finished block by block", () => {
    const transcript = told(EngineEvent.TextDelta({ text: "one\n" }), EngineEvent.TextDelta({ text: "\ntwo" }))
    expect(transcript.items).toEqual([Item.Answer({ text: "one\n\n", first: true })])
    expect(transcript.text).toBe("two")
  })

  it("the rest of the text is finished when a tool is called, a turn begins, or the run ends", () => {
    for (const event of [started("1"), EngineEvent.TurnStarted({ turn: 2, tools: 1, of: 1 }), done("answer")]) {
      const transcript = told(EngineEvent.TextDelta({ text: "so far" }), event)
      expect(said(transcript)).toEqual(["so far"])
      expect(transcript.text).toBe("")
    }
  })

  it("thinking comes before what follows it", () => {
    expect(told(EngineEvent.ReasoningDelta({ text: "hm" }), EngineEvent.TextDelta({ text: "a\n\nb" })).items).toEqual([
      Item.Thought({ text: "hm" }),
      Item.Answer({ text: "a\n\n", first: true })
    ])
  })

  it("calls leave the moving part in the order in which they were made", () => {
    const early = told(started("1"), started("2"), finished("2", "second"))
    expect(said(early)).toEqual([])
    expect(early.calls.map(({ id }) => id)).toEqual(["1", "2"])
    const late = Transcript.onEngineEvent(early, finished("1", "first"), 1_000)
    expect(said(late)).toEqual(["1: first", "2: second"])
    expect(late.calls).toEqual([])
  })

  it("a call keeps what is wrong with its result", () => {
    const result = { ...Tool.text("done"), warnings: ["does not fit"] }
    const event = EngineEvent.ToolFinished({ id: "1", name: "echo", result, denied: false, durationMs: 5 })
    expect(told(started("1"), event).items).toMatchObject([{ call: { outcome: { warnings: ["does not fit"] } } }])
  })

  it("progress is told in words until the call is done", () => {
    const progress = EngineEvent.ToolProgress({ id: "1", progress: 1, total: 4, message: "fetching" })
    expect(told(started("1"), progress).calls[0]?.progress).toBe("25 % fetching")
    const counted = EngineEvent.ToolProgress({ id: "1", progress: 7, total: undefined, message: undefined })
    expect(told(started("1"), counted).calls[0]?.progress).toBe("7")
  })

  it("a run that is cancelled leaves no call moving, and keeps the results that were there", () => {
    const transcript = Transcript.onEnd(told(started("1"), started("2"), finished("2", "kept")), 3_000)
    expect(said(transcript)).toEqual(["1: cancelled", "2: kept"])
    expect(transcript.run).toBeUndefined()
  })

  it.each([
    ["answer", undefined, []],
    ["error", "401: no key", ["401: no key"]],
    ["max-turns", undefined, ["stopped after 2 turns"]],
    ["cancelled", undefined, ["cancelled"]]
  ] as const)("the end by %s is told", (reason, error, texts) => {
    expect(said(told(done(reason, error)))).toEqual(texts)
  })

  it("a result of any size is kept to what can be looked through", () => {
    const [item] = told(started("1"), finished("1", "x".repeat(10_000_000))).items
    expect(item?._tag === "Tool" && (item.call.outcome?.text.length ?? 0) < 300_000).toBe(true)
    expect(item?._tag === "Tool" && item.call.outcome?.text.endsWith("more characters")).toBe(true)
  })

  it("tokens add up over the turns", () => {
    const { inputTokens, outputTokens } = told(
      EngineEvent.Usage({ inputTokens: 10, outputTokens: 1 }),
      EngineEvent.Usage({ inputTokens: 20, outputTokens: 2 })
    )
    expect([inputTokens, outputTokens]).toEqual([30, 3])
  })

  it("what the model was offered last is known", () => {
    expect(told(EngineEvent.TurnStarted({ turn: 1, tools: 3, of: 40 })).offer).toEqual({ tools: 3, of: 40 })
  })

  it("a run says what it is doing", () => {
    expect(told(EngineEvent.TurnStarted({ turn: 3, tools: 1, of: 1 })).run?.activity).toBe("thinking, turn 3")
    expect(told(started("1")).run?.activity).toBe("running tools")
    const retry = EngineEvent.ModelRetry({ attempt: 2, delayMs: 1_500, reason: "overloaded" })
    expect(told(retry).run?.activity).toBe("model: overloaded; attempt 2 in 1.5 s")
    expect(Transcript.onEngineEvent(Transcript.onCancelling(told()), started("1"), 0).run?.activity).toBe("cancelling")
  })
})
