import { describe, expect, it } from "@effect/vitest"
import { Intent } from "../../src/tui/Intent.ts"
import { Key } from "../../src/tui/Keys.ts"
import * as Prompt from "../../src/tui/Prompt.ts"
import * as TextBuffer from "../../src/tui/TextBuffer.ts"
import * as Transcript from "../../src/tui/Transcript.ts"
import * as UiKeys from "../../src/tui/UiKeys.ts"
import * as UiState from "../../src/tui/UiState.ts"
import { connected, failed, mcpTool, pending, tool, toolSet } from "./fakes.ts"

const initial = UiState.make({
  columns: 80,
  rows: 24,
  now: 0,
  model: "offline",
  directory: "~",
  sandbox: "~",
  plain: false
})

/** Keys by name; a word of several letters in quotes is typed. */
const keys = (...names: ReadonlyArray<string>): ReadonlyArray<Key> =>
  names.map((name) => (name.startsWith("'") ? Key.Text({ text: name.slice(1, -1) }) : Key.Press({ key: name })))

const press = (state: UiState.UiState, names: ReadonlyArray<string>, now = 10_000) =>
  keys(...names).reduce<{ state: UiState.UiState; intents: ReadonlyArray<Intent> }>(
    (before, key) => {
      const step = UiKeys.onKey(before.state, key, now)
      return { state: step.state, intents: [...before.intents, ...step.intents] }
    },
    { state, intents: [] }
  )

const running = UiKeys.start(initial, "work").state
const typed = ({ prompt }: UiState.UiState): string => TextBuffer.content(prompt.buffer)

describe("keys in the conversation", () => {
  it("Enter sends the prompt, remembers it, and empties the input", () => {
    const { intents, state } = press(initial, ["'hello'", "enter"])
    expect(intents).toEqual([Intent.Remember({ prompt: "hello" }), Intent.Ask({ prompt: "hello" })])
    expect(typed(state)).toBe("")
    expect(state.transcript.items).toEqual([Transcript.Item.User({ text: "hello" })])
    expect(state.transcript.run).toBeDefined()
  })

  it("Enter on nothing does nothing", () => {
    expect(press(initial, ["'  '", "enter"]).intents).toEqual([])
  })

  it("a backslash before Enter makes a new line", () => {
    const { intents, state } = press(initial, ["'a\\'", "enter", "'b'"])
    expect([typed(state), intents]).toEqual(["a\nb", []])
  })

  it("! runs a shell command", () => {
    expect(press(initial, ["'! ls -la'", "enter"]).intents).toContainEqual(Intent.Shell({ command: "ls -la" }))
  })

  it("what is sent during a run waits, and follows it", () => {
    const { intents, state } = press(running, ["'next'", "enter"])
    expect([intents, state.queued]).toEqual([[Intent.Remember({ prompt: "next" })], ["next"]])
    expect(UiKeys.onIdle(state).intents).toEqual([])
    const idle = UiKeys.onIdle(UiState.onRunEnd(state))
    expect([idle.intents, idle.state.queued]).toEqual([[Intent.Ask({ prompt: "next" })], []])
  })

  it("what waits goes back to the input when the run is cancelled", () => {
    const { state } = press(running, ["'next'", "enter", "'more'"])
    const cancelled = UiState.onCancelled(state)
    expect([cancelled.queued, typed(cancelled)]).toEqual([[], "next\nmore"])
  })

  it.each(["escape", "ctrl+c"])("%s cancels a run", (key) => {
    const { intents, state } = press(running, [key])
    expect([intents, state.transcript.run?.cancelling]).toEqual([[Intent.Cancel()], true])
  })

  it("Ctrl+C twice, or at rest, or in a panel, quits", () => {
    expect(press(running, ["ctrl+c", "ctrl+c"]).intents).toEqual([Intent.Cancel(), Intent.Quit()])
    expect(press(initial, ["ctrl+c"]).intents).toEqual([Intent.Quit()])
    expect(press(UiState.onPanel(initial, { _tag: "Servers" }), ["ctrl+c"]).intents).toEqual([Intent.Quit()])
  })

  it("Ctrl+D quits when nothing is typed, and deletes otherwise", () => {
    expect(press(initial, ["ctrl+d"]).intents).toEqual([Intent.Quit()])
    const { intents, state } = press(initial, ["'ab'", "home", "ctrl+d"])
    expect([typed(state), intents]).toEqual(["b", []])
  })

  it("↑ and ↓ go through earlier prompts and come back to what was being typed", () => {
    const state = { ...initial, prompt: Prompt.onHistory(initial.prompt, ["one", "two"]) }
    const up = press(state, ["'draft'", "up", "up", "up"]).state
    expect(typed(up)).toBe("one")
    expect(typed(press(up, ["down"]).state)).toBe("two")
    expect(typed(press(up, ["down", "down", "down"]).state)).toBe("draft")
  })

  it("↑ moves within a prompt of several lines first", () => {
    const state = { ...initial, prompt: Prompt.onHistory(initial.prompt, ["old"]) }
    const { prompt } = press(state, ["'a'", "alt+enter", "'b'", "up"]).state
    expect([prompt.buffer.text, prompt.buffer.cursor]).toEqual(["a\nb", 1])
  })
})

