import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { CallOptions } from "../../src/mcp/McpClient.ts"
import { type Kind, McpError } from "../../src/mcp/McpError.ts"
import type { ContentBlock, ToolAnnotations, ToolCallResult } from "../../src/mcp/McpSchema.ts"
import { ServerStatus } from "../../src/mcp/ServerStatus.ts"
import * as McpToolAdapter from "../../src/tool/McpToolAdapter.ts"
import type { RunOptions } from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as FakeManager from "./FakeManager.ts"

const options: RunOptions = { timeout: Duration.seconds(60) }

const names = Effect.map(({ tools }: ToolRegistry.ToolSet) => tools.map(({ name }) => name))

/** What the model gets when the server answers with this. */
const answered = (outcome: Effect.Effect<ToolCallResult, McpError>) =>
  McpToolAdapter.fromTool("zoo", FakeManager.tool("t"), Effect.succeed({ callTool: () => outcome })).run({}, options)

const given = (more: Partial<ToolCallResult>) => answered(Effect.succeed(FakeManager.result(more)))

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const text = (value: string): ContentBlock => ({ type: "text", text: value })
const image: ContentBlock = { type: "image", data: png, mimeType: "image/png" }

describe("a tool of a server", () => {
  it("keeps what the server says of it, under its registry name", () => {
    const tool = FakeManager.tool("get.sum", {
      title: "Sum",
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: true, idempotentHint: true }
    })
    const adapted = McpToolAdapter.fromTool("my server", tool, Effect.die("not called"))
    expect(adapted).toMatchObject({
      name: "mcp__my_server__get_sum",
      title: "Sum",
      description: "does get.sum",
      inputSchema: { type: "object" },
      outputSchema: { type: "object" },
      origin: { _tag: "Mcp", server: "my server", tool: "get.sum" },
      hints: { readOnly: true, destructive: false, idempotent: true }
    })
  })

  it("that claims nothing may change and destroy things", () => {
    const { hints } = McpToolAdapter.fromTool("s", FakeManager.tool("t"), Effect.die("not called"))
    expect(hints).toEqual({ readOnly: false, destructive: true, idempotent: false })
  })

  it.effect("is called by the server's own name, with the arguments, the time allowed and the progress callback", () =>
    Effect.gen(function* () {
      const calls: Array<readonly [string, unknown, CallOptions | undefined]> = []
      const callTool: FakeManager.CallTool = (name, args, given) =>
        Effect.sync(() => {
          calls.push([name, args, given])
          return FakeManager.result({ content: [text("ok")] })
        })
      const tool = McpToolAdapter.fromTool("s", FakeManager.tool("get.sum"), Effect.succeed({ callTool }))
      const onProgress = () => Effect.void
      const result = yield* tool.run({ a: 1 }, { ...options, onProgress })
      expect(result).toEqual({ isError: false, text: "ok", content: [text("ok")] })
      expect(calls).toEqual([["get.sum", { a: 1 }, { ...options, onProgress }]])
    })
  )

  it.effect("is interrupted on the wire when the call is interrupted", () =>
    Effect.gen(function* () {
      const running = yield* Deferred.make<void>()
      const cancelled = yield* Deferred.make<void>()
      const outcome = Deferred.succeed(running, undefined).pipe(
        Effect.zipRight(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(cancelled, undefined))
      )
      const registry = yield* ToolRegistry.make
      const fake = yield* FakeManager.make([FakeManager.config("s")], () => () => outcome)
      yield* fake.set([FakeManager.connected("s", [FakeManager.tool("t")])])
      yield* McpToolAdapter.sync(fake.manager, registry)
      const call = yield* Effect.fork(registry.execute("mcp__s__t", {}))
      yield* Deferred.await(running)
      yield* Fiber.interrupt(call)
      yield* Deferred.await(cancelled)
    })
  )
})

