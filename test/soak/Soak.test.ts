/**
 * A minute of the long run, in a process of its own: what is lost or left over fails; of times and memory only what is gross.
 */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"

const root = fileURLToPath(new URL("../..", import.meta.url))

const soak = (words: ReadonlyArray<string>) =>
  Effect.async<{ readonly code: number | null; readonly told: string }>((resume) => {
    const child = spawn(process.execPath, [join(root, "scripts/soak.mjs"), ...words], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let told = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      told += text
    })
    child.on("close", (code) => resume(Effect.succeed({ code, told })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

// It looks into /proc.
it.live.skipIf(process.platform !== "linux")(
  "a minute of calls among faults: every call has an outcome, and nothing is left over",
  () =>
    Effect.gen(function* () {
      const { code, told } = yield* soak(["--minutes", "1", "--servers", "20"])
      console.log(told)
      expect({ code, bad: told.split("\n").filter((line) => line.startsWith("BAD")) }).toEqual({ code: 0, bad: [] })
    }),
  240_000
)
