/**
 * E. The protocol: handshake and lists.
 */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as fc from "fast-check"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as McpToolAdapter from "../../src/tool/McpToolAdapter.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { fault } from "./fault.ts"
import { client, connect, living, methods, scripted, statusOf, stdio, textOf, words } from "./living.ts"

const unit = ["test/mcp/McpClient.test.ts"]

const named = (...names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, { handler: () => name } satisfies TestServer.Tool]))

/** A server whose list is answered by this, the request's cursor given. */
const listing = (list: (cursor: unknown) => Record<string, unknown>) =>
  TestServer.make({ methods: { "tools/list": ({ cursor }) => list(cursor) } })

const tools = (...names: ReadonlyArray<unknown>) => ({
  tools: names.map((name) => ({ name, inputSchema: { type: "object" } }))
})

/** The tools of a server, what it is warned of, and how many pages were asked for. */
const listed = (server: TestServer.TestServer) =>
  Effect.gen(function* () {
    const it = yield* connect(server)
    const names = (yield* it.tools).map(({ name }) => name)
    const asked = (yield* methods(server)).filter((method) => method === "tools/list").length
    return { names, asked, warnings: (yield* it.warnings).join("; ") }
  })

fault(
  48,
  "Every known revision is spoken as the server answers it; any other answer is a failed handshake that names both sides; a refusal that lists revisions is tried once more",
  () => {
    it.scopedLive("older servers are served, and odd ones leave no process", () =>
      Effect.gen(function* () {
        const modes = [
          "2024-11-05",
          "2025-03-26",
          "2025-06-18",
          "reject",
          "1999-01-01",
          "2999-01-01",
          "missing",
          "number",
          "empty"
        ]
        const manager = yield* living(modes.map((mode) => stdio("version", [mode], { as: mode })))
        const states = yield* words(manager)
        for (const mode of modes) {
          const spoken = mode === "reject" || /^202[45]/.test(mode)
          expect(states[mode], mode).toBe(spoken ? "connected" : "failed")
          if (spoken) expect(yield* textOf(manager, mode, "v")).toBe(mode)
        }
      })
    )

    it.scoped("no text but a known revision is accepted", () =>
      Effect.gen(function* () {
        const versions = fc.sample(
          fc.oneof(
            fc.string(),
            fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10))
          ),
          { numRuns: 50, seed: 1 }
        )
        for (const protocolVersion of [...versions, "2025-11-25 ", "DRAFT-2026-v1", "2025-6-18"]) {
          const error = yield* Effect.flip(connect(TestServer.make({ protocolVersion })))
          expect(error).toMatchObject({
            phase: "handshake",
            kind: "protocol",
            message: expect.stringContaining("2025-11-25")
          })
        }
      })
    )
  },
  { see: unit }
)

fault(
  49,
  "Only what a server declares is asked for; -32601 to a list means none; a JSON-RPC error is no broken connection",
  () => {
    it.scopedLive("a server without tools is connected, and says clearly that it has none", () =>
      Effect.gen(function* () {
        const manager = yield* living([stdio("no-tools"), stdio("no-tools", ["liar"], { as: "liar" })])
        for (const name of ["no-tools", "liar"]) {
          expect(yield* statusOf(manager, name)).toMatchObject({ _tag: "Connected", tools: [] })
          expect(yield* Effect.flip(textOf(manager, name, "anything"))).toMatchObject({ kind: "rpc", code: -32601 })
          expect((yield* statusOf(manager, name))?._tag).toBe("Connected")
        }
        expect((yield* manager.diagnostics("no-tools")).stderr).not.toContain("refused tools/list")
      })
    )

    it.scoped("whatever is declared, no list of anything else is asked for", () =>
      Effect.gen(function* () {
        const all = { tools: {}, resources: {}, prompts: {}, logging: {}, completions: {} }
        for (const declared of fc.sample(fc.subarray(Object.keys(all)), { numRuns: 20, seed: 5 })) {
          const server = TestServer.make({ capabilities: Object.fromEntries(declared.map((key) => [key, {}])) })
          yield* connect(server)
          const asked = (yield* methods(server)).filter((method) => method.endsWith("/list"))
          for (const method of asked) expect(declared).toContain(method.split("/")[0])
        }
      })
    )
  },
  { see: unit }
)

