import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as ToolName from "../../src/mcp/ToolName.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"

const hints = { readOnly: false, destructive: false, idempotent: false }

const builtin = (
  name: string,
  run: Tool.Tool["run"] = () => Effect.succeed(Tool.text(`built-in ${name}`))
): Tool.Tool => ({
  name,
  description: "",
  inputSchema: { type: "object" },
  origin: { _tag: "Builtin" },
  hints,
  run
})

const remote = (server: string, tool: string, inputSchema: JsonObject = { type: "object" }): Tool.Tool => ({
  ...builtin(ToolName.make(server, tool), () => Effect.succeed(Tool.text(`${server} ${tool}`))),
  inputSchema,
  origin: { _tag: "Mcp", server, tool }
})

const builtins: ToolRegistry.Source = { id: "builtin", rank: -1 }
const server = (name: string, rank: number): ToolRegistry.Source => ({ id: `mcp:${name}`, rank })

const names = ({ tools }: ToolRegistry.ToolSet) => tools.map(({ name }) => name)

describe("the order", () => {
  it.effect("is built-ins as given, then servers and tools by code unit, whoever came first", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      yield* registry.register(server("zeta", 0), [remote("zeta", "b"), remote("zeta", "B"), remote("zeta", "a")])
      yield* registry.register(server("alpha", 1), [remote("alpha", "x")])
      yield* registry.register(builtins, [builtin("write_file"), builtin("bash")])
      expect(names(yield* registry.snapshot)).toEqual([
        ...["write_file", "bash"],
        ...["mcp__alpha__x", "mcp__zeta__B", "mcp__zeta__a", "mcp__zeta__b"]
      ])
    })
  )

  const wireName = fc.constantFrom("a", "b", "a b", "a.b", "a_b", "A", "ä", "_b", "")
  const serverName = fc.constantFrom("s", "s_", "s.", "s__a", "S", "t")
  const config = fc.uniqueArray(fc.record({ name: serverName, tools: fc.array(wireName, { maxLength: 6 }) }), {
    selector: ({ name }) => name,
    maxLength: 5
  })

  it("and the winners are the same in every order of arrival, reconnections included", () => {
    const scenario = config.chain((servers) =>
      fc.record({
        servers: fc.constant(servers),
        arrivals: fc.shuffledSubarray([...servers.keys(), ...servers.keys()], { minLength: servers.length * 2 })
      })
    )
    const build = (
      servers: ReadonlyArray<{ name: string; tools: ReadonlyArray<string> }>,
      arrivals: ReadonlyArray<number>
    ) =>
      Effect.gen(function* () {
        const registry = yield* ToolRegistry.make
        for (const rank of arrivals) {
          const { name, tools } = servers[rank] ?? { name: "", tools: [] }
          yield* registry.unregister(`mcp:${name}`)
          yield* registry.register(
            server(name, rank),
            tools.map((tool) => remote(name, tool))
          )
          if (rank % 2 === 0) yield* registry.snapshot
        }
        const { skipped, tools } = yield* registry.snapshot
        return JSON.stringify({ tools, skipped })
      })
    fc.assert(
      fc.property(scenario, ({ arrivals, servers }) => {
        expect(Effect.runSync(build(servers, arrivals))).toBe(Effect.runSync(build(servers, [...servers.keys()])))
      })
    )
  })

  it("loses no tool: each is offered under a name of its own, or skipped with a reason", () => {
    fc.assert(
      fc.property(config, (servers) => {
        const program = Effect.gen(function* () {
          const registry = yield* ToolRegistry.make
          for (const [rank, { name, tools }] of servers.entries()) {
            yield* registry.register(
              server(name, rank),
              tools.map((tool) => remote(name, tool))
            )
          }
          return yield* registry.snapshot
        })
        const set = Effect.runSync(program)
        expect(set.tools.length + set.skipped.length).toBe(servers.flatMap(({ tools }) => tools).length)
        expect(new Set(names(set)).size).toBe(set.tools.length)
        expect(new Set(set.byName.values())).toEqual(new Set(set.tools))
        for (const { reason } of set.skipped) expect(reason).not.toBe("")
      })
    )
  })

  it.effect("holds for 10,000 tools, of which one server takes its hundred away", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      for (let s = 0; s < 100; s++) {
        yield* registry.register(
          server(`s${s}`, s),
          Array.from({ length: 100 }, (_, t) => remote(`s${s}`, `tool${t}`))
        )
      }
      expect((yield* registry.snapshot).tools).toHaveLength(10_000)
      yield* registry.register(server("s7", 7), [])
      expect((yield* registry.snapshot).tools).toHaveLength(9_900)
    })
  )
})

