import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { Approver } from "../../src/engine/Permission.ts"
import * as Approvals from "../../src/tui/Approvals.ts"
import * as Editor from "../../src/tui/Editor.ts"
import * as FileCandidates from "../../src/tui/FileCandidates.ts"
import * as InputHistory from "../../src/tui/InputHistory.ts"
import * as LogFile from "../../src/tui/LogFile.ts"
import * as StateFile from "../../src/tui/StateFile.ts"
import { tool } from "./fakes.ts"

const inFolder = <A, E>(
  test: (folder: string, fs: FileSystem.FileSystem) => Effect.Effect<A, E, FileSystem.FileSystem>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    return yield* test(yield* fs.makeTempDirectoryScoped(), fs)
  }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))

describe("Approvals", () => {
  const request = (id: string) => ({ id, tool: tool("bash"), arguments: {} })
  const waiting = (count: number) =>
    Effect.flatMap(Approvals.Approvals, ({ changes }) =>
      changes.pipe(
        Stream.filter((all) => all.length === count),
        Stream.runHead
      )
    )

  it.effect("a question waits until it is answered, by its own answer", () =>
    Effect.gen(function* () {
      const approver = yield* Approver
      const approvals = yield* Approvals.Approvals
      const first = yield* Effect.fork(approver.ask(request("a")))
      const second = yield* Effect.fork(approver.ask(request("b")))
      yield* waiting(2)
      yield* approvals.answer(2, { _tag: "Deny" })
      expect((yield* Fiber.join(second))._tag).toBe("Deny")
      yield* approvals.answer(1, { _tag: "Once" })
      expect((yield* Fiber.join(first))._tag).toBe("Once")
      yield* waiting(0)
    }).pipe(Effect.provide(Approvals.layer))
  )

  it.effect("a call that is interrupted takes its question back", () =>
    Effect.gen(function* () {
      const approver = yield* Approver
      const asked = yield* Effect.fork(approver.ask(request("a")))
      yield* waiting(1)
      yield* Fiber.interrupt(asked)
      yield* waiting(0)
      yield* Effect.flatMap(Approvals.Approvals, ({ answer }) => answer(1, { _tag: "Once" }))
    }).pipe(Effect.provide(Approvals.layer))
  )
})

describe("InputHistory", () => {
  it.effect("prompts come back as they were, oldest first", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = `${folder}/state/history`
        expect(yield* InputHistory.load(file)).toEqual([])
        yield* InputHistory.append(file, "one")
        yield* InputHistory.append(file, "two\nlines \u2028")
        expect(yield* InputHistory.load(file)).toEqual(["one", "two\nlines \u2028"])
      })
    )
  )

  it.effect("what is no prompt is passed over", () =>
    inFolder((folder, fs) =>
      Effect.gen(function* () {
        yield* fs.writeFileString(`${folder}/h`, '"a"\nnonsense\n{}\n"b"\n')
        expect(yield* InputHistory.load(`${folder}/h`)).toEqual(["a", "b"])
      })
    )
  )

  it.effect("the file does not grow for ever, and is nobody else's", () =>
    inFolder((folder, fs) =>
      Effect.gen(function* () {
        const file = `${folder}/h`
        yield* fs.writeFileString(file, `${Array.from({ length: 5_000 }, (_, index) => `"${index}"`).join("\n")}\n`)
        expect((yield* InputHistory.load(file)).at(0)).toBe("4000")
        expect((yield* fs.readFileString(file)).split("\n")).toHaveLength(InputHistory.limit + 1)
        yield* InputHistory.append(`${folder}/new`, "secret")
        expect((yield* fs.stat(`${folder}/new`)).mode & 0o777).toBe(0o600)
      })
    )
  )

  it.effect("a place that cannot be written harms nothing", () =>
    inFolder((folder, fs) =>
      Effect.gen(function* () {
        yield* fs.writeFileString(`${folder}/file`, "")
        yield* InputHistory.append(`${folder}/file/history`, "x")
        expect(yield* InputHistory.load(`${folder}/file/history`)).toEqual([])
      })
    )
  )
})

describe("StateFile", () => {
  it("is where the environment says; a relative place does not count", () => {
    expect(StateFile.path("history", { XDG_STATE_HOME: "/state" })).toBe("/state/harness9/history")
    expect(StateFile.path("history", { XDG_STATE_HOME: "state" })).toMatch(/\.local\/state\/harness9\/history$/)
  })
})

