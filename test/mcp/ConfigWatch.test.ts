import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as ConfigWatch from "../../src/mcp/ConfigWatch.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "harness9-watch-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const text = (...names: ReadonlyArray<string>) =>
  JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: "node" }])) })

/** A project and a home, and what the watch says, in words. */
const world = Effect.gen(function* () {
  const home = yield* folder
  const project = yield* folder
  const said = yield* Queue.unbounded<string>()
  const env = { HOME: home, PATH: process.env.PATH }
  yield* ConfigWatch.watch({ cwd: project, env, debounce: Duration.millis(50) }).pipe(
    Stream.runForEach((outcome) => Queue.offer(said, inWords(outcome))),
    Effect.provide(NodeFileSystem.layer),
    Effect.forkScoped
  )
  return {
    file: join(project, ".mcp.json"),
    userFile: join(home, ".config/harness9/mcp.json"),
    project,
    said: Queue.take(said),
    /** Nothing more is said. */
    silence: Effect.map(Effect.timeoutOption(Queue.take(said), "500 millis"), Option.isNone)
  }
})

const inWords = (outcome: ConfigWatch.Outcome): string =>
  outcome._tag === "Loaded"
    ? outcome.config.servers.map(({ name }) => name).join() || "none"
    : `rejected: ${outcome.problems.map(({ message }) => message).join()}`

it.scopedLive("a file that appears, is written over, replaced by rename, and removed", () =>
  Effect.gen(function* () {
    const { file, said } = yield* world
    expect(yield* said).toBe("none")
    writeFileSync(file, text("a"))
    expect(yield* said).toBe("a")
    writeFileSync(file, text("a", "b"))
    expect(yield* said).toBe("a,b")
    writeFileSync(`${file}.tmp`, text("c"))
    renameSync(`${file}.tmp`, file)
    expect(yield* said).toBe("c")
    renameSync(file, `${file}~`)
    writeFileSync(file, text("d"))
    expect(yield* said).toBe("d")
    rmSync(file)
    expect(yield* said).toBe("none")
  })
)

it.scopedLive("a file that is no configuration is told with its place, and so is that it is mended", () =>
  Effect.gen(function* () {
    const { file, said } = yield* world
    yield* said
    writeFileSync(file, text("a"))
    expect(yield* said).toBe("a")
    writeFileSync(file, '{ "mcpServers": { "a": }')
    expect(yield* said).toMatch(/^rejected: .*line 1/)
    writeFileSync(file, text("a"))
    expect(yield* said).toBe("a")
  })
)

it.scopedLive("one broken file of two is as good as none: the servers of the broken one go on", () =>
  Effect.gen(function* () {
    const { file, said, userFile } = yield* world
    yield* said
    mkdirSync(join(userFile, ".."), { recursive: true })
    writeFileSync(userFile, text("mine"))
    expect(yield* said).toBe("mine")
    writeFileSync(file, "{")
    expect(yield* said).toMatch(/^rejected/)
    writeFileSync(file, text("a"))
    expect(yield* said).toBe("a,mine")
  })
)

it.scopedLive("a file whose folders are made later, and made anew", () =>
  Effect.gen(function* () {
    const { said, userFile } = yield* world
    const config = join(userFile, "../..")
    yield* said
    mkdirSync(join(userFile, ".."), { recursive: true })
    writeFileSync(userFile, text("a"))
    expect(yield* said).toBe("a")
    rmSync(config, { recursive: true })
    expect(yield* said).toBe("none")
    mkdirSync(join(userFile, ".."), { recursive: true })
    writeFileSync(userFile, text("b"))
    expect(yield* said).toBe("b")
  })
)

it.scopedLive("a file that is emptied before it is written is not believed to be empty", () =>
  Effect.gen(function* () {
    const { file, said } = yield* world
    yield* said
    writeFileSync(file, text("a"))
    expect(yield* said).toBe("a")
    writeFileSync(file, "")
    yield* Effect.sleep("300 millis")
    appendFileSync(file, text("b"))
    expect(yield* said).toBe("b")
  })
)

it.scopedLive(
  "a burst of changes is told once, what changes nothing not at all, and other files are nobody's business",
  () =>
    Effect.gen(function* () {
      const { file, project, said, silence } = yield* world
      yield* said
      for (let i = 0; i < 50; i++) writeFileSync(file, text(`a${i}`))
      expect(yield* said).toBe("a49")
      writeFileSync(file, ` ${text("a49")}\n`)
      writeFileSync(join(project, "other.json"), text("x"))
      expect(yield* silence).toBe(true)
    })
)
