/**
 * F. Tool names.
 */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as ToolName from "../../src/mcp/ToolName.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as McpToolAdapter from "../../src/tool/McpToolAdapter.ts"
import type { Tool } from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { fault } from "./fault.ts"
import { living, registryOf, scripted, stdio } from "./living.ts"

const unit = ["test/tool/ToolRegistry.test.ts"]

/** A server of tools that answer their own names. */
const serving = (names: ReadonlyArray<string>) =>
  TestServer.make({ tools: Object.fromEntries(names.map((name) => [name, { handler: () => `raw:${name}` }])) })

/** The registry of servers with these tools. */
const registered = (servers: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Effect.gen(function* () {
    const manager = yield* scripted(
      Object.fromEntries(Object.entries(servers).map(([name, tools]) => [name, serving(tools)]))
    )
    yield* manager.start
    return yield* registryOf(manager)
  })

const remote = (server: string, tool: string): Tool =>
  McpToolAdapter.fromTool(
    server,
    { name: tool, description: "", inputSchema: { type: "object" } },
    Effect.die("not called")
  )

/** The pairs of server and tool that a name may stand for, in this many registrations. */
const pairs = fc.uniqueArray(fc.tuple(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 })), {
  selector: (pair) => JSON.stringify(pair),
  maxLength: 12
})

fault(
  61,
  "A model's API gets a name that it takes, the same in every run; the registry keeps the readable one and the wire the server's own",
  () => {
    it("whatever server and tool are called, the API's name fits, and different registry names stay different", () => {
      const part = fc.oneof(
        fc.string(),
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.constantFrom("a".repeat(128), "2fast", "***", "日本語")
      )
      fc.assert(
        fc.property(part, part, part, (server, tool, other) => {
          const name = ToolName.make(server, tool)
          expect(name).toMatch(/^mcp__[\p{L}\p{N}_]*$/u)
          expect(ToolName.forModel(name)).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
          expect(ToolName.forModel(name)).toBe(ToolName.forModel(name))
          const another = ToolName.make(server, other)
          if (another !== name) expect(ToolName.forModel(another)).not.toBe(ToolName.forModel(name))
        })
      )
    })

    it.scopedLive("names that no API takes are called by the server's own name", () =>
      Effect.gen(function* () {
        const registry = yield* registryOf(yield* living([stdio("tool-names", [], { as: "t.n" })]))
        const { skipped, tools } = yield* registry.snapshot
        for (const { name, origin } of tools) {
          const raw = origin._tag === "Mcp" ? origin.tool : ""
          expect((yield* registry.execute(name, {})).text).toBe(`raw:${raw}`)
        }
        expect(tools.length + skipped.length).toBe(16)
      })
    )
  },
  { see: unit }
)

fault(
  62,
  "A name belongs to one tool, by a table and never by taking it apart; who wins follows from the configuration, not from who came first; the loser is listed with the reason",
  () => {
    it.scoped("pairs that meet in one name never reach the wrong server", () =>
      Effect.gen(function* () {
        for (const servers of [
          { acme_: ["status"], acme: ["_status"] },
          { "my-server": ["x"], "My.Server": ["x"], my_server: ["x"] },
          { a: ["b__c"], a__b: ["c"] },
          { s: ["read-file", "read_file", "read.file"] }
        ] satisfies ReadonlyArray<Record<string, ReadonlyArray<string>>>) {
          const registry = yield* registered(servers)
          const { skipped, tools } = yield* registry.snapshot
          expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
          expect(tools.length + skipped.length).toBe(Object.values(servers).flat().length)
          for (const { name, origin } of tools) {
            expect((yield* registry.execute(name, {})).text).toBe(`raw:${origin._tag === "Mcp" ? origin.tool : ""}`)
          }
          for (const { reason, tool } of skipped) {
            expect(reason).toContain("has the same name")
            expect(tools.some(({ name }) => name === tool.name)).toBe(true)
          }
        }
      })
    )

    it("whoever registers first, the outcome is the same, and nothing is lost without a reason", () => {
      const shuffled = pairs.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))
      )
      fc.assert(
        fc.property(shuffled, ([all, shuffled]) => {
          const rank = new Map([...new Set(all.map(([server]) => server))].map((server, index) => [server, index]))
          const outcome = (order: typeof all) =>
            Effect.runSync(
              Effect.gen(function* () {
                const registry = yield* ToolRegistry.make
                for (const server of new Set(order.map(([server]) => server))) {
                  const tools = order.filter(([of]) => of === server).map(([, tool]) => remote(server, tool))
                  yield* registry.register({ id: `mcp:${server}`, rank: rank.get(server) ?? 0 }, tools)
                }
                const { skipped, tools } = yield* registry.snapshot
                return {
                  offered: tools.map(({ name, origin }) => [name, origin]),
                  skipped: skipped.map(({ reason, tool }) => [tool.origin, reason])
                }
              })
            )
          const first = outcome(all)
          expect(outcome(shuffled)).toEqual(first)
          expect(first.offered.length + first.skipped.length).toBe(all.length)
          expect(new Set(first.offered.map(([name]) => name)).size).toBe(first.offered.length)
        })
      )
    })
  },
  { see: unit }
)

fault(
  63,
  "Names are unique over everything that a model is offered: of tools that a server lists twice the first one stays, with a warning",
  () => {
    it.scoped("an exact duplicate costs nothing but a warning", () =>
      Effect.gen(function* () {
        const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: "object" } })
        const server = TestServer.make({
          methods: { "tools/list": () => ({ tools: [tool("x", "first"), tool("y", "-"), tool("x", "second")] }) }
        })
        const manager = yield* scripted({ it: server })
        yield* manager.start
        const { tools } = yield* (yield* registryOf(manager)).snapshot
        expect(tools.map(({ description, name }) => [name, description])).toEqual([
          ["mcp__it__x", "first"],
          ["mcp__it__y", "-"]
        ])
        const { warnings } = yield* manager.client("it")
        expect((yield* warnings).join()).toContain('"x" is listed more than once')
      })
    )

    it("no two tools have one name at a model's API", () => {
      fc.assert(
        fc.property(pairs, (all) => {
          const names = new Set(all.map(([server, tool]) => ToolName.make(server, tool)))
          expect(new Set([...names].map(ToolName.forModel)).size).toBe(names.size)
        })
      )
    })
  },
  { see: unit }
)