describe("slash commands", () => {
  it("/mcp opens the servers, and selects the one that is named", () => {
    const state = UiState.onStatuses(initial, [connected("a", [mcpTool("x")]), pending("b")])
    expect(press(state, ["'/mcp'", "enter"]).state.panel?.subject).toEqual({ _tag: "Servers" })
    const { state: opened } = press(state, ["'/mcp b'", "enter"])
    const row = UiState.rowsOf(opened)[opened.panel?.selected ?? -1]
    expect(row?._tag === "Server" && row.status.name).toBe("b")
    expect(press(state, ["'/mcp c'", "enter"]).state.message?.text).toBe("no server is called c")
  })

  it.each([
    ["/mpc", "unknown command /mpc: did you mean /mcp?"],
    ["/cl", "unknown command /cl: did you mean /clear?"],
    ["/xyzzy", "unknown command /xyzzy: see /help"]
  ])("%s is unknown, and says so", (line, message) => {
    const { intents, state } = press(initial, [`'${line}'`, "enter"])
    expect(state.message).toEqual({ text: message, tone: "error" })
    expect(intents).toEqual([Intent.Remember({ prompt: line })])
  })

  it("a path is no command", () => {
    expect(press(initial, ["'/usr/bin is a folder'", "enter"]).intents).toContainEqual(
      Intent.Ask({ prompt: "/usr/bin is a folder" })
    )
  })

  it("/exit quits, /help and /model say what they say, /tools opens the tools", () => {
    expect(press(initial, ["'/exit'", "enter"]).intents).toContainEqual(Intent.Quit())
    expect(press(initial, ["'/tools'", "enter"]).state.panel?.subject._tag).toBe("Tools")
    const help = press(initial, ["'/help'", "enter"]).state.transcript.items[0]
    expect(help?._tag === "Notice" && help.text).toContain("/mcp [server]")
    const model = press(initial, ["'/model'", "enter"]).state.transcript.items[0]
    expect(model?._tag === "Notice" && model.text).toContain("offline")
  })

  it("/clear forgets the conversation, but not while something runs", () => {
    const { intents, state } = press(UiState.onRunEnd(running), ["'/clear'", "enter"])
    expect([state.transcript.items, intents.at(-1)]).toEqual([[], Intent.Clear()])
    expect(press(running, ["'/clear'", "enter"]).intents).not.toContainEqual(Intent.Clear())
  })
})

describe("Tab", () => {
  const state = UiState.onStatuses(initial, [pending("context7"), pending("memory")])

  it("completes a command: the first one of several, then the next", () => {
    expect(typed(press(state, ["'/m'", "tab"]).state)).toBe("/mcp")
    expect(typed(press(state, ["'/m'", "tab", "tab"]).state)).toBe("/model")
    expect(typed(press(state, ["'/m'", "tab", "tab", "tab"]).state)).toBe("/mcp")
    expect(typed(press(state, ["'/m'", "tab", "shift+tab"]).state)).toBe("/model")
    expect(typed(press(state, ["'/cl'", "tab"]).state)).toBe("/clear ")
  })

  it("/m, Tab, Enter opens the servers", () => {
    expect(press(state, ["'/m'", "tab", "enter"]).state.panel?.subject).toEqual({ _tag: "Servers" })
  })

  it("completes a server's name", () => {
    expect(typed(press(state, ["'/mcp con'", "tab"]).state)).toBe("/mcp context7 ")
  })

  it("looks files up after an @, and puts in what was found if nothing was typed since", () => {
    const { intents, state: asked } = press(state, ["'see @src/t'", "tab"])
    expect(intents).toEqual([Intent.FindFiles({ start: 5, prefix: "src/t" })])
    const found = { start: 5, prefix: "src/t", candidates: [{ text: "src/tui/", help: "" }] }
    expect(Prompt.onCandidates(asked.prompt, found).buffer.text).toBe("see @src/tui/")
    const later = press(asked, ["'x'"]).state
    expect(Prompt.onCandidates(later.prompt, found).buffer.text).toBe("see @src/tx")
  })

  it("does nothing to other words", () => {
    expect(press(state, ["'hello'", "tab"])).toEqual(press(state, ["'hello'"]))
  })
})

