import { afterEach, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { cleanup, render } from "ink-testing-library"
import type { ReactElement } from "react"
import { EngineEvent } from "../../src/engine/EngineEvent.ts"
import { McpError } from "../../src/mcp/McpError.ts"
import * as ServerStatusModule from "../../src/mcp/ServerStatus.ts"
import { ServerStatus } from "../../src/mcp/ServerStatus.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { App } from "../../src/tui/components/App.tsx"
import { Completions } from "../../src/tui/components/Completions.tsx"
import { PlainMarkdown } from "../../src/tui/components/HistoryItem.tsx"
import { McpBar } from "../../src/tui/components/McpBar.tsx"
import { StatusBar, type StatusBarProps } from "../../src/tui/components/StatusBar.tsx"
import { ToolCall } from "../../src/tui/components/ToolCall.tsx"
import { Key } from "../../src/tui/Keys.ts"
import * as ServerView from "../../src/tui/ServerView.ts"
import * as TextBuffer from "../../src/tui/TextBuffer.ts"
import type * as Transcript from "../../src/tui/Transcript.ts"
import * as UiKeys from "../../src/tui/UiKeys.ts"
import * as UiState from "../../src/tui/UiState.ts"
import * as UiStore from "../../src/tui/UiStore.ts"
import { connected, failed, mcpTool, pending, tool, toolSet } from "./fakes.ts"

afterEach(cleanup)

const frame = (node: ReactElement): string => (render(node).lastFrame() ?? "").replace(/\x1b\[[0-9;]*m/g, "")

const size = { columns: 100, rows: 24 }
const initial = UiState.make({
  ...size,
  now: 0,
  model: "offline",
  directory: "~/work",
  sandbox: "~/work",
  plain: false
})

const app = (state: UiState.UiState, printed = 0): string => {
  const store = Effect.runSync(UiStore.make(state))
  return frame(<App store={store} printed={printed} onPrinted={() => {}} Markdown={PlainMarkdown} />)
}

const error = new McpError({ server: "x", phase: "connect", kind: "network", message: "gone" })
const everyStatus: ReadonlyArray<ServerStatus> = [
  pending("slow"),
  connected("context7", [mcpTool("a"), mcpTool("b")]),
  failed("remote-api", "refused"),
  ServerStatus.Reconnecting({ name: "flaky", error, attempt: 2, nextTryAt: 0 }),
  ServerStatus.NeedsAuth({ name: "private", error }),
  ServerStatus.NeedsApproval({ name: "new" }),
  ServerStatus.Disabled({ name: "off" })
]

describe("McpBar", () => {
  it("shows every server as in the contract", () => {
    const statuses = [connected("context7", [mcpTool("a"), mcpTool("b")]), failed("remote-api", "x"), pending("slow")]
    expect(frame(<McpBar statuses={statuses} columns={100} />)).toBe(
      "[MCP] context7 ● 2 tools │ remote-api ✗ failed │ slow ○ connecting"
    )
  })

  it("is not there without servers", () => {
    expect(frame(<McpBar statuses={[]} columns={100} />)).toBe("")
  })

  it("shows those in trouble first when there is no room, and how many are left out", () => {
    const good = Array.from({ length: 20 }, (_, index) => connected(`good${index}`, []))
    expect(frame(<McpBar statuses={[...good, failed("bad", "x"), pending("slow")]} columns={60} />)).toBe(
      "[MCP] bad ✗ failed │ slow ○ connecting │ +20 more"
    )
  })

  it("shows the one that needs attention most, however narrow it is", () => {
    const statuses = [connected("a-rather-long-name", []), failed("remote-api-of-the-team", "x")]
    expect(frame(<McpBar statuses={statuses} columns={30} />)).toBe("[MCP] remote-api-of-the-team ✗ failed │ +1 more")
  })

  it("says of each state what the library says", () => {
    for (const status of everyStatus) {
      expect(ServerView.cell(ServerView.make(status))).toBe(ServerStatusModule.summary(status))
    }
  })

  it("a name cannot write to the terminal", () => {
    expect(frame(<McpBar statuses={[pending("a\x1b[2J\nb")]} columns={100} />)).toBe("[MCP] a\\x1b[2J b ○ connecting")
  })
})

describe("StatusBar", () => {
  const bar = (columns: number, more: Partial<StatusBarProps> = {}) =>
    frame(
      <StatusBar
        model="anthropic/claude"
        directory="~/a/long/way/to/the/project"
        inputTokens={12_345}
        outputTokens={340}
        tools={12}
        activity="ready"
        columns={columns}
        {...more}
      />
    )

  it("shows model, directory, tokens and what happens", () => {
    expect(bar(100)).toBe(
      "anthropic/claude  ·  ~/a/long/way/to/the/project  ·  ↑12.3k ↓340 tokens  ·  12 tools  ·  ready"
    )
  })

  it("says how many tools the model is offered where it has to search for the others", () => {
    expect(bar(100, { directory: "~", offer: { tools: 9, of: 1_203 } })).toContain("  ·  9 of 1,203 tools  ·  ready")
    expect(bar(100, { directory: "~", offer: { tools: 12, of: 12 } })).toContain("  ·  12 tools  ·  ready")
  })

  it("cuts a directory by the columns that it takes", () => {
    expect(bar(70, { directory: "~/漢字漢字漢字漢字/漢字漢字漢字" })).toBe(
      "anthropic/claude  ·  …/漢字漢字漢字  ·  ↑12.3k ↓340 tokens  ·  ready"
    )
  })

  it("gives the directory up before the rest where it is narrow", () => {
    expect(bar(70)).toBe("anthropic/claude  ·  …to/the/project  ·  ↑12.3k ↓340 tokens  ·  ready")
  })
})

describe("ToolCall", () => {
  const call: Transcript.Call = {
    id: "1",
    name: "mcp__a__b",
    server: "a",
    arguments: { path: "x", deep: { n: 1 } },
    startedAt: 1_000,
    progress: undefined,
    outcome: undefined
  }
  const outcome = { isError: false, denied: false, text: "1\n2\n3\n4\n5\n6", durationMs: 1_234 }

  it("shows how long it has been running, and its arguments in short", () => {
    expect(frame(<ToolCall call={call} now={3_500} plain={false} />)).toBe(
      '  ⠴ mcp__a__b  2.5 s  path: x  deep: {"n":1}'
    )
  })

  it("shows the beginning of its result", () => {
    const lines = frame(<ToolCall call={{ ...call, outcome }} now={0} plain={false} />).split("\n")
    expect(lines).toEqual([
      '  ✓ mcp__a__b  1.2 s  path: x  deep: {"n":1}',
      "    └ 1",
      "      2",
      "      3",
      "      … 3 more lines (Ctrl+O)"
    ])
  })

  it("shows what is wrong with a result that is used all the same", () => {
    const warned = { ...outcome, text: "1", warnings: ["does not fit \x1b[2J"] }
    expect(
      frame(<ToolCall call={{ ...call, outcome: warned }} now={0} plain={false} />)
        .split("\n")
        .slice(1)
    ).toEqual(["    └ 1", "      ! does not fit \\x1b[2J"])
  })

  it("a result cannot write to the terminal", () => {
    const evil = { ...outcome, text: "\x1b]0;PWNED\x07\rOK\u202etxt" }
    expect(frame(<ToolCall call={{ ...call, outcome: evil }} now={0} plain={false} />)).toContain(
      "└ \\x1b]0;PWNED\\x07\\rOK\\u{202e}txt"
    )
  })
})

describe("the screen", () => {
  it("at the start has status, sandbox, input and hints, and no MCP bar", () => {
    expect(app(initial).split("\n")).toEqual([
      "offline  ·  ~/work  ·  ↑0 ↓0 tokens  ·  0 tools  ·  ready",
      "[Sandbox] ~/work",
      "─".repeat(99),
      "› Ask anything, or /help",
      "─".repeat(99),
      "Alt+Enter new line  Tab complete  /mcp servers  /help keys  Ctrl+C quit"
    ])
  })

  it("offers the commands that begin like what is typed", () => {
    const { state } = UiKeys.onKey(initial, Key.Text({ text: "/m" }), 0)
    const lines = app(state).split("\n")
    expect(lines.slice(3, 7)).toEqual([
      "› /m",
      "─".repeat(99),
      "  /mcp    servers: state, tools, errors; edit the configuration",
      "  /model  the model in use, or another one from now on"
    ])
  })

  it("lines up what completes, also where letters are wide", () => {
    const candidates = [
      { text: "漢字.md", help: "one" },
      { text: "a.md", help: "two" }
    ]
    expect(frame(<Completions candidates={candidates} index={0} height={2} />).split("\n")).toEqual([
      "› 漢字.md  one",
      "  a.md     two"
    ])
  })

  it("the keys of the panel have room on the narrowest screen, and tell what they do there", () => {
    const statuses = [connected("a", [mcpTool("x")]), ServerStatus.Disabled({ name: "b" })]
    const opened = UiState.onPanel(UiState.onStatuses({ ...initial, columns: 80 }, statuses), { _tag: "Servers" })
    const hints = (state: UiState.UiState) => app(state).split("\n").at(-1) ?? ""
    const pressed = (state: UiState.UiState, text: string) => UiKeys.onKey(state, Key.Text({ text }), 0).state
    expect(hints(opened)).toBe("e edit config  ↑↓/jk scroll  Esc close  ↵ open  / find  r retry  d off  i info")
    expect(hints(opened).length).toBeLessThan(80)
    expect(hints(pressed(opened, "G"))).toContain("d on  i info")
    expect(hints(pressed(opened, "/re"))).toBe("↵ keep what is found  Esc show all")
  })

  it("the panel has the layout of the contract", () => {
    const docs = mcpTool("resolve-library-id", "Resolves a library or package name to a Context7-compatible library ID")
    const remote = failed("remote-api", "connect refused 127.0.0.1:4444", {
      hint: "is it running?",
      stderr: "boot\n\x1b[31mError\n"
    })
    const state = UiState.onPanel(UiState.onStatuses(initial, [connected("context7", [docs]), remote]), {
      _tag: "Servers"
    })
    const lines = app(state).split("\n")
    expect(lines.slice(0, 11)).toEqual([
      "MCP Tool Management  2 servers, 1 connected",
      "",
      "› ● context7  1 tool  2025-11-25 · 412 ms",
      "    · mcp__context7__resolve_library_id",
      "      Resolves a library or package name to a Context7-compatible library ID",
      "",
      "  ✗ remote-api  failed",
      "      connect refused 127.0.0.1:4444",
      "      stderr │ boot",
      "      stderr │ \\x1b[31mError",
      "      try: is it running?"
    ])
    expect(lines.at(-1)).toMatch(/^e edit config {2}↑↓\/jk scroll {2}Esc close/)
    expect(lines).toHaveLength(size.rows - 1)
  })

  it("a question shows who asks, with what, in full and with nothing hidden", () => {
    const origin = { _tag: "Mcp", server: "fs", tool: "write" } as const
    const request = {
      id: "1",
      tool: tool("mcp__fs__write", { origin }),
      arguments: { path: "a\u202etxt.exe", text: "one\ntwo" }
    }
    const shown = app(UiState.onQuestions(initial, [{ id: 1, _tag: "Tool", request }]))
    expect(shown).toContain("mcp__fs__write  server fs, tool write")
    expect(shown).toContain("path: a\\u{202e}txt.exe")
    expect(shown).toMatch(/text: one +│\n│ two/)
    expect(shown).toContain("› y  allow once")
    expect(shown).toContain("allow mcp__fs__write for this session")
    expect(shown).toContain("deny, with a word to the model")
  })

  it("long arguments are scrolled through", () => {
    const text = Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n")
    const request = { id: "1", tool: tool("write_file"), arguments: { text } }
    const asked = UiState.onQuestions(initial, [{ id: 1, _tag: "Tool", request }])
    expect(app(asked)).toContain("text: line 0")
    const { state } = UiKeys.onKey(asked, Key.Press({ key: "pagedown" }), 10_000)
    expect(app(state)).toContain("line 5")
    expect(app(state)).not.toContain("line 0")
  })

  const events = fc.oneof(
    fc
      .record({ text: fc.lorem({ mode: "sentences", maxCount: 8 }) })
      .map(({ text }) => EngineEvent.TextDelta({ text })),
    fc
      .constantFrom("\n", "\n\n", "```ts\n", "- item\n", "| a | b |\n|---|---|\n")
      .map((text) => EngineEvent.TextDelta({ text })),
    fc.nat(9).map((id) => EngineEvent.ToolStarted({ id: `${id}`, name: "t", server: undefined, arguments: {} })),
    fc.constant(EngineEvent.ReasoningDelta({ text: "thinking about it ".repeat(20) })),
    fc
      .nat(9)
      .map((id) =>
        EngineEvent.ToolFinished({ id: `${id}`, name: "t", result: Tool.text("r"), denied: false, durationMs: 1 })
      )
  )

  it("what is drawn anew is never taller than the screen", () => {
    fc.assert(
      fc.property(
        fc.array(events, { maxLength: 20 }),
        fc.integer({ min: 18, max: 40 }),
        fc.constantFrom("", "/", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl"),
        fc.boolean(),
        (told, rows, input, isAsked) => {
          const begun = UiKeys.start({ ...initial, rows }, "go").state
          const ran = told.reduce(UiState.onEngineEvent, begun)
          const prompt = { ...ran.prompt, buffer: TextBuffer.insert(TextBuffer.empty, input) }
          const text = Array.from({ length: 60 }, (_, line) => `line ${line}`).join("\n")
          const question = { id: 1, _tag: "Tool" as const, request: { id: "1", tool: tool("t"), arguments: { text } } }
          const state = UiState.onStatuses({ ...ran, prompt, queued: ["more"] }, everyStatus)
          const asked = isAsked ? UiState.onQuestions(state, [question]) : state
          const shown = app(asked, asked.transcript.items.length)
          expect(shown.split("\n").length).toBeLessThan(rows)
        }
      ),
      { numRuns: 60 }
    )
  })

  it("plain mode has no frames and no movement", () => {
    const shown = app({ ...UiKeys.start(initial, "go").state, plain: true })
    expect(shown).not.toMatch(/[─╭⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
  })

  it("tools that were left out are counted for the model's offer", () => {
    expect(app(UiState.onToolSet(initial, toolSet([tool("bash"), tool("grep")])))).toContain("2 tools")
  })
})