describe("the result for the model", () => {
  const cases: ReadonlyArray<readonly [string, Partial<ToolCallResult>, string]> = [
    ["text blocks are joined by newline", { content: [text("a"), text("b")] }, "a\nb"],
    ["structured content stands in for missing text", { structuredContent: { n: 42 } }, '{"n":42}'],
    [
      "structured content stands in for blank text",
      { content: [text(" ")], structuredContent: { n: 1 } },
      ' \n{"n":1}'
    ],
    [
      "text goes before structured content, which is not repeated",
      { content: [text("1 item")], structuredContent: { n: 1 } },
      "1 item"
    ],
    ["nothing is told", {}, "(no output)"],
    ["an image is a line with its size", { content: [image] }, "[image image/png, 70 bytes]"],
    ["bad base64 is a line", { content: [{ ...image, data: "!!not base64!!" }] }, "[image image/png, not readable]"],
    [
      "audio is a line",
      { content: [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }] },
      "[audio audio/wav, 3 bytes]"
    ],
    [
      "a link is shown with what is known of it",
      {
        content: [
          {
            type: "resource_link",
            uri: "file:///tmp/x.txt",
            name: "x",
            mimeType: "text/plain",
            size: 12,
            description: "notes"
          }
        ]
      },
      "[resource link x file:///tmp/x.txt (text/plain, 12 bytes): notes]"
    ],
    [
      "embedded text is text",
      { content: [{ type: "resource", resource: { uri: "mem://t", text: "inside" } }] },
      "inside"
    ],
    [
      "embedded bytes are a line",
      {
        content: [
          { type: "resource", resource: { uri: "mem://b", blob: "AAECAw==", mimeType: "application/octet-stream" } }
        ]
      },
      "[resource mem://b application/octet-stream, 4 bytes]"
    ],
    [
      "an unknown block keeps its place",
      { content: [text("a"), { type: "unknown", block: { type: "hologram", x: 1 } }, text("b")] },
      "a\n[hologram]\nb"
    ],
    ["a block that is none is a line", { content: [{ type: "unknown", block: null }] }, "[block of no known type]"],
    [
      "structured content that repeats an image is left out",
      { content: [image], structuredContent: { result: [{ type: "image", data: png }] } },
      "[image image/png, 70 bytes]"
    ],
    [
      "bytes in structured content are no text",
      { structuredContent: { shot: "A".repeat(4000) } },
      '{"shot":"[3000 bytes in base64]"}'
    ],
    [
      "foreign words in a line cannot break out of it",
      { content: [{ type: "unknown", block: { type: "x\n\u001b[2J]" } }] },
      "[x \\x1b[2J]]"
    ]
  ]
  for (const [name, result, expected] of cases) {
    it.effect(name, () =>
      Effect.gen(function* () {
        expect(yield* given(result)).toMatchObject({ isError: false, text: expected })
      })
    )
  }

  it.effect("keeps media in the content, and unusable media as something unknown", () =>
    Effect.gen(function* () {
      const bad: ContentBlock = { ...image, data: "???" }
      const wrapped: ContentBlock = { ...image, data: `${png.slice(0, 20)}\n${png.slice(20)}` }
      const { content } = yield* given({ content: [image, bad, wrapped] })
      expect(content).toEqual([image, { type: "unknown", block: bad }, image])
    })
  )

  it.effect("isError survives, whatever else is there", () =>
    Effect.gen(function* () {
      const denied = yield* given({ isError: true, content: [text("denied")], structuredContent: { error: "E1" } })
      expect(denied).toMatchObject({ isError: true, text: "denied" })
      expect(yield* given({ isError: true, structuredContent: { error: "E1" } })).toMatchObject({
        isError: true,
        text: '{"error":"E1"}'
      })
      expect(yield* given({ isError: true })).toMatchObject({
        isError: true,
        text: "The tool failed and did not say why."
      })
    })
  )
})