describe("keys before a question", () => {
  const question = (id: number) => ({
    id,
    _tag: "Tool" as const,
    request: { id: `call ${id}`, tool: tool("bash"), arguments: {} }
  })
  const asked = UiState.onQuestions(running, [question(1), question(2)])

  it.each([
    [["enter"], { _tag: "Once" }],
    [["'y'"], { _tag: "Once" }],
    [["'2'"], { _tag: "Session" }],
    [["down", "down", "enter"], { _tag: "Always" }],
    [["'n'"], { _tag: "Deny" }],
    [["'w'", "'use git'", "enter"], { _tag: "Deny", reason: "use git" }],
    [["'wuse 漢字'", "enter"], { _tag: "Deny", reason: "use 漢字" }],
    [["'jjs'"], { _tag: "Session" }]
  ] as const)("%j answers %j", (pressed, answer) => {
    expect(press(asked, pressed).intents).toEqual([Intent.Answer({ id: 1, answer })])
  })

  it("what was typed behind an answer in the same moment, and what is pasted, answers nothing else", () => {
    const { intents, state } = press(asked, ["'yyes'"])
    expect([intents, typed(state)]).toEqual([[Intent.Answer({ id: 1, answer: { _tag: "Once" } })], ""])
    expect(UiKeys.onKey(asked, Key.Paste({ text: "y" }), 10_000).intents).toEqual([])
  })

  it("the next question comes when the first is answered, and goes when it is taken back", () => {
    const answered = press(asked, ["'y'"]).state
    expect(answered.dialog).toBeUndefined()
    expect(UiState.onQuestions(answered, [question(2)]).dialog?.question.id).toBe(2)
    expect(UiState.onQuestions(asked, []).dialog).toBeUndefined()
  })

  it("a key that was meant for the input is no answer", () => {
    const typing = press(running, ["'y'"], 10_000).state
    const surprised = UiState.onQuestions(typing, [question(1)])
    const { intents, state } = press(surprised, ["'y'"], 10_300)
    expect([intents, state.dialog === undefined]).toEqual([[], false])
    expect(press(state, ["'y'"], 12_000).intents).toHaveLength(1)
  })

  it("Esc cancels the run; while a word is typed it goes back to the answers", () => {
    expect(press(asked, ["escape"]).intents).toEqual([Intent.Cancel()])
    const { intents, state } = press(asked, ["'w'", "'no'", "escape"])
    expect([intents, state.dialog?.reason]).toEqual([[], undefined])
  })
})

