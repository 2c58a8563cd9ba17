import { afterEach, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { cleanup, render } from "ink-testing-library"
import { Person } from "../../src/engine/Person.ts"
import type * as Sampling from "../../src/mcp/Sampling.ts"
import * as Approvals from "../../src/tui/Approvals.ts"
import { App } from "../../src/tui/components/App.tsx"
import { PlainMarkdown } from "../../src/tui/components/HistoryItem.tsx"
import { Intent } from "../../src/tui/Intent.ts"
import { Key } from "../../src/tui/Keys.ts"
import type { Question } from "../../src/tui/Question.ts"
import * as UiKeys from "../../src/tui/UiKeys.ts"
import * as UiState from "../../src/tui/UiState.ts"
import * as UiStore from "../../src/tui/UiStore.ts"
import { connected, tool } from "./fakes.ts"

afterEach(cleanup)

const initial = UiState.make({
  columns: 80,
  rows: 30,
  now: 10_000,
  model: "offline",
  directory: "~",
  sandbox: "~",
  plain: false
})

const frame = (state: UiState.UiState): string => {
  const store = Effect.runSync(UiStore.make(state))
  const app = <App store={store} printed={0} onPrinted={() => {}} Markdown={PlainMarkdown} />
  return (render(app).lastFrame() ?? "").replace(/\x1b\[[0-9;]*m/g, "")
}

const origin = { server: "lab\u202e" }
const asked = (...questions: ReadonlyArray<Question>) => UiState.onQuestions(initial, questions)
const press = (state: UiState.UiState, ...keys: ReadonlyArray<string>) =>
  keys.reduce(
    (step, key) => {
      const next = UiKeys.onKey(
        step.state,
        key.length === 1 ? Key.Text({ text: key }) : Key.Press({ key }),
        initial.now
      )
      return { state: next.state, intents: [...step.intents, ...next.intents] }
    },
    { state, intents: [] as ReadonlyArray<Intent> }
  )

const page: Question = {
  id: 1,
  _tag: "Page",
  request: { message: "Log in\u200b please", url: new URL("https://xn--pypal-4ve.com/login?state=1") },
  origin
}

const form: Question = {
  id: 2,
  _tag: "Form",
  request: {
    message: "Who are you?",
    fields: [
      { name: "name", title: "Your\u2066 name", required: true, type: "string" },
      { name: "size", required: false, type: "choice", options: [{ value: "s", title: "small" }] }
    ]
  },
  origin
}

const request: Sampling.Request = {
  messages: [{ role: "user", content: [{ type: "text", text: "Summarise\nthis" }] }],
  systemPrompt: "You are short.",
  maxTokens: 321,
  tools: [{ name: "look", description: "", inputSchema: {} }]
}

const sampling: Question = { id: 3, _tag: "Sampling", request, origin }

describe("a page that a server wants to be visited", () => {
  it("is shown with its whole address, its host, who asks, and what may deceive", () => {
    const shown = frame(asked(page))
    expect(shown).toContain("Open this page?")
    expect(shown).toContain("asked by the server lab\\u{202e}")
    expect(shown).toContain("https://xn--pypal-4ve.com/login?state=1")
    expect(shown).toContain("host: xn--pypal-4ve.com")
    expect(shown).toMatch(/warning: the name is written in other letters/)
    expect(shown).toContain("Log in\\u{200b} please")
  })

  it("is opened by its own key alone; Enter declines, Esc puts it aside", () => {
    const answers = (...keys: ReadonlyArray<string>) => press(asked(page), ...keys).intents
    expect(answers("o")).toEqual([Intent.Answer({ id: 1, answer: { action: "accept" } })])
    expect(answers("enter")).toEqual([Intent.Answer({ id: 1, answer: { action: "decline" } })])
    expect(answers("escape")).toEqual([Intent.Answer({ id: 1, answer: { action: "cancel" } })])
    expect(answers("y")).toEqual([])
  })
})

describe("a server's wish that the model answers it", () => {
  it("is shown with the messages, the limit and the tools", () => {
    const shown = frame(asked(sampling))
    expect(shown).toContain("Let the model answer a server?")
    expect(shown).toContain("at most 321 tokens; with its tools look")
    expect(shown).toContain("system: You are short.")
    expect(shown).toMatch(/user: Summarise\s+│\n│ this/)
  })

  it("is answered like a tool's question; Esc denies, and does not stop the run", () => {
    expect(press(asked(sampling), "s").intents).toEqual([Intent.Answer({ id: 3, answer: { _tag: "Session" } })])
    expect(press(asked(sampling), "escape").intents).toEqual([Intent.Answer({ id: 3, answer: { _tag: "Deny" } })])
  })
})

describe("a form of a server", () => {
  it("shows who asks, the fields with what is in them, and what is wrong", () => {
    const shown = frame(asked(form))
    expect(shown).toContain("lab\\u{202e} asks you")
    expect(shown).toContain("Who are you?")
    expect(shown).toContain("› Your\\u{2066} name*:")
    expect(shown).toContain("  size:")
    const wrong = press(asked(form), "down", "down", "enter")
    expect(wrong.intents).toEqual([])
    expect(frame(wrong.state)).toContain("must be given")
    expect(frame(press(wrong.state, "A").state)).not.toContain("must be given")
  })

  it("is sent, declined or put aside", () => {
    expect(press(asked(form), "A", "down", "down", "enter").intents).toEqual([
      Intent.Answer({ id: 2, answer: { action: "accept", content: { name: "A" } } })
    ])
    expect(press(asked(form), "up", "up", "enter").intents).toEqual([
      Intent.Answer({ id: 2, answer: { action: "decline" } })
    ])
    expect(press(asked(form), "escape").intents).toEqual([Intent.Answer({ id: 2, answer: { action: "cancel" } })])
  })

  it("of many fields shows the one in use on any screen", () => {
    const fields = Array.from({ length: 40 }, (_, index) => ({
      name: `field ${index}`,
      required: false,
      type: "string" as const
    }))
    const many = { ...form, request: { message: "m", fields } } as Question
    for (const rows of [14, 24]) {
      const state = UiState.onQuestions({ ...initial, rows }, [many])
      const shown = frame(press(state, ...Array.from({ length: 25 }, () => "down"), "x").state)
      expect(shown).toMatch(/› field 25: x/)
      expect(shown.split("\n").length).toBeLessThan(rows)
    }
  })
})

describe("questions of tools and servers", () => {
  it("wait in one queue, and say how many more there are", () => {
    const permission = { id: 4, _tag: "Tool" as const, request: { id: "c", tool: tool("bash"), arguments: {} } }
    expect(frame(asked(permission, form, page))).toMatch(/Allow this tool to run\? {2}2 more waiting/)
    expect(frame(asked(form, page))).toContain("asks you  1 more waiting")
  })

  it.effect("a server gets the answer to its own question", () =>
    Effect.gen(function* () {
      const person = yield* Person
      const { answer, changes } = yield* Approvals.Approvals
      const first = yield* Effect.fork(person.form({ message: "", fields: [] }, origin))
      const second = yield* Effect.fork(person.sampling(request, origin))
      const all = changes.pipe(
        Stream.filter((waiting) => waiting.length === 2),
        Stream.runHead
      )
      expect((yield* Effect.flatten(all)).map(({ _tag }) => _tag)).toEqual(["Form", "Sampling"])
      yield* answer(2, { _tag: "Once" })
      yield* answer(1, { action: "accept", content: { a: 1 } })
      expect(yield* Fiber.join(second)).toEqual({ _tag: "Once" })
      expect(yield* Fiber.join(first)).toEqual({ action: "accept", content: { a: 1 } })
    }).pipe(Effect.provide(Approvals.layer))
  )
})

describe("what a server says", () => {
  const status = { ...connected("lab", []), instructions: "Use me\u200b well." } as Parameters<
    typeof UiState.onStatuses
  >[1][number]
  const opened = UiState.onPanel(UiState.onStatuses(initial, [status]), { _tag: "Servers" })

  it("of itself and in its log is shown by i, and hidden again", () => {
    const logged = [
      { level: "warning", logger: "db", data: "slow\x1b[2J" },
      { level: "error", data: { code: 7 } }
    ] as const
    const state = logged.reduce((before, message) => UiState.onLog(before, "lab", message), opened)
    expect(frame(state)).not.toContain("Use me")
    const shown = press(state, "i").state
    for (const text of ["Use me\\u{200b} well.", "warning db: slow\\x1b[2J", 'error: {"code":7}']) {
      expect(frame(shown)).toContain(text)
    }
    expect(frame(press(shown, "i").state)).not.toContain("Use me")
  })

  it("without end is kept to its last words", () => {
    const state = Array.from({ length: 500 }, (_, index) => index).reduce(
      (before, index) => UiState.onLog(before, "lab", { level: "info", data: `${index} ${"x".repeat(10_000)}` }),
      initial
    )
    const kept = state.logs.get("lab") ?? []
    expect(kept).toHaveLength(50)
    expect(String(kept[0]?.data).startsWith("450 ")).toBe(true)
    expect(String(kept[0]?.data).length).toBe(2_000)
  })
})

describe("a tool that needs a word", () => {
  const call = { id: "1", tool: tool("write_file"), arguments: { path: "src/a.ts", content: "" } }
  const pattern = { source: "write_file(src/\u202e**)", name: "write_file", argument: "src/**" }
  const rule = { action: "ask", pattern, scope: "project", path: "/p/harness9.json", line: 4 } as const
  const free: Question = { id: 4, _tag: "Tool", request: call }
  const ruled: Question = { id: 4, _tag: "Tool", request: { ...call, rule } }

  it("says what always would write, and answers it by its key", () => {
    expect(frame(asked(free))).toContain("a  always allow write_file(src/a.ts), written to harness9.json")
    expect(press(asked(free), "a").intents).toEqual([Intent.Answer({ id: 4, answer: { _tag: "Always" } })])
  })

  it("by a rule names that rule, and offers no always, which would not be heard", () => {
    const shown = frame(asked(ruled))
    expect(shown).toContain("by the rule ask write_file(src/\\u{202e}**) (/p/harness9.json:4)")
    expect(shown).toContain("s  allow write_file for this session")
    expect(shown).not.toContain("always")
    expect(press(asked(ruled), "a").intents).toEqual([])
    expect(press(asked(ruled), "s").intents).toEqual([Intent.Answer({ id: 4, answer: { _tag: "Session" } })])
  })
})