describe("a call that fails", () => {
  const failed = (kind: Kind, more: Partial<McpError> = {}) =>
    answered(Effect.fail(new McpError({ server: "zoo", phase: "call", kind, message: "it happened", ...more })))

  const cases: ReadonlyArray<readonly [Kind, string]> = [
    ["timeout", "got no answer within 1m and was cancelled"],
    ["rpc", "refused the call of mcp__zoo__t: it happened."],
    ["too-large", "Ask for less at a time."],
    ["needs-auth", "do not call it again until that is done"],
    ["closed", 'there is no connection to server "zoo": it happened. It may have had effects.'],
    ["exit", "Trying again helps only once the server is connected again."],
    ["network", "Trying again helps only once"],
    ["session-lost", "Trying again helps only once"],
    ["http", "Trying again helps only once"],
    ["spawn", "Trying again helps only once"],
    ["protocol", "Trying again is of little use."],
    ["config", "do without it"],
    ["disabled", "do without it"],
    ["unknown-server", "do without it"]
  ]
  for (const [kind, expected] of cases) {
    it.effect(`by ${kind} tells the server, what happened and whether to try again`, () =>
      Effect.gen(function* () {
        const { isError, text } = yield* failed(kind)
        expect(isError).toBe(true)
        expect(text).toContain('server "zoo"')
        expect(text).toContain(expected)
      })
    )
  }

  it.effect("for its arguments points to the schema", () =>
    Effect.gen(function* () {
      const { text } = yield* failed("rpc", { code: -32602, message: "bad \u001b[31margs" })
      expect(text).toContain("(code -32602): bad \\x1b[31margs. Compare the arguments with the tool's schema")
    })
  )

  it.effect("with its server shows what that wrote last", () =>
    Effect.gen(function* () {
      const { text } = yield* failed("exit", { stderr: "1\n2\n3\n4\n5\nTypeError: x\n" })
      expect(text).toContain("The server wrote last:\n2\n3\n4\n5\nTypeError: x")
    })
  )

  it.effect("before it was sent says so", () =>
    Effect.gen(function* () {
      const { text } = yield* failed("spawn", { phase: "spawn" })
      expect(text).toContain("It was not sent.")
    })
  )
})

describe("the registry", () => {
  const { config, connected, tool } = FakeManager

  it.effect("gets the tools of the connected servers, and of no other", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      const { manager, set } = yield* FakeManager.make([config("a"), config("b")])
      yield* set([connected("a", [tool("x"), tool("y")]), ServerStatus.Pending({ name: "b" })])
      expect(yield* McpToolAdapter.sync(manager, registry)).toBe(2)
      expect(yield* names(registry.snapshot)).toEqual(["mcp__a__x", "mcp__a__y"])
      yield* set([ServerStatus.Disabled({ name: "a" }), connected("b", [tool("z")])])
      expect(yield* McpToolAdapter.sync(manager, registry)).toBe(1)
      expect(yield* names(registry.snapshot)).toEqual(["mcp__b__z"])
    })
  )

  it.effect("decides conflicts by the order of the configuration", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      const { manager, set } = yield* FakeManager.make([config("z.1"), config("z-1")])
      yield* set([connected("z-1", [tool("x")]), connected("z.1", [tool("x")])])
      yield* McpToolAdapter.sync(manager, registry)
      expect((yield* registry.snapshot).byName.get("mcp__z_1__x")?.origin).toMatchObject({ server: "z.1" })
    })
  )

  it.effect("gives a call the time that the server's entry allows", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      const timeouts: Array<unknown> = []
      const callTool: FakeManager.CallTool = (_, __, given) =>
        Effect.sync(() => {
          timeouts.push(given?.timeout)
          return FakeManager.result({})
        })
      const slow = { ...config("slow"), callTimeout: Duration.minutes(10) }
      const { manager, set } = yield* FakeManager.make([slow, config("usual")], () => callTool)
      yield* set([connected("slow", [tool("x")]), connected("usual", [tool("x")])])
      yield* McpToolAdapter.sync(manager, registry)
      yield* registry.execute("mcp__slow__x", {})
      yield* registry.execute("mcp__usual__x", {})
      expect(timeouts).toEqual([Duration.minutes(10), Duration.seconds(60)])
    })
  )

  it.effect("a call of a tool whose server has gone meanwhile is a failure that says so", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      const { manager, set } = yield* FakeManager.make([config("a")])
      yield* set([connected("a", [tool("x")])])
      yield* McpToolAdapter.sync(manager, registry)
      yield* set([])
      const result = yield* registry.execute("mcp__a__x", {})
      expect(result.isError).toBe(true)
      expect(result.text).toContain('no connection to server "a": the server is gone. It was not sent.')
    })
  )

  it.scoped("stays in step while the scope is open; a server whose list is the same is left alone", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      const registered: Array<string> = []
      const watched: ToolRegistry.Service = {
        ...registry,
        register: (source, tools) =>
          Effect.zipRight(
            Effect.sync(() => registered.push(source.id)),
            registry.register(source, tools)
          )
      }
      const { manager, set } = yield* FakeManager.make([config("a"), config("b")])
      const a = connected("a", [tool("x")])
      yield* set([a])
      expect(yield* McpToolAdapter.inject(manager, watched)).toBe(1)
      const until = (count: number) =>
        registry.changes.pipe(
          Stream.takeUntil(({ tools }) => tools.length === count),
          Stream.runDrain
        )
      yield* Effect.yieldNow()
      yield* set([a, connected("b", [tool("y"), tool("z")])])
      yield* until(3)
      yield* set([a, connected("b", [tool("y")])])
      yield* until(2)
      yield* set([a, ServerStatus.Disabled({ name: "b" })])
      yield* until(1)
      expect(registered).toEqual(["mcp:a", "mcp:b", "mcp:b"])
    })
  )

  it.effect("the tools of a server that was lost stay while it is connected again, and go when it is given up", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      const { manager, set } = yield* FakeManager.make([config("a")])
      const error = new McpError({ server: "a", phase: "connect", kind: "exit", message: "gone" })
      yield* set([connected("a", [tool("x")])])
      yield* McpToolAdapter.sync(manager, registry)
      for (const status of [
        ServerStatus.Reconnecting({ name: "a", error, attempt: 1, nextTryAt: 500 }),
        ServerStatus.Pending({ name: "a" })
      ]) {
        yield* set([status])
        yield* McpToolAdapter.sync(manager, registry)
        expect(yield* names(registry.snapshot)).toEqual(["mcp__a__x"])
      }
      yield* set([ServerStatus.Failed({ name: "a", error })])
      yield* McpToolAdapter.sync(manager, registry)
      expect(yield* names(registry.snapshot)).toEqual([])
    })
  )
})