describe("keys in a panel", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => mcpTool(`tool_${index}`, `does ${index}`))
  const state = UiState.onStatuses(initial, [connected("big", many), failed("remote", "connect refused")])
  const opened = UiState.onPanel(state, { _tag: "Servers" })

  const selected = (after: UiState.UiState) => {
    const row = UiState.rowsOf(after)[after.panel?.selected ?? -1]
    return row?._tag === "Server" ? row.status.name : row?._tag === "Tool" ? row.name : row?._tag
  }

  it("a server of many tools shows a few until it is unfolded", () => {
    expect(UiState.rowsOf(opened).length).toBeLessThan(30)
    expect(UiState.rowsOf(press(opened, ["enter"]).state).length).toBeGreaterThan(20_000)
    expect(UiState.rowsOf(press(opened, ["enter", "enter"]).state).length).toBeLessThan(10)
  })

  it.each(["down", "'j'"])("%s selects the next row, and the window follows", (key) => {
    const unfolded = press(opened, ["enter"]).state
    expect(selected(press(unfolded, [key]).state)).toBe("tool_0")
    const far = press(
      unfolded,
      Array.from({ length: 50 }, () => key)
    ).state
    expect(selected(far)).toBe("tool_49")
    const { offset = 0, selected: index = 0 } = far.panel ?? {}
    expect(index).toBeGreaterThan(offset)
    expect(index).toBeLessThan(offset + UiState.panelHeight(far))
  })

  it("G goes to the end, g to the top, and no key leaves them", () => {
    const end = press(opened, ["enter", "'G'", "'jj'"]).state
    expect(selected(end)).toBe("remote")
    expect(selected(press(end, ["'gk'"]).state)).toBe("big")
  })

  it("characters that came at once are keys of their own", () => {
    expect(selected(press(opened, ["'jjj'"]).state)).toBe("tool_2")
  })

  it("r and d are for the server of the selected row", () => {
    expect(press(opened, ["'j'", "'r'"]).intents).toEqual([Intent.Reconnect({ server: "big" })])
    expect(press(opened, ["'d'"]).intents).toEqual([Intent.SetEnabled({ server: "big", enabled: false })])
    expect(press(opened, ["'G'", "'r'"]).intents).toEqual([Intent.Reconnect({ server: "remote" })])
  })

  it.each(["'e'", "'E'"])("%s edits the configuration", (key) => {
    expect(press(opened, [key]).intents).toEqual([Intent.EditConfig()])
  })

  it("/ filters over all tools, unfolded or not; Esc ends the filter, then the view", () => {
    const filtered = press(opened, ["'/'", "'9999'"]).state
    const tools = UiState.rowsOf(filtered).filter(({ _tag }) => _tag === "Tool")
    expect(tools).toHaveLength(1)
    const back = press(filtered, ["escape"]).state
    expect(back.panel?.folding.filter).toBe("")
    expect(press(back, ["escape"]).state.panel).toBeUndefined()
  })

  it("the letters of a filter are no keys", () => {
    const { intents, state: after } = press(opened, ["'/'", "'red'"])
    expect([intents, after.panel?.folding.filter]).toEqual([[], "red"])
  })

  it("what is selected stays selected when servers change", () => {
    const chosen = press(opened, ["'G'"]).state
    const changed = UiState.onStatuses(chosen, [
      connected("big", many.slice(0, 3)),
      failed("remote", "connect refused")
    ])
    expect(selected(changed)).toBe("remote")
    expect(selected(UiState.onStatuses(chosen, []))).toBeUndefined()
  })

  it("the tools of the registry are listed by where they come from", () => {
    const origin = { _tag: "Mcp", server: "memory", tool: "read" } as const
    const tools = toolSet([tool("bash"), tool("mcp__memory__read", { origin })])
    const skipped = [{ tool: tool("bad"), reason: "its schema is no object" }]
    const after = UiState.onPanel(UiState.onToolSet(initial, { ...tools, skipped }), { _tag: "Tools" })
    const texts = UiState.rowsOf(after).map((row) =>
      row._tag === "Line" ? row.text : row._tag === "Tool" ? row.name : ""
    )
    expect(texts.filter((text) => text !== "")).toEqual([
      "built in  1 tool",
      "bash",
      "does bash",
      "memory  1 tool",
      "mcp__memory__read",
      "does mcp__memory__read",
      "not offered",
      "bad",
      "its schema is no object"
    ])
  })

  it("Ctrl+O shows the last tool call in full; ← goes to the one before", () => {
    expect(press(initial, ["ctrl+o"]).state.message?.text).toBe("no tool has been called yet")
    const call = (id: string) => ({
      id,
      name: id,
      server: undefined,
      arguments: {},
      startedAt: 0,
      progress: undefined,
      outcome: { isError: false, denied: false, text: `result of ${id}`, durationMs: 1 }
    })
    const items = [call("first"), call("second")].map((each) => Transcript.Item.Tool({ call: each }))
    const called = { ...initial, transcript: Transcript.add(initial.transcript, ...items) }
    const texts = (after: UiState.UiState) => UiState.rowsOf(after).map((row) => (row._tag === "Line" ? row.text : ""))
    expect(texts(press(called, ["ctrl+o"]).state)).toContain("result of second")
    expect(texts(press(called, ["ctrl+o", "left"]).state)).toContain("result of first")
    expect(texts(press(called, ["ctrl+o", "left", "left"]).state)).toContain("result of first")
    expect(press(called, ["ctrl+o", "escape"]).state.panel).toBeUndefined()
  })
})
