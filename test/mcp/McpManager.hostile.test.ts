/**
 * A server that does its worst costs itself: the others answer as ever, and nothing of it is left.
 */
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type * as Limits from "../../src/mcp/Limits.ts"
import * as McpManager from "../../src/mcp/McpManager.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as TransportFactory from "../../src/mcp/TransportFactory.ts"
import * as Resources from "../soak/Resources.ts"

const program = (name: string) => fileURLToPath(new URL(`../fixtures/${name}.mjs`, import.meta.url))

const stdio = (name: string, file: string, args: ReadonlyArray<string>, limits?: Limits.Settings) =>
  ServerConfig.stdio(name, {
    command: process.execPath,
    args: [program(file), ...args],
    env: { [marker]: "1" },
    ...(limits === undefined ? undefined : { limits })
  })

const marker = `HARNESS9_HOSTILE_${process.pid}`

/** A server that hurts in this way, and one beside it; the tool of the first has been called. */
const beside = Effect.fnUntraced(function* (way: string, limits?: Limits.Settings) {
  const servers = [stdio("bad", "hostile/stdio", [way], limits), stdio("good", "soak/stdio", [])]
  const manager = yield* McpManager.make(servers).pipe(
    Effect.provide(TransportFactory.layer),
    Logger.withMinimumLogLevel(LogLevel.None)
  )
  yield* manager.start
  expect((yield* manager.statuses).map(({ _tag }) => _tag)).toEqual(["Connected", "Connected"])
  const call = Effect.flatMap(manager.client("bad"), (client) => client.callTool("t", {}))
  return { manager, called: yield* Effect.fork(Effect.either(call)) }
})

describe("a server that", () => {
  it.scopedLive.each([
    ["floods with notifications", "notifications"],
    ["floods with requests and never reads the replies", "pings"],
    ["floods with questions to the person", "questions"],
    ["floods with replies that nobody waits for", "strangers"],
    ["floods with progress of a call", "progress"],
    ["writes a line byte by byte, without end", "drip"],
    ["writes batches of a million things", "batch"],
    ["changes its tools each time they are listed", "changes"],
    ["answers everything twice", "twice"],
    ["refuses with megabytes", "errors"],
    ["answers in a nesting without end", "deep"],
    ["leaves a child behind that floods its pipes", "escape"]
  ] as const)("%s keeps nobody else waiting", ([, way]) =>
    Effect.gen(function* () {
      const { manager } = yield* beside(way)
      const good = yield* manager.client("good")
      const call = (text: number) => good.callTool("echo", { text: `${text}` }, { timeout: Duration.seconds(10) })
      const answers = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, index) => index),
        call
      ).pipe(Effect.timeout("20 seconds"))
      expect(answers.map(({ text }) => text)).toEqual(answers.map((_, index) => `${index}`))
    })
  )

  it.scopedLive("says more than it may is read more slowly, and that is told with the limit's name", () =>
    Effect.gen(function* () {
      const { manager } = yield* beside("notifications", { messagesPerSecond: 100 })
      const diagnostics = Effect.delay(manager.diagnostics("bad"), "20 millis")
      const { skipped } = yield* Effect.repeat(diagnostics, { until: ({ skipped }) => skipped.length > 0 })
      expect(skipped).toEqual([expect.stringContaining("limits.messagesPerSecond")])
    })
  )

  it.scopedLive("refuses with megabytes, or nests without end, is told in a few words", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flatMap(beside("errors"), ({ called }) => called)
      expect(refused).toMatchObject({ _tag: "Left", left: { kind: "rpc" } })
      expect(JSON.stringify(refused).length).toBeLessThan(30_000)
      const nested = yield* Effect.flatMap(beside("deep"), ({ called }) => called)
      expect(nested).toMatchObject({ left: { kind: "protocol", message: expect.stringContaining("levels deep") } })
    })
  )

  it.scopedLive("has a tool with a name of a megabyte has its other tools", () =>
    Effect.gen(function* () {
      const { manager } = yield* beside("names")
      const client = yield* manager.client("bad")
      expect((yield* client.tools).map(({ name }) => name)).toEqual(["t"])
      expect(yield* client.warnings).toEqual([expect.stringContaining("limits.maxNameCharacters")])
      expect(client.serverInfo.name.length).toBeLessThan(1000)
    })
  )

  it.live.skipIf(process.platform !== "linux")(
    "leaves a child behind, in a session of its own, has its pipes let go",
    () =>
      Effect.gen(function* () {
        const end = Effect.fnUntraced(function* () {
          const { manager } = yield* beside("escape")
          const { closed } = yield* manager.client("bad")
          expect(yield* Effect.flip(closed)).toMatchObject({ kind: "exit" })
        })
        yield* Effect.scoped(end())
        // Without a reader the child ends by itself.
        const left = Effect.delay(
          Effect.sync(() => Resources.programsWith(marker)),
          "50 millis"
        )
        yield* Effect.timeout(Effect.repeat(left, { until: (programs) => programs.length === 0 }), "20 seconds")
      })
  )
})