describe("two tools of one name", () => {
  const skippedReasons = (sources: ReadonlyArray<readonly [ToolRegistry.Source, ReadonlyArray<Tool.Tool>]>) =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      for (const [source, tools] of sources) yield* registry.register(source, tools)
      const { byName, skipped } = yield* registry.snapshot
      return { byName, reasons: skipped.map(({ reason, tool }) => [tool.origin, reason]) }
    })

  it.effect("the built-in one wins", () =>
    Effect.gen(function* () {
      const clash = { ...remote("s", "bash"), name: "bash" }
      const { byName, reasons } = yield* skippedReasons([
        [server("s", 0), [clash]],
        [builtins, [builtin("bash")]]
      ])
      expect(byName.get("bash")?.origin).toEqual({ _tag: "Builtin" })
      expect(reasons).toEqual([[clash.origin, "the built-in tool bash has the same name"]])
    })
  )

  it.effect("between servers the one that the configuration names first wins, and the loser says who won", () =>
    Effect.gen(function* () {
      const { byName, reasons } = yield* skippedReasons([
        [server("My.Server", 1), [remote("My.Server", "status")]],
        [server("My-Server", 0), [remote("My-Server", "status")]]
      ])
      expect(byName.get("mcp__My_Server__status")?.origin).toMatchObject({ server: "My-Server" })
      expect(reasons).toEqual([
        [
          { _tag: "Mcp", server: "My.Server", tool: "status" },
          'tool "status" of server "My-Server" has the same name, and its server comes first in the configuration'
        ]
      ])
    })
  )

  it.effect("within a server the first one wins", () =>
    Effect.gen(function* () {
      const { byName, reasons } = yield* skippedReasons([
        [server("s", 0), [remote("s", "read.file"), remote("s", "read-file"), remote("s", "read-file")]]
      ])
      expect(byName.get("mcp__s__read_file")?.origin).toMatchObject({ tool: "read-file" })
      expect(reasons.map(([, reason]) => reason)).toEqual([
        "the server lists the tool twice: the first one is used",
        'the server\'s tool "read-file" has the same name'
      ])
    })
  )

  it.effect("a tool that cannot be offered takes no name from one that can", () =>
    Effect.gen(function* () {
      const { byName, reasons } = yield* skippedReasons([
        [server("a.b", 0), [remote("a.b", "x", { type: "string" })]],
        [server("a-b", 1), [remote("a-b", "x")]]
      ])
      expect(byName.get("mcp__a_b__x")?.origin).toMatchObject({ server: "a-b" })
      expect(reasons.map(([, reason]) => reason)).toEqual(["its input schema does not describe an object"])
    })
  )
})

describe("changes", () => {
  it.effect("a snapshot does not change, and is the same object until something does", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      yield* registry.register(server("s", 0), [remote("s", "a")])
      const before = yield* registry.snapshot
      yield* registry.unregister("mcp:never-there")
      expect(yield* registry.snapshot).toBe(before)
      yield* registry.register(server("s", 0), [remote("s", "b")])
      expect(names(before)).toEqual(["mcp__s__a"])
      expect(names(yield* registry.snapshot)).toEqual(["mcp__s__b"])
    })
  )

  it.effect("come as the present set, then each later one; a slow reader gets the last", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      const reading = yield* Deferred.make<void>()
      const written = yield* Deferred.make<void>()
      const reader = yield* registry.changes.pipe(
        Stream.tap(() => Effect.zipRight(Deferred.succeed(reading, undefined), Deferred.await(written))),
        Stream.takeUntil(({ tools }) => tools.length === 50),
        Stream.runCollect,
        Effect.fork
      )
      yield* Deferred.await(reading)
      for (let n = 1; n <= 50; n++) {
        yield* registry.register(server(`s${n}`, n), [remote(`s${n}`, "a")])
      }
      yield* Deferred.succeed(written, undefined)
      const sizes = Chunk.toReadonlyArray(yield* Fiber.join(reader)).map(({ tools }) => tools.length)
      expect(sizes[0]).toBe(0)
      expect(sizes.at(-1)).toBe(50)
      expect(sizes.length).toBeLessThan(10)
    })
  )
})