fault(
  50,
  "Every page of a list is read, and each cursor sent back as it came",
  () => {
    it.scoped("cursors of any text, pages of any size, empty ones among them", () =>
      Effect.gen(function* () {
        const cursors = fc.uniqueArray(fc.string({ unit: "grapheme", minLength: 1 }), { maxLength: 8 })
        for (const pages of fc.sample(cursors, { numRuns: 40, seed: 2 })) {
          const keys: ReadonlyArray<unknown> = [undefined, ...pages]
          const server = listing((cursor) => {
            const page = keys.indexOf(cursor)
            const entries = page % 3 === 2 ? [] : [`t${page}`]
            return { ...tools(...entries), ...(page < pages.length ? { nextCursor: pages[page] } : {}) }
          })
          const { asked, names } = yield* listed(server)
          expect(asked).toBe(keys.length)
          expect(names).toEqual(keys.flatMap((_, page) => (page % 3 === 2 ? [] : [`t${page}`])))
        }
      })
    )

    it.scopedLive("over a pipe", () =>
      Effect.gen(function* () {
        const { tools } = yield* client("pagination")
        expect((yield* tools).map(({ name }) => name)).toEqual(["t1", "t2", "t3", "t4", "t5", "t6"])
      })
    )
  },
  { see: unit }
)

fault(
  51,
  "A list ends: at a cursor that repeats, at an empty or missing one, at the page limit; what was read stays, once, with a warning",
  () => {
    it.scopedLive("each way of never ending ends", () =>
      Effect.gen(function* () {
        const modes = ["loop", "empty", "null", "badpage", "endless"]
        const manager = yield* living(modes.map((mode) => stdio("pagination", [mode], { as: mode })))
        for (const mode of ["loop", "empty", "null", "badpage"]) {
          const { tools, warnings } = yield* manager.client(mode)
          expect(
            (yield* tools).map(({ name }) => name),
            mode
          ).toEqual(["t1", "t2"])
          expect((yield* warnings).length > 0, mode).toBe(mode === "loop" || mode === "badpage")
          expect(yield* textOf(manager, mode, "t1")).toBe("t1")
        }
        const { tools, warnings } = yield* manager.client("endless")
        expect((yield* tools).length).toBeGreaterThan(100)
        expect((yield* warnings).join()).toContain("pages")
      })
    )

    it.scoped("a cycle of cursors is left after one round", () =>
      Effect.gen(function* () {
        for (const length of [1, 2, 5]) {
          const server = listing((cursor) => ({
            ...tools("a", "b"),
            nextCursor: `${(Number(cursor ?? -1) + 1) % length}`
          }))
          const { asked, names, warnings } = yield* listed(server)
          expect(names).toEqual(["a", "b"])
          expect(asked).toBe(length + 1)
          expect(warnings).toContain("repeats")
        }
      })
    )
  },
  { see: unit }
)

