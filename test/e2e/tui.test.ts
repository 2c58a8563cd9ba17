import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import stringWidth from "string-width"
import { configured, fixture, folder, processesWith, root } from "./cli.ts"
import { hasTmux, open, withJobControl } from "./tmux.ts"

const server = join(root, "test/fixtures/cli/server.mjs")

/** A server that begins to answer once the file is there. */
const held = (gate: string) => ({
  command: "/bin/sh",
  args: ["-c", `while [ ! -e "$0" ]; do sleep 0.05; done; exec "$1" "$2"`, gate, process.execPath, server]
})

/** A server that writes its process id, and cannot be started a second time. */
const mortal = (file: string) => ({
  command: "/bin/sh",
  args: ["-c", `[ -e "$0" ] && exit 1; echo $$ > "$0"; exec "$1" "$2"`, file, process.execPath, server]
})

/** A server, and a file of everything that it is told. */
const recorded = (file: string) => ({
  command: "/bin/sh",
  args: ["-c", `tee "$0" | "$1" "$2"`, file, process.execPath, server]
})

/** A background, or a colour that is none of the terminal's own sixteen. */
const foreignColor = /\x1b\[(?:[\d;]*;)?(?:[34]8;[25]|4[0-7](?=[;m])|10[0-7](?=[;m]))/

describe.skipIf(!hasTmux)("the terminal UI", () => {
  it.scopedLive(
    "works from the first frame to the last",
    () =>
      Effect.gen(function* () {
        const place = yield* folder
        const gate = join(place, "gate")
        const config = yield* configured({ it: held(gate), off: { command: "x", disabled: true } })
        const editor = join(place, "editor")
        writeFileSync(
          editor,
          '#!/bin/sh\necho "editing $1 $2"\nsed "s/\\"off\\"/\\"renamed\\"/" "$2" > "$2.new" && mv "$2.new" "$2"\n',
          {
            mode: 0o755
          }
        )
        const ui = yield* open(["--config", config], { EDITOR: `${editor} --wait`, TUI_TEST: place })

        yield* ui.shows("[MCP] it ○ connecting │ off – disabled")
        writeFileSync(gate, "")
        yield* ui.shows("[MCP] it ● 8 tools │ off – disabled")
        expect(yield* ui.colors).toMatch(/it \x1b\[92m● 8 tools/)

        yield* ui.type("/m")
        yield* ui.press("Tab")
        yield* ui.shows(/› \/mcp\b/)
        yield* ui.press("Enter")
        yield* ui.shows("MCP Tool Management")
        yield* ui.shows(/● it {2}8 tools/)
        yield* ui.shows(/· mcp__it__echo\n\s+Does echo/)
        yield* ui.shows("Clears\\x1b[2J the \\u{202e}screen")
        yield* ui.type("jj")
        yield* ui.shows(/› {3}· mcp__it__fail/)
        yield* ui.resize(300, 100)
        yield* ui.shows(/mcp__it__long_n{80}$/m)
        yield* ui.resize(80, 24)
        yield* ui.shows(/mcp__it__long_n+…$/m)
        yield* ui.shows(/d off {2}i info$/m)
        expect(yield* ui.colors).not.toMatch(foreignColor)

        yield* ui.type("e")
        yield* ui.shows("the configuration has 2 servers")
        yield* ui.shows("MCP Tool Management")
        expect(readFileSync(config, "utf8")).toContain('"renamed"')
        yield* ui.press("Escape")
        yield* ui.hides("MCP Tool Management")

        yield* ui.type("echo the text 'hello'")
        yield* ui.press("Enter")
        yield* ui.shows(/✓ mcp__it__echo/)
        yield* ui.shows("ready")

        const made = join(place, "made")
        yield* ui.type(`run the command 'touch ${made}'`)
        yield* ui.press("Enter")
        yield* ui.shows("Allow this tool to run?")
        yield* ui.shows(`touch ${made}`)
        yield* ui.resize(100, 30)
        yield* ui.shows(/^╭─{97}╮$/m)
        expect(yield* ui.colors).not.toMatch(foreignColor)
        yield* ui.type("wuse 漢字 instead")
        yield* ui.shows("why: use 漢字 instead")
        yield* ui.press("Enter")
        yield* ui.shows(/└ The person did not allow .*: use 漢字 instead/)
        yield* ui.shows("ready")
        expect(existsSync(made)).toBe(false)
        yield* ui.type(`run the command 'touch ${made}'`)
        yield* ui.press("Enter")
        yield* ui.shows("Allow this tool to run?")
        yield* ui.type("a")
        yield* ui.shows("ready")
        expect(existsSync(made)).toBe(true)
        const allowed = readFileSync(join(ui.home, "harness9.json"), "utf8")
        expect(allowed).toContain(`bash(touch ${made})`)

        yield* ui.type("!sleep 600")
        yield* ui.press("Enter")
        yield* ui.shows("Esc cancels")
        yield* ui.press("Escape")
        yield* ui.shows("cancelled")
        yield* ui.shows("ready")

        yield* ui.resize(60, 20)
        yield* ui.shows(/^─{59}$/m)
        yield* ui.resize(120, 40)
        yield* ui.shows(/^─{119}$/m)
        expect(yield* ui.screen).toContain("› echo the text 'hello'")

        yield* ui.resize(100, 30)
        yield* ui.shows(/^─{99}$/m)
        yield* ui.press("C-c")
        const { after, before } = yield* ui.settings
        expect(after).toBe(before)
        yield* ui.shows("ended with 0")
        expect(processesWith(`TUI_TEST=${place}`)).toEqual([])
      }),
    120_000
  )

  it.scopedLive(
    "Esc cancels a call, of which the server is told; Ctrl+C twice in the middle of one quits",
    () =>
      Effect.gen(function* () {
        const place = yield* folder
        const told = join(place, "told")
        const config = yield* configured({ it: recorded(told) })
        const ui = yield* open(["--config", config, "--allow", "mcp__it__*"], { TUI_TEST: place })
        yield* ui.shows("it ● 8 tools")
        yield* ui.type("use mcp__it__wait")
        yield* ui.press("Enter")
        yield* ui.shows("running tools")
        yield* ui.resize(80, 24)
        yield* ui.shows(/^─{79}$/m)
        yield* ui.shows("running tools")
        yield* ui.press("Escape")
        yield* ui.shows("ready")
        yield* Effect.repeat(
          Effect.sync(() => readFileSync(told, "utf8")),
          { until: (all) => all.includes('"notifications/cancelled"'), schedule: Schedule.spaced("50 millis") }
        ).pipe(Effect.timeout("10 seconds"))
        yield* ui.type("use mcp__it__wait")
        yield* ui.press("Enter")
        yield* ui.shows("running tools")
        yield* ui.resize(100, 30)
        yield* ui.shows(/^─{99}$/m)
        yield* ui.press("C-c", "C-c")
        const { after, before } = yield* ui.settings
        expect(after).toBe(before)
        yield* ui.shows("ended with 0")
        expect(processesWith(`TUI_TEST=${place}`)).toEqual([])
      }),
    120_000
  )

  it.scopedLive(
    "wide letters, emoji and combining marks have the room that they take",
    () =>
      Effect.gen(function* () {
        const config = yield* configured({ 漢字サーバー: fixture("cli/server.mjs") })
        const ui = yield* open(["--config", config])
        yield* ui.resize(80, 24)
        yield* ui.shows("[MCP] 漢字サーバー ● 8 tools")
        yield* ui.type("漢字 👩‍👩‍👧 e\u0301")
        yield* ui.shows("› 漢字 ")
        yield* Effect.repeat(ui.cursor, {
          until: (column) => column === 11,
          schedule: Schedule.spaced("50 millis")
        }).pipe(Effect.timeout("10 seconds"))
        yield* ui.press("C-u")
        yield* ui.type(`run the command 'echo ${"漢字".repeat(40)}'`)
        yield* ui.press("Enter")
        yield* ui.shows("Allow this tool to run?")
        const framed = (yield* ui.screen).split("\n").filter((line) => line.startsWith("│"))
        expect(framed.filter((line) => !(line.endsWith("│") && stringWidth(line) === 79))).toEqual([])
        yield* ui.type("n")
        yield* ui.shows("ready")
        expect(yield* ui.all).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
      }),
    120_000
  )

  it.scopedLive(
    "a server that dies is red within a second",
    () =>
      Effect.gen(function* () {
        const pid = join(yield* folder, "pid")
        const ui = yield* open(["--config", yield* configured({ it: mortal(pid) })])
        yield* ui.shows("it ● 8 tools")
        process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL")
        const [took] = yield* Effect.timed(ui.shows(/it ✗ (failed|reconnecting)/))
        expect(Duration.toMillis(took)).toBeLessThan(1_000)
        expect(yield* ui.colors).toMatch(/it \x1b\[91m✗/)
      }),
    // A machine that is busy with other things may be late.
    { timeout: 60_000, retry: 2 }
  )

  it.scopedLive(
    "a configuration that is broken at the start is shown with its place, and mended from within",
    () =>
      Effect.gen(function* () {
        const place = yield* folder
        const config = join(place, "mcp.json")
        writeFileSync(config, '{ "mcpServers": {\n  "it": { "command" "node" } } }')
        const good = yield* configured({ it: fixture("cli/server.mjs") })
        const ui = yield* open(["--config", config], { VISUAL: `sh -c 'cp ${good} "$0"'` })
        yield* ui.shows(/mcp\.json:2:\d+: /)
        yield* ui.type("/mcp")
        yield* ui.press("Enter")
        yield* ui.shows("no server is configured: e opens the file")
        yield* ui.type("e")
        yield* ui.shows(/● it {2}8 tools/)
      }),
    120_000
  )

  it.scopedLive(
    "Ctrl+Z gives the terminal to the shell, and fg brings the conversation back",
    () =>
      Effect.gen(function* () {
        const config = yield* configured({ it: fixture("cli/server.mjs") })
        const ui = yield* open(["--config", config], {}, withJobControl)
        yield* ui.shows("it ● 8 tools")
        yield* ui.type("half a sentence")
        yield* ui.press("C-z")
        yield* ui.shows("in the shell")
        expect(yield* ui.screen).not.toContain("[MCP]")
        const settings = (name: string) => readFileSync(join(ui.home, name), "utf8")
        expect(settings("after")).toBe(settings("before"))
        yield* ui.press("Enter")
        yield* ui.shows("› half a sentence")
        yield* ui.shows("it ● 8 tools")
        yield* ui.type(" and the rest")
        yield* ui.shows("› half a sentence and the rest")
        yield* ui.press("C-c")
        yield* ui.shows("ended with 0")
      }),
    120_000
  )

  it.scopedLive(
    "a crash gives the terminal back and leaves no process",
    () =>
      Effect.gen(function* () {
        const place = yield* folder
        const crash = join(place, "crash.mjs")
        writeFileSync(
          crash,
          `if (process.argv.includes("--config")) process.on("SIGUSR2", () => { throw new Error("of the test") })`
        )
        const ui = yield* open(["--config", yield* configured({ it: fixture("cli/server.mjs") })], {
          NODE_OPTIONS: `--import=${crash}`,
          TUI_TEST: place
        })
        yield* ui.shows("it ● 8 tools")
        yield* ui.type("/mcp")
        yield* ui.press("Enter")
        yield* ui.shows("MCP Tool Management")
        const [pid] = processesWith(`TUI_TEST=${place}`)
        process.kill(Number(pid), "SIGUSR2")
        const { after, before } = yield* ui.settings
        expect(after).toBe(before)
        yield* ui.shows("of the test")
        yield* ui.hides("MCP Tool Management")
        yield* Effect.repeat(
          Effect.sync(() => processesWith(`TUI_TEST=${place}`)),
          { until: (left) => left.length === 0, schedule: Schedule.spaced("50 millis") }
        ).pipe(Effect.timeout("5 seconds"))
      }),
    120_000
  )

  it.scopedLive(
    "an editor that fails is told, and the conversation is still there",
    () =>
      Effect.gen(function* () {
        const ui = yield* open(["--config", yield* configured({ it: fixture("cli/server.mjs") })], {
          EDITOR: "no-such-editor"
        })
        yield* ui.type("/help")
        yield* ui.press("Enter")
        yield* ui.shows("keys and commands")
        yield* ui.type("/mcp")
        yield* ui.press("Enter")
        yield* ui.shows("MCP Tool Management")
        yield* ui.type("e")
        yield* ui.shows("no-such-editor: not found")
        yield* ui.press("Escape")
        yield* ui.shows("keys and commands")
      }),
    120_000
  )

  it.scopedLive(
    "a configuration that was broken in the editor says where",
    () =>
      Effect.gen(function* () {
        const config = yield* configured({ it: fixture("cli/server.mjs") })
        const ui = yield* open(["--config", config], { VISUAL: 'sh -c \'echo "{ \\"mcpServers\\": [" > "$0"\'' })
        yield* ui.type("/mcp")
        yield* ui.press("Enter")
        yield* ui.shows("MCP Tool Management")
        yield* ui.type("e")
        yield* ui.shows(/line \d|mcp\.json/)
        expect(readFileSync(config, "utf8")).toBe('{ "mcpServers": [\n')
      }),
    120_000
  )

  it.scopedLive.each(["TERM", "HUP", "INT"])(
    "SIG%s gives the terminal back, also from a panel",
    (signal) =>
      Effect.gen(function* () {
        const config = yield* configured({ it: fixture("cli/server.mjs") })
        const ui = yield* open(["--config", config], { TUI_TEST: config })
        yield* ui.shows("it ● 8 tools")
        yield* ui.type("/mcp")
        yield* ui.press("Enter")
        yield* ui.shows("MCP Tool Management")
        const [pid] = processesWith(`TUI_TEST=${config}`)
        process.kill(Number(pid), `SIG${signal}`)
        const { after, before } = yield* ui.settings
        expect(after).toBe(before)
        yield* ui.hides("MCP Tool Management")
        expect(processesWith(`TUI_TEST=${config}`)).toEqual([])
      }),
    120_000
  )

  it.scopedLive(
    "prompts are remembered by the next session, and pasted text is one block",
    () =>
      Effect.gen(function* () {
        const config = yield* configured({})
        const state = yield* folder
        const first = yield* open(["--config", config], { XDG_STATE_HOME: state })
        yield* first.shows("Ask anything")
        yield* first.type("/model")
        yield* first.press("Enter")
        yield* first.shows("model: offline")
        yield* first.press("C-c")
        yield* first.shows("ended with 0")
        const second = yield* open(["--config", config], { XDG_STATE_HOME: state })
        yield* second.shows(/[1-9] tools/)
        yield* second.press("Up")
        yield* second.shows("› /model")
        yield* second.press("C-u")
        const lines = Array.from({ length: 120 }, (_, index) => `line ${index}`).join("\r")
        yield* second.type(`\x1b[200~${lines}\x1b[201~`)
        yield* second.shows("› [pasted 120 lines]")
      }),
    120_000
  )

  it.scopedLive(
    "with --plain there are only lines of text, and the shell goes on below them",
    () =>
      Effect.gen(function* () {
        const config = yield* configured({ it: fixture("cli/server.mjs") })
        const ui = yield* open(["--config", config, "--plain"])
        yield* ui.shows("it ● 8 tools")
        yield* ui.type("echo the text 'hello'")
        yield* ui.press("Enter")
        yield* ui.shows(/✓ mcp__it__echo/)
        yield* ui.shows("ready")
        expect(yield* ui.screen).not.toMatch(/[─│╭╮╰╯⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
        yield* ui.press("C-c")
        const { after, before } = yield* ui.settings
        expect(after).toBe(before)
        expect(yield* ui.screen).toMatch(/^ended with 0$/m)
      }),
    120_000
  )

  it.scopedLive(
    "without colours it has none, also where CI is set; a dumb terminal gets the line-by-line chat",
    () =>
      Effect.gen(function* () {
        const config = yield* configured({ it: fixture("cli/server.mjs") })
        const ui = yield* open(["--config", config], { NO_COLOR: "1", CI: "true" })
        yield* ui.shows("it ● 8 tools")
        expect(yield* ui.colors).not.toMatch(/\x1b\[[0-9;]*[1-9]m/)
        const dumb = yield* open(["--config", config], { TERM: "dumb" })
        yield* dumb.shows(/^> /m)
        expect(yield* dumb.screen).not.toContain("[Sandbox]")
        yield* dumb.type("/help")
        yield* dumb.press("Enter")
        yield* dumb.shows(/^\/mcp \[server\] +servers/m)
        yield* dumb.type("/mcp")
        yield* dumb.press("Enter")
        yield* dumb.shows(/^[●○] it +stdio/m)
        yield* dumb.type("!expr 40 + 2")
        yield* dumb.press("Enter")
        yield* dumb.shows(/^42$/m)
        yield* dumb.type("run the command 'expr 20 + 3'")
        yield* dumb.press("Enter")
        yield* dumb.shows(/\[s\]ession, \[a\]lways \(writes bash\(expr 20 \+ 3\) to/)
        yield* dumb.type("a")
        yield* dumb.press("Enter")
        yield* dumb.shows(/\b23\b/)
        expect(readFileSync(join(dumb.home, "harness9.json"), "utf8")).toContain('"bash(expr 20 + 3)"')
        yield* dumb.type("/exit")
        yield* dumb.press("Enter")
        yield* dumb.shows("ended with 0")
      }),
    120_000
  )
})