describe("LogFile", () => {
  it.effect("log lines go into the file, escapes written out, and nowhere else", () =>
    inFolder((folder, fs) =>
      Effect.gen(function* () {
        const file = `${folder}/log/harness9.log`
        yield* Effect.logWarning('[mcp] server "a" says \x1b[2J').pipe(
          Effect.zipRight(Effect.logInfo("second")),
          Effect.provide(LogFile.layerFile(file, 1000))
        )
        const lines = (yield* fs.readFileString(file)).trimEnd().split("\n")
        expect(lines).toHaveLength(2)
        expect(lines[0]).toMatch(/^\d{4}-.* WARN \[mcp\] server "a" says \\x1b\[2J$/)
      })
    )
  )

  it.live("a file that has become large is begun anew, and what it held is beside it", () =>
    inFolder((folder, fs) =>
      Effect.gen(function* () {
        const file = `${folder}/log/harness9.log`
        const log = Effect.delay(
          Effect.orElseSucceed(fs.readFileString(file), () => ""),
          "5 millis"
        )
        const line = (text: string) =>
          Effect.zipRight(Effect.logInfo(text), Effect.repeat(log, { until: (log) => log.includes(text) }))
        yield* Effect.forEach(["first", "second", "third", "fourth"], (word) =>
          line(`${word} ${"x".repeat(300)}`)
        ).pipe(Effect.provide(LogFile.layerFile(file, 700)))
        expect(yield* fs.readFileString(file)).toMatch(/third.*fourth/s)
        expect(yield* fs.readFileString(`${file}.1`)).toMatch(/first.*second/s)
      })
    )
  )

  it.effect("a file that cannot be opened costs the log, not the program", () =>
    inFolder((folder, fs) =>
      Effect.gen(function* () {
        yield* fs.writeFileString(`${folder}/file`, "")
        const program = Effect.as(Effect.logInfo("x"), "done").pipe(
          Effect.provide(LogFile.layerFile(`${folder}/file/log`, 1000))
        )
        expect(yield* program).toBe("done")
      })
    )
  )
})

describe("Editor", () => {
  it("is $VISUAL before $EDITOR, and what the platform opens files with when there is none", () => {
    expect(Editor.find("f", { VISUAL: "code -w", EDITOR: "vi" }).name).toBe("code -w")
    expect(Editor.find("f", { VISUAL: " ", EDITOR: "vi" }).name).toBe("vi")
    expect(Editor.find("f", {}, "darwin")).toEqual({ name: "open", command: "open", args: ["f"] })
    expect(Editor.find("f", {}, "linux").command).toBe("xdg-open")
  })

  it.live("is given its own arguments, then the file, whatever is in the name", () =>
    inFolder((folder, fs) =>
      Effect.gen(function* () {
        const file = `${folder}/it's a "file" $HOME`
        const script = `${folder}/edit.sh`
        yield* fs.writeFileString(script, '#!/bin/sh\nprintf "%s|%s" "$1" "$2" > "$2"\n', { mode: 0o755 })
        yield* Editor.run(Editor.find(file, { EDITOR: `${script} --wait` }))
        expect(yield* fs.readFileString(file)).toBe(`--wait|${file}`)
      })
    )
  )

  it.live("that is missing or fails says so", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.flip(
        Editor.run(Editor.find("f", { EDITOR: "no-such-editor-anywhere 2>/dev/null" }))
      )
      expect(missing.message).toContain("not found")
      const noOpener = yield* Effect.flip(Editor.run({ name: "open", command: "/no/such/opener", args: [] }))
      expect(noOpener.message).toBe("open: not found; set EDITOR")
      const failing = yield* Effect.flip(Editor.run(Editor.find("f", { EDITOR: "exit 3;" })))
      expect(failing.message).toContain("ended with code 3")
    })
  )

  it.live("ends when it is interrupted", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const fiber = yield* Editor.run({ name: "sleep", command: "sleep", args: ["60"] }).pipe(
        Effect.onInterrupt(() => Deferred.succeed(ended, undefined)),
        Effect.fork
      )
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(ended)
    })
  )
})

describe("FileCandidates", () => {
  it.effect("finds what begins so, folders first, hidden files only when asked for", () =>
    inFolder((folder, fs) =>
      Effect.gen(function* () {
        yield* fs.makeDirectory(`${folder}/src/tui`, { recursive: true })
        yield* fs.writeFileString(`${folder}/src/test.ts`, "")
        yield* fs.writeFileString(`${folder}/src/.hidden`, "")
        yield* fs.writeFileString(`${folder}/src/other.ts`, "")
        const texts = (prefix: string) =>
          Effect.map(FileCandidates.find(folder, prefix), (found) => found.map(({ text }) => text))
        expect(yield* texts("src/t")).toEqual(["src/tui/", "src/test.ts"])
        expect(yield* texts("src/.")).toEqual(["src/.hidden"])
        expect(yield* texts("")).toEqual(["src/"])
        expect(yield* texts("no/such/x")).toEqual([])
      })
    )
  )
})