describe("a call that loses its connection", () => {
  const lossOf = (kind: Kind) => new McpError({ server: "zoo", phase: "call", kind, message: "it is gone" })

  /** The result of a call whose first attempt fails so, and how often it was made. */
  const outcome = Effect.fnUntraced(function* (
    annotations: ToolAnnotations,
    first: McpError,
    second: Effect.Effect<ToolCallResult, McpError> = Effect.succeed(FakeManager.result({ content: [text("again")] }))
  ) {
    let calls = 0
    const callTool = () => Effect.suspend(() => (++calls === 1 ? Effect.fail(first) : second))
    const { run } = McpToolAdapter.fromTool("zoo", FakeManager.tool("x", { annotations }), Effect.succeed({ callTool }))
    const { text: told } = yield* run({}, { timeout: Duration.seconds(10) })
    return { calls, text: told }
  })

  it.effect("is made once more where the tool says that this does no harm, and only there", () =>
    Effect.gen(function* () {
      for (const kind of ["exit", "closed", "network"] as const) {
        for (const harmless of [{ readOnlyHint: true }, { idempotentHint: true }]) {
          expect(yield* outcome(harmless, lossOf(kind))).toEqual({ calls: 2, text: "again" })
        }
        for (const other of [{}, { readOnlyHint: false }, { destructiveHint: false }]) {
          const { calls, text } = yield* outcome(other, lossOf(kind))
          expect(calls).toBe(1)
          expect(text).toContain("It may have had effects.")
        }
      }
    })
  )

  it.effect("a timeout, a refusal or a login is no loss", () =>
    Effect.gen(function* () {
      for (const kind of ["timeout", "rpc", "needs-auth", "protocol", "too-large", "http"] as const) {
        expect((yield* outcome({ readOnlyHint: true }, lossOf(kind))).calls).toBe(1)
      }
    })
  )

  it.effect("is made twice at most, and does not wait longer than its time for the next connection", () =>
    Effect.gen(function* () {
      const again = yield* outcome({ readOnlyHint: true }, lossOf("exit"), Effect.fail(lossOf("exit")))
      expect(again.calls).toBe(2)
      expect(again.text).toContain("it is gone")
      const waiting = yield* Effect.fork(outcome({ readOnlyHint: true }, lossOf("exit"), Effect.never))
      yield* TestClock.adjust("10 seconds")
      expect((yield* Fiber.join(waiting)).text).toContain("it is gone")
    })
  )
})
