/**
 * What one-shot commands show of the faults that broke other hosts: the other half of test/faults.
 */
import { randomUUID } from "node:crypto"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { fault } from "../faults/fault.ts"
import { configured, fixture, folder, hasProc, processesWith, run, signs, start } from "./cli.ts"

fault(
  25,
  "The whole process group ends with its server, launchers' children included, however the host ends; a watchdog is there for SIGKILL",
  () => {
    it.scopedLive(
      "harness9 killed by SIGKILL leaves no server, stubborn children included, longer than five seconds",
      () =>
        Effect.gen(function* () {
          if (!hasProc) return
          const marker = randomUUID()
          const { arrived, port } = yield* signs
          const env = { HARNESS9_TEST_MARKER: marker, HARNESS9_TEST_PORT: port }
          const config = yield* configured({
            launcher: fixture("cli/silent.mjs", { args: ["parent"], env }),
            stubborn: fixture("cli/silent.mjs", { args: ["stubborn"], env })
          })
          const cli = yield* start(["mcp", "list", "--config", config])
          yield* arrived(3)
          expect(processesWith(marker).length).toBeGreaterThanOrEqual(3)
          yield* cli.kill("SIGKILL")
          yield* cli.exit
          yield* Effect.sync(() => processesWith(marker).length).pipe(
            Effect.repeat({ while: (count) => count > 0, schedule: Schedule.spaced("50 millis") }),
            Effect.timeout("5 seconds")
          )
        })
    )
  }
)

fault(
  74,
  "One sanitiser stands before every screen and log: whatever a terminal would obey, or an eye would miss, is written out",
  () => {
    it.scopedLive("no command prints what a server hides in names, descriptions, results, logs and errors", () =>
      Effect.gen(function* () {
        const config = yield* configured({ it: fixture("stdio/terminal-injection.mjs") })
        for (const words of [
          ["mcp", "list"],
          ["mcp", "tools"],
          ["mcp", "get", "it"],
          ["mcp", "call", "it", "no-such-tool"],
          ["run", "read a page", "--yes", "--model", "offline"]
        ]) {
          for (const more of words[0] === "mcp" ? [[], ["--json"]] : [[], ["--output", "json"]]) {
            const { code, stderr, stdout } = yield* run([...words, ...more, "--log-level", "debug", "--config", config])
            const command = [...words, ...more].join(" ")
            expect(code, command).not.toBeNull()
            expect(stdout + stderr, command).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e]/)
            expect(stdout + stderr, command).not.toBe("")
          }
        }
      })
    )
  }
)

fault(
  77,
  "What a project brings along is started only after a person has agreed to this very entry; scripts need a flag, and no agreement lies in the project",
  () => {
    it.scopedLive(
      "no command starts a program of a cloned folder, until a person says so, and again once it has changed",
      () =>
        Effect.gen(function* () {
          const cwd = yield* folder
          const state = yield* folder
          const mark = join(cwd, "started")
          const write = (...words: ReadonlyArray<string>) =>
            writeFileSync(
              join(cwd, ".mcp.json"),
              JSON.stringify({ mcpServers: { evil: { command: "sh", args: ["-c", `touch ${mark}`, ...words] } } })
            )
          const ask = (...words: ReadonlyArray<string>) => run(words, { cwd, env: { XDG_STATE_HOME: state } })
          write()
          for (const words of [
            ["mcp", "list"],
            ["mcp", "tools"],
            ["mcp", "get", "evil"],
            ["mcp", "call", "evil", "x"],
            ["mcp", "doctor"],
            ["run", "hello", "--yes", "--model", "offline"]
          ]) {
            yield* ask(...words)
            expect(existsSync(mark), words.join(" ")).toBe(false)
          }
          expect((yield* ask("mcp", "approve", "evil")).code).toBe(0)
          expect(existsSync(mark)).toBe(false)
          yield* ask("mcp", "list")
          expect(existsSync(mark)).toBe(true)
          rmSync(mark)
          write("changed")
          yield* ask("mcp", "list")
          expect(existsSync(mark)).toBe(false)
          yield* ask("mcp", "list", "--trust")
          expect(existsSync(mark)).toBe(true)
        })
    )
  },
  { see: ["test/mcp/Trust.test.ts", "test/mcp/McpManager.trust.test.ts"] }
)
