import { afterEach, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cleanup, render } from "ink-testing-library"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import { ServerStatus } from "../../src/mcp/ServerStatus.ts"
import { App } from "../../src/tui/components/App.tsx"
import { PlainMarkdown } from "../../src/tui/components/HistoryItem.tsx"
import { Intent } from "../../src/tui/Intent.ts"
import { Key } from "../../src/tui/Keys.ts"
import * as UiKeys from "../../src/tui/UiKeys.ts"
import * as UiState from "../../src/tui/UiState.ts"
import * as UiStore from "../../src/tui/UiStore.ts"
import { connected, mcpTool, tool } from "./fakes.ts"

afterEach(cleanup)

const initial = UiState.make({
  columns: 80,
  rows: 16,
  now: 0,
  model: "offline",
  directory: "~",
  sandbox: "~",
  plain: false
})

const waiting = (entry: JsonObject, before: ReadonlyArray<ServerStatus> = []) => {
  const consent = { project: "/p", digest: "", entry }
  const configs = [ServerConfig.stdio("new", { command: "x", consent })]
  const statuses = [...before, ServerStatus.NeedsApproval({ name: "new" })]
  return UiState.onPanel(UiState.onStatuses(UiState.onConfigs(initial, configs), statuses), { _tag: "Servers" })
}

const press = (state: UiState.UiState, keys: string) => UiKeys.onKey(state, Key.Text({ text: keys }), 0)

const frame = (state: UiState.UiState): string => {
  const store = Effect.runSync(UiStore.make(state))
  const app = <App store={store} printed={0} onPrinted={() => {}} Markdown={PlainMarkdown} />
  return (render(app).lastFrame() ?? "").replace(/\x1b\[[0-9;]*m/g, "")
}

describe("a server that waits for a person's word", () => {
  it("shows what it would start, with nothing in it that an eye would miss", () => {
    const shown = frame(
      waiting({ command: "node", args: ["a\u202etxt.js", "tag\u{e0041}s", "\x1b[2J"], env: { KEY: "***" } })
    )
    expect(shown).toContain("○ new  needs approval")
    expect(shown).toContain("command: node")
    expect(shown).toContain(String.raw`args: ["a\u{202e}txt.js","tag\u{e0041}s","\u001b[2J"]`)
    expect(shown).toContain('env: {"KEY":"***"}')
    expect(shown).toMatch(/^a agree {2}e edit config/m)
  })

  it("is agreed to by a, once its entry is in sight", () => {
    expect(press(waiting({ command: "node" }), "a").intents).toEqual([Intent.Approve({ server: "new" })])
    const many = connected(
      "big",
      Array.from({ length: 20 }, (_, index) => mcpTool(`tool_${index}`))
    )
    const below = press(waiting({ command: "node", args: ["1", "2"], cwd: "/", type: "stdio" }, [many]), "G")
    const first = press(below.state, "a")
    expect(first.intents).toEqual([])
    expect(first.state.message?.text).toContain("this is what new starts")
    expect(frame(first.state)).toContain("type: stdio")
    expect(press(first.state, "a").intents).toEqual([Intent.Approve({ server: "new" })])
  })

  it("only such a server is", () => {
    const { intents, state } = press(
      UiState.onPanel(UiState.onStatuses(initial, [connected("ready", [])]), { _tag: "Servers" }),
      "a"
    )
    expect([intents, state.message?.text]).toEqual([[], "ready needs no approval"])
  })
})

describe("a tool that is not what it was", () => {
  const bad = tool("mcp__it__bad", {
    origin: { _tag: "Mcp", server: "it", tool: "bad" },
    withheld: { reason: "it has changed", differences: [{ field: "description", before: "old", after: "n\u202eew" }] }
  })
  const set = { tools: [], skipped: [{ tool: bad, reason: "it has changed" }], byName: new Map() }
  const shown = UiState.onPanel(
    UiState.onToolSet(UiState.onStatuses(initial, [connected("it", [mcpTool("bad", "new"), mcpTool("good")])]), set),
    { _tag: "Servers" }
  )

  it("is shown with what has changed, before and after", () => {
    const lines = frame(shown)
      .split("\n")
      .map((line) => line.trim())
    expect(lines).toContain("withheld: it has changed; a accepts it")
    expect(lines.slice(lines.indexOf("description"), lines.indexOf("description") + 3)).toEqual([
      "description",
      "- old",
      "+ n\\u{202e}ew"
    ])
  })

  it("is accepted by a on its row, and by no other key press", () => {
    expect(press(shown, "ja").intents).toEqual([Intent.AcceptTool({ server: "it", tool: "bad" })])
    expect(press(shown, "jja").intents).toEqual([])
    expect(press(shown, "a").intents).toEqual([])
  })
})

describe("the question whether a tool may run", () => {
  it("makes direction, tag and zero-width characters visible in names and arguments", () => {
    const origin = { _tag: "Mcp", server: "f\u200bs", tool: "write\u2066" } as const
    const request = {
      id: "1",
      tool: tool("mcp__fs__write\u{e0020}", { origin }),
      arguments: { "pa\u202dth": "a\u202etxt.exe", deep: { "k\u2069": ["v\u{e0041}\ufeff"] } }
    }
    const shown = frame(UiState.onQuestions({ ...initial, rows: 40 }, [{ id: 1, _tag: "Tool", request }]))
    for (const written of ["200b", "2066", "e0020", "202d", "202e", "2069", "e0041", "feff"]) {
      expect(shown).toContain(`\\u{${written}}`)
    }
    expect(shown).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u)
  })
})