fault(
  52,
  "null stands for absent at every optional place: in initialize, in lists and in results",
  () => {
    it.scoped("whichever optional fields are null, the list is the same", () =>
      Effect.gen(function* () {
        const fields = [
          "title",
          "description",
          "annotations",
          "outputSchema",
          "icons",
          "_meta",
          "execution",
          "inputSchema"
        ]
        const hints = ["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
        const nulls = (keys: ReadonlyArray<string>) => Object.fromEntries(keys.map((key) => [key, null]))
        for (const [some, inner] of fc.sample(fc.tuple(fc.subarray(fields), fc.subarray(hints)), {
          numRuns: 50,
          seed: 6
        })) {
          const entry = { name: "t", inputSchema: { type: "object" }, annotations: nulls(inner), ...nulls(some) }
          const { names, warnings } = yield* listed(listing(() => ({ tools: [entry], nextCursor: null, _meta: null })))
          expect({ names, warnings }).toEqual({ names: ["t"], warnings: "" })
        }
      })
    )

    it.scopedLive("over a pipe, in every answer of a session", () =>
      Effect.gen(function* () {
        const { callTool, tools } = yield* client("null-optionals")
        expect((yield* tools).map(({ name, outputSchema }) => [name, outputSchema])).toEqual([
          ["a", undefined],
          ["b", undefined]
        ])
        expect(yield* callTool("a", {})).toMatchObject({ isError: false, text: "ok" })
      })
    )
  },
  { see: unit }
)

fault(
  58,
  "However many changes a server announces, one reading runs and one waits; the last change is never lost, and the new list takes the old one's place at once",
  () => {
    it.scoped("a storm of announcements costs a few readings, and registry and filters follow", () =>
      Effect.gen(function* () {
        const server = TestServer.make({ tools: named("t0"), pageSize: 2 })
        const manager = yield* scripted({ it: server }, {}, { it: { excludeTools: ["hidden*"] } })
        yield* manager.start
        const registry = yield* ToolRegistry.make
        yield* McpToolAdapter.inject(manager, registry)
        for (let change = 1; change <= 200; change++) {
          yield* server.setTools(named(`t${change}`, "hidden", "u", "v"))
          if (change % 20 === 0) yield* TestClock.adjust("10 millis")
        }
        yield* TestClock.adjust("1 seconds")
        const names = (yield* registry.snapshot).tools.map(({ name }) => name)
        expect(names).toEqual(["mcp__it__t200", "mcp__it__u", "mcp__it__v"])
        const asked = (yield* methods(server)).filter((method) => method === "tools/list").length
        expect(asked).toBeLessThan(12)
        expect(yield* textOf(manager, "it", "t200")).toBe("t200")
      })
    )

    it.scoped("calls go on during a storm", () =>
      Effect.gen(function* () {
        const server = TestServer.make({
          tools: { work: { handler: () => Effect.delay(Effect.succeed("done"), "5 seconds") } }
        })
        const it = yield* connect(server)
        const call = yield* Effect.fork(it.callTool("work", {}))
        for (let second = 0; second < 5; second++) {
          yield* Effect.repeatN(server.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }), 99)
          yield* TestClock.adjust("1 seconds")
        }
        expect((yield* Fiber.join(call)).text).toBe("done")
      })
    )
  },
  { see: unit }
)

fault(
  59,
  "notifications/initialized follows the handshake before anything else is sent",
  () => {
    it.scopedLive("a server that waits for it shows its tools", () =>
      Effect.gen(function* () {
        const { tools } = yield* client("early-traffic")
        expect((yield* tools).map(({ name }) => name)).toEqual(["pong_seen"])
      })
    )

    it.scoped("whatever happens during the handshake, nothing comes between", () =>
      Effect.gen(function* () {
        const server = TestServer.make({
          methods: {
            initialize: ({ protocolVersion }, { client }) =>
              Effect.as(
                Effect.forEach(["notifications/tools/list_changed", "notifications/prompts/list_changed"], (method) =>
                  client.send({ jsonrpc: "2.0", method })
                ),
                { protocolVersion, capabilities: { tools: {}, prompts: {} }, serverInfo: { name: "x", version: "1" } }
              )
          },
          tools: named("a")
        })
        yield* connect(server)
        const sent = yield* methods(server)
        expect(sent[sent.indexOf("initialize") + 1]).toBe("notifications/initialized")
      })
    )
  },
  { see: [...unit, "test/mcp/McpClientSession.test.ts"] }
)
