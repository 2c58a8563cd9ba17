import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as ConfigReload from "../../src/cli/ConfigReload.ts"
import { McpManager } from "../../src/mcp/McpManager.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"
import { started, words } from "../mcp/managed.ts"

const text = (...names: ReadonlyArray<string>) =>
  JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: "node" }])) })

const servers = TestTransportFactory.layer({ a: TestServer.make(), b: TestServer.make(), c: TestServer.make() })

const world = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "harness9-reload-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const file = join(folder, "mcp.json")
  const manager = yield* Effect.provide(started([]), servers)
  const options = { config: file, connectTimeout: Duration.seconds(7) }
  const services = Layer.merge(Layer.succeed(McpManager, manager), NodeFileSystem.layer)
  return { file, manager, options, services }
})

it.scopedLive(
  "what a person has edited counts when the editor is closed; what cannot be read is told, and changes nothing",
  () =>
    Effect.gen(function* () {
      const { file, manager, options, services } = yield* world
      const now = Effect.provide(ConfigReload.now(options), services)
      writeFileSync(file, text("a", "b"))
      expect(yield* now).toEqual({ text: "the configuration has 2 servers: added a, b", tone: "info" })
      expect(yield* words(manager)).toEqual({ a: "connected", b: "connected" })
      expect((yield* manager.servers).map(({ connectTimeout }) => connectTimeout)).toEqual([
        Duration.seconds(7),
        Duration.seconds(7)
      ])
      expect(yield* now).toEqual({ text: "the configuration has 2 servers, as before", tone: "info" })

      writeFileSync(file, '{ "mcpServers": { "a": {')
      expect(yield* now).toMatchObject({ text: expect.stringMatching(/line 1.*nothing was changed/), tone: "error" })
      rmSync(file)
      expect(yield* now).toMatchObject({ text: expect.stringContaining("does not exist"), tone: "error" })
      expect(yield* words(manager)).toEqual({ a: "connected", b: "connected" })

      writeFileSync(file, JSON.stringify({ mcpServers: { b: { command: "node", args: ["x"] }, c: 5 } }))
      expect(yield* now).toMatchObject({
        text: expect.stringMatching(/has 1 server: changed b; removed a; .*mcp.json, c: /),
        tone: "error"
      })
      expect(yield* words(manager)).toEqual({ b: "connected" })
    })
)

it.scopedLive("that a file is mended is told, even if it says what it said before", () =>
  Effect.gen(function* () {
    const { file, options, services } = yield* world
    writeFileSync(file, text("a"))
    const steps = [text("a", "b"), "{", text("a", "b")]
    const told = yield* Effect.fork(
      ConfigReload.changes(options).pipe(
        Stream.tap(() => Effect.sync(() => writeFileSync(file, steps.shift() ?? text()))),
        Stream.map(({ tone, text }) => `${tone} ${text.split(",").at(-1)}`),
        Stream.take(4),
        Stream.runCollect,
        Effect.provide(services)
      )
    )
    expect([...(yield* Fiber.join(told))]).toEqual([
      "info the configuration has 1 server: added a",
      "info the configuration has 2 servers: added b",
      expect.stringMatching(/^error .*nothing was changed/),
      "info  as before"
    ])
  })
)

it.scopedLive("the files are followed, and only news is told", () =>
  Effect.gen(function* () {
    const { file, manager, options, services } = yield* world
    writeFileSync(file, text("a"))
    const told = yield* Effect.fork(
      ConfigReload.changes(options).pipe(
        Stream.map((message) => message.text),
        Stream.tap(() => Effect.sync(() => writeFileSync(file, text("a", "b")))),
        Stream.takeUntil((message) => message.includes("b")),
        Stream.runCollect,
        Effect.provide(services)
      )
    )
    expect([...(yield* Fiber.join(told))]).toEqual([
      "the configuration has 1 server: added a",
      "the configuration has 2 servers: added b"
    ])
    expect(yield* words(manager)).toEqual({ a: "connected", b: "connected" })
  })
)