describe("execute", () => {
  const withTool = (tool: Tool.Tool) => Effect.tap(ToolRegistry.make, (registry) => registry.register(builtins, [tool]))
  const seen = (tool: Partial<Tool.Tool> = {}) => {
    const calls: Array<readonly [JsonObject, Tool.RunOptions]> = []
    const run: Tool.Tool["run"] = (args, options) =>
      Effect.sync(() => void calls.push([args, options])).pipe(Effect.as(Tool.text("ok")))
    return { calls, tool: { ...builtin("probe", run), ...tool } }
  }

  it.effect("an unknown name is told, with the nearest ones", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      yield* registry.register(builtins, [builtin("read_file"), builtin("bash")])
      yield* registry.register(server("everything", 0), [remote("everything", "echo")])
      const text = (name: string) => Effect.map(registry.execute(name, {}), ({ isError, text }) => [isError, text])
      expect(yield* text("read_fil")).toEqual([true, "There is no tool read_fil. Nearest by name: read_file."])
      expect(yield* text("echo")).toEqual([true, "There is no tool echo. Nearest by name: mcp__everything__echo."])
      expect(yield* text("\u001b[2Jqqqqqqqq")).toEqual([
        true,
        "There is no tool \\x1b[2Jqqqqqqqq. Use one of the tools that are on offer."
      ])
    })
  )

  it.effect("a skipped tool is told with its reason", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      yield* registry.register(server("s", 0), [remote("s", "x", { type: "string" })])
      const result = yield* registry.execute("mcp__s__x", {})
      expect(result).toMatchObject({
        isError: true,
        text: "The tool mcp__s__x cannot be used: its input schema does not describe an object."
      })
    })
  )

  it.effect("arguments that are no object are told, and the tool does not run", () =>
    Effect.gen(function* () {
      const { calls, tool } = seen({ inputSchema: { type: "object", properties: { path: {}, limit: {} } } })
      const registry = yield* withTool(tool)
      for (const args of ["x", 3, null, undefined, ["x"]]) {
        const result = yield* registry.execute("probe", args as unknown as JsonObject)
        expect(result.isError).toBe(true)
        expect(result.text).toContain("must be a JSON object with these fields: path, limit; they were")
      }
      expect(calls).toEqual([])
    })
  )

  it.effect("gives the tool 60 seconds, its own default, or what the caller says", () =>
    Effect.gen(function* () {
      const plain = seen()
      const slow = seen({ timeout: Duration.minutes(5) })
      yield* (yield* withTool(plain.tool)).execute("probe", {})
      const registry = yield* withTool(slow.tool)
      yield* registry.execute("probe", {})
      yield* registry.execute("probe", {}, { timeout: Duration.seconds(2) })
      const seconds = [...plain.calls, ...slow.calls].map(([, { timeout }]) => Duration.toSeconds(timeout))
      expect(seconds).toEqual([60, 300, 2])
    })
  )

  it.effect("leaves out a null that is neither required nor allowed, at any depth, and no other", () =>
    Effect.gen(function* () {
      const { calls, tool } = seen({
        inputSchema: {
          type: "object",
          properties: {
            limit: { type: "integer" },
            cursor: { type: ["string", "null"] },
            either: { anyOf: [{ type: "string" }, { type: "null" }] },
            level: { enum: ["a", "b"] },
            any: {},
            must: { type: "string" },
            ref: { $ref: "#/$defs/Item" },
            items: { type: "array", items: { $ref: "#/$defs/Item" } }
          },
          required: ["must"],
          $defs: { Item: { type: "object", properties: { note: { type: "string" } } } }
        }
      })
      const registry = yield* withTool(tool)
      const kept = { cursor: null, either: null, any: null, must: null, extra: null }
      yield* registry.execute("probe", {
        ...kept,
        limit: null,
        level: null,
        ref: null,
        items: [{ note: null, x: 1 }, {}]
      })
      expect(calls[0]?.[0]).toEqual({ ...kept, items: [{ x: 1 }, {}] })
      const plain = { limit: 3, items: [{ note: "n" }] }
      yield* registry.execute("probe", plain)
      expect(calls[1]?.[0]).toBe(plain)
    })
  )

  it.effect("a defect, also one that is thrown, is a result", () =>
    Effect.gen(function* () {
      const thrown = yield* withTool(
        builtin("probe", () => {
          throw new Error("no such thing")
        })
      )
      const died = yield* withTool(builtin("probe", () => Effect.die("odd")))
      const stopped = yield* withTool(builtin("probe", () => Effect.interrupt))
      const text = (registry: ToolRegistry.Service) => Effect.map(registry.execute("probe", {}), ({ text }) => text)
      expect(yield* text(thrown)).toContain("The tool probe broke: no such thing.")
      expect(yield* text(died)).toContain("The tool probe broke: odd.")
      expect(yield* text(stopped)).toBe("The call of probe was stopped before it had finished.")
    })
  )

  it.effect("interruption reaches the tool and the caller", () =>
    Effect.gen(function* () {
      const running = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const tool = builtin("probe", () =>
        Deferred.succeed(running, undefined).pipe(
          Effect.zipRight(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
        )
      )
      const registry = yield* withTool(tool)
      const call = yield* Effect.fork(registry.execute("probe", {}))
      yield* Deferred.await(running)
      const exit = yield* Fiber.interrupt(call)
      expect(Exit.isInterrupted(exit)).toBe(true)
      yield* Deferred.await(stopped)
    })
  )

  it.effect("runs from the set that the caller has offered, whatever has joined or left since", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.make
      yield* registry.register(server("s", 0), [remote("s", "old")])
      const from = yield* registry.snapshot
      yield* registry.register(server("s", 0), [remote("s", "new")])
      expect(yield* registry.execute("mcp__s__old", {}, { from })).toMatchObject({ isError: false, text: "s old" })
      expect((yield* registry.execute("mcp__s__new", {}, { from })).isError).toBe(true)
      expect((yield* registry.execute("mcp__s__old", {})).isError).toBe(true)
    })
  )
})
