import * as fs from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as OutputBudget from "../../../src/tool/OutputBudget.ts"
import * as Playground from "./Playground.ts"

/** Waits for a condition of the outside world. */
const eventually = (condition: () => boolean) =>
  Effect.sync(condition).pipe(
    Effect.repeat({ until: (holds) => holds, schedule: Schedule.spaced("10 millis") }),
    Effect.timeout("10 seconds")
  )

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("bash", () => {
  it.scopedLive("gives stdout and stderr, run in the working directory", () =>
    Effect.gen(function* () {
      const { root, success } = yield* Playground.make()
      expect(yield* success("bash", { command: "pwd; echo oops >&2" })).toMatch(
        new RegExp(`^(${root}\noops|oops\n${root})$`)
      )
      expect(yield* success("bash", { command: "true" })).toBe("(no output)")
    })
  )

  it.scopedLive("tells the exit code, the signal and what does not exist", () =>
    Effect.gen(function* () {
      const { failure, root } = yield* Playground.make()
      expect(yield* failure("bash", { command: "echo out; exit 3" })).toBe("out\n[exit code 3]")
      expect(yield* failure("bash", { command: "kill -9 $$" })).toBe("[ended by SIGKILL]")
      fs.rmdirSync(root)
      expect(yield* failure("bash", { command: "true" })).not.toMatch(/^succeeded/)
    })
  )

  it.scopedLive("has no input to wait for", () =>
    Effect.gen(function* () {
      const { success } = yield* Playground.make()
      expect(yield* success("bash", { command: "cat; echo done" })).toBe("done")
    })
  )

  it.scopedLive("cuts no character in two, whatever the chunks", () =>
    Effect.gen(function* () {
      const { success } = yield* Playground.make()
      const command = "printf '\\xf0\\x9f'; sleep 0.05; printf '\\x98\\x80'"
      expect(yield* success("bash", { command })).toBe("😀")
    })
  )

  it.scopedLive("at its timeout ends with all that it started, and shows what there was", () =>
    Effect.gen(function* () {
      const { at, read, run } = yield* Playground.make()
      const command = "echo begun; sh -c 'echo $$ > pid; exec sleep 1000' & wait"
      const { isError, text } = yield* run("bash", { command, timeout_seconds: 0.5 })
      expect([isError, text]).toEqual([true, "begun\n[stopped: it took longer than 500ms]"])
      expect(fs.existsSync(at("pid"))).toBe(true)
      yield* eventually(() => !isAlive(Number(read("pid"))))
    })
  )

  it.scopedLive("keeps to the time that the caller allows", () =>
    Effect.gen(function* () {
      const { run } = yield* Playground.make()
      const { text } = yield* run("bash", { command: "sleep 1000" }, Duration.millis(200))
      expect(text).toBe("[stopped: it took longer than 200ms]")
    })
  )

  it.scopedLive("interrupted, ends with all that it started, even what ignores SIGTERM", () =>
    Effect.gen(function* () {
      const { at, read, run } = yield* Playground.make()
      const command = "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 0.1; done' & wait; wait"
      const call = yield* Effect.fork(run("bash", { command }))
      yield* eventually(() => fs.existsSync(at("pid")) && read("pid").endsWith("\n"))
      const exit = yield* Fiber.interrupt(call)
      expect(Exit.isInterrupted(exit)).toBe(true)
      yield* eventually(() => !isAlive(Number(read("pid"))))
    })
  )

  it.scopedLive("does not wait for what it started in the background", () =>
    Effect.gen(function* () {
      const { read, success } = yield* Playground.make()
      expect(yield* success("bash", { command: "sleep 1000 & echo $! > pid; echo done" })).toBe("done")
      yield* eventually(() => !isAlive(Number(read("pid"))))
    })
  )

  it.scopedLive("a flood of output is bounded, with head and tail", () =>
    Effect.gen(function* () {
      const { base, success } = yield* Playground.make()
      const text = yield* success("bash", { command: "echo first; yes | head -c 30000000; echo last" }).pipe(
        Effect.provideService(OutputBudget.OutputBudget, { maxCharacters: 100_000, directory: base })
      )
      expect(text.length).toBeLessThan(30_000)
      expect(text).toMatch(/^first\ny\n/)
      expect(text).toMatch(/y\nlast$/)
      const file = /in (\S+\.txt):/.exec(text)?.[1] ?? ""
      expect(fs.statSync(file).size).toBeLessThan(10_200_000)
      expect(fs.readFileSync(file, "utf8")).toMatch(/\[… \d+ characters lost …\]/)
    })
  )
})
