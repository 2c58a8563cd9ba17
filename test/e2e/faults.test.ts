/**
 * What one-shot commands show of the faults that broke other hosts: the other half of test/faults.
 */
import { randomUUID } from "node:crypto"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { fault } from "../faults/fault.ts"
import { configured, fixture, hasProc, processesWith, run, signs, start } from "./cli.ts"

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
