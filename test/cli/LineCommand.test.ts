import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as LineCommand from "../../src/cli/LineCommand.ts"
import { Output } from "../../src/cli/output/Output.ts"
import * as Style from "../../src/cli/output/Style.ts"
import { Engine } from "../../src/engine/Engine.ts"
import { connected, failed, mcpTool, tool, world } from "../tui/fakes.ts"

/** What a person sees who types the line, and what the program was asked to do. */
const typed = Effect.fnUntraced(function* (line: string, isPerson = true) {
  const shown: Array<string> = []
  const write = (text: string) => Effect.asVoid(Effect.sync(() => shown.push(text)))
  const output = Output.of({
    write,
    line: write,
    note: write,
    isTerminal: true,
    columns: 80,
    style: Style.none,
    noteStyle: Style.none
  })
  const { calls, layer } = yield* world({
    statuses: [connected("docs", [mcpTool("x")]), failed("remote", "connect refused")],
    tools: [tool("bash"), tool("mcp__docs__x")]
  })
  const kind = yield* Effect.gen(function* () {
    const conversation = yield* Effect.flatMap(Engine, (engine) => engine.conversation)
    const read = LineCommand.read(conversation, line, isPerson)
    if (read._tag === "Command") yield* read.run
    return read._tag
  }).pipe(Effect.provide(Layer.merge(layer, Layer.succeed(Output, output))))
  return { kind, shown: shown.join("\n"), calls: yield* Ref.get(calls) }
})

describe("a line of the chat", () => {
  it.effect.each([
    ["/help", /^\/mcp \[server\] +servers: their state and errors$/m],
    ["/help", /^! COMMAND /m],
    ["/mcp", /● docs +stdio +connected +1 tool/],
    ["/mcp remote", /^✗ remote +stdio +failed\n +connect refused\n +more: harness9 help network$/],
    ["/mcp nobody", /^no server is called nobody$/],
    ["/tools", /^bash +does bash\nmcp__docs__x +does mcp__docs__x$/],
    ["/model", /^model: offline\nothers: fake\/small, fake\/large$/],
    ["/model fake/large", /^from now on: offline\/fake\/large$/],
    ["/model nobody", /^unknown model "nobody"$/],
    ["/mpc", /^unknown command \/mpc: did you mean \/mcp\?$/],
    ["/\x1b[2J", /^unknown command \/\\x1b\[2J: see \/help$/]
  ] as const)("%s is answered by the program, not the model", ([line, answer]) =>
    Effect.gen(function* () {
      const { calls, kind, shown } = yield* typed(line)
      expect(shown).toMatch(answer)
      expect([kind, calls]).toEqual(["Command", []])
    })
  )

  it.effect("/clear forgets the conversation, /exit and /quit leave it", () =>
    Effect.gen(function* () {
      expect((yield* typed("/clear")).calls).toEqual(["clear"])
      expect((yield* typed("/exit")).kind).toBe("Leave")
      expect((yield* typed("/quit")).kind).toBe("Leave")
    })
  )

  it.effect("! runs a shell command for a person, and tells the model what it gave", () =>
    Effect.gen(function* () {
      const { calls, shown } = yield* typed("!ls")
      expect(shown).toBe("output")
      expect(calls).toEqual([
        'execute bash {"command":"ls"}',
        "context The user ran this command in a shell:\n$ ls\noutput"
      ])
      expect((yield* typed("!rm -rf .", false)).kind).toBe("Prompt")
    })
  )

  it.effect.each(["hello", "/usr/bin is a folder", "/mcp__docs__summary topic=x"])("%s is for the model", (line) =>
    Effect.gen(function* () {
      expect(yield* typed(line)).toEqual({ kind: "Prompt", shown: "", calls: [] })
    })
  )
})
