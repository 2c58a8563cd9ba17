import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as McpManager from "../../src/mcp/McpManager.ts"
import type { McpTool } from "../../src/mcp/McpSchema.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"
import * as McpToolAdapter from "../../src/tool/McpToolAdapter.ts"
import * as ToolLock from "../../src/tool/ToolLock.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"

const tool = (name: string, description = `does ${name}`): McpTool => ({
  name,
  description,
  inputSchema: { type: "object" }
})

/** A folder with a configuration file, and its lock. */
const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  const source = `${folder}/.mcp.json`
  return { fs, source, path: `${folder}/.mcp.lock.json`, server: ServerConfig.stdio("it", { command: "x", source }) }
})

const withheld = (server: ServerConfig.ServerConfig, tools: ReadonlyArray<McpTool>) =>
  Effect.flatMap(ToolLock.ToolLock, (lock) => lock.withheld(server, tools)).pipe(
    Effect.map((found) => [...found.keys()]),
    Effect.provide(ToolLock.layer)
  )

layer(NodeFileSystem.layer)("the lock file", (it) => {
  it.scoped("lies beside the configuration file; an entry of no file has none", () =>
    Effect.sync(() => {
      expect(ToolLock.pathOf({ source: "/p/.mcp.json" })).toBe("/p/.mcp.lock.json")
      expect(ToolLock.pathOf({})).toBeUndefined()
    })
  )

  it.scoped("withholds nothing where it is not, and nothing of a server that is not in it", () =>
    Effect.gen(function* () {
      const { path, server } = yield* place
      expect(yield* withheld(server, [tool("a")])).toEqual([])
      yield* ToolLock.write(path, [{ name: "other", tools: [tool("a")] }])
      expect(yield* withheld(server, [tool("a")])).toEqual([])
    })
  )

  it.scoped("withholds what has changed and what is new, and lets the neighbours pass", () =>
    Effect.gen(function* () {
      const { path, server } = yield* place
      yield* ToolLock.write(path, [{ name: "it", tools: [tool("same"), tool("changed"), tool("gone")] }])
      const now = [tool("same"), tool("changed", "something else"), tool("new")]
      expect(yield* withheld(server, now)).toEqual(["changed", "new"])
      expect(yield* withheld({ ...server, source: undefined }, now)).toEqual([])
    })
  )

  it.scoped("accepts one tool and leaves the others locked", () =>
    Effect.gen(function* () {
      const { path, server } = yield* place
      yield* ToolLock.write(path, [{ name: "it", tools: [tool("a"), tool("b")] }])
      const now = [tool("a", "other"), tool("b", "other")]
      const { accept } = yield* ToolLock.ToolLock
      yield* accept(server, now, "b")
      expect(yield* withheld(server, now)).toEqual(["a"])
    }).pipe(Effect.provide(ToolLock.layer))
  )

  it.scoped("keeps servers that are not locked anew, but those that are not configured any more", () =>
    Effect.gen(function* () {
      const { fs, path } = yield* place
      yield* ToolLock.write(path, [
        { name: "old", tools: [tool("a")] },
        { name: "kept", tools: [tool("a")] }
      ])
      yield* ToolLock.write(path, [{ name: "it", tools: [tool("b"), tool("a")] }], { among: new Set(["it", "kept"]) })
      const text = yield* fs.readFileString(path)
      const { servers } = JSON.parse(text)
      expect(Object.keys(servers)).toEqual(["it", "kept"])
      expect(Object.keys(servers.it.tools)).toEqual(["a", "b"])
      yield* ToolLock.write(path, [{ name: "it", tools: [tool("a"), tool("b")] }])
      expect(yield* fs.readFileString(path)).toBe(text)
    })
  )

  it.scoped("withholds every tool when it cannot be read, an empty one too, and is not written over", () =>
    Effect.gen(function* () {
      const { fs, path, server } = yield* place
      for (const text of ["", "{", `{"version":2,"servers":{}}`]) {
        yield* fs.writeFileString(path, text)
        expect(yield* withheld(server, [tool("a")])).toEqual(["a"])
      }
      expect(yield* Effect.flip(ToolLock.write(path, []))).toMatchObject({ kind: "config" })
    })
  )
})

layer(NodeFileSystem.layer)("a tool that is withheld", (it) => {
  const setting = Effect.gen(function* () {
    const { path, server } = yield* place
    const it = TestServer.make({
      tools: { good: { handler: () => "good" }, bad: { description: "new words", handler: () => "bad" } }
    })
    yield* ToolLock.write(path, [{ name: "it", tools: [tool("bad", "old words")] }])
    const manager = yield* McpManager.make([server]).pipe(Effect.provide(TestTransportFactory.layer({ it })))
    yield* manager.start
    const status = (yield* manager.statuses)[0]
    const listed = status?._tag === "Connected" ? status.tools : []
    yield* ToolLock.write(path, [{ name: "it", tools: listed.filter(({ name }) => name === "good") }], { tool: "good" })
    const registry = yield* ToolRegistry.make
    return { listed, manager, registry, server }
  })

  it.scoped("is listed with the reason and not run, and its neighbours work", () =>
    Effect.gen(function* () {
      const { manager, registry } = yield* setting
      yield* McpToolAdapter.sync(manager, registry)
      const { skipped, tools } = yield* registry.snapshot
      expect(tools.map(({ name }) => name)).toEqual(["mcp__it__good"])
      expect(skipped).toMatchObject([
        { tool: { name: "mcp__it__bad" }, reason: expect.stringContaining("description") }
      ])
      expect(yield* registry.execute("mcp__it__good", {})).toMatchObject({ isError: false, text: "good" })
      expect(yield* registry.execute("mcp__it__bad", {})).toMatchObject({ isError: true })
    }).pipe(Effect.provide(ToolLock.layer))
  )

  it.scoped("is offered as soon as a person accepts it", () =>
    Effect.gen(function* () {
      const { listed, manager, registry, server } = yield* setting
      yield* McpToolAdapter.inject(manager, registry)
      const offered = yield* Deferred.make<void>()
      yield* Stream.runForEach(registry.changes, ({ byName }) =>
        byName.has("mcp__it__bad") ? Deferred.succeed(offered, undefined) : Effect.void
      ).pipe(Effect.forkScoped)
      yield* Effect.yieldNow()
      const { accept } = yield* ToolLock.ToolLock
      yield* accept(server, listed, "bad")
      yield* Deferred.await(offered)
      expect(yield* registry.execute("mcp__it__bad", {})).toMatchObject({ isError: false, text: "bad" })
    }).pipe(Effect.provide(ToolLock.layer))
  )
})

describe("without a layer", () => {
  layer(Layer.empty)((it) => {
    it.effect("nothing is withheld", () =>
      Effect.gen(function* () {
        const { withheld } = yield* ToolLock.ToolLock
        const server = ServerConfig.stdio("it", { command: "x", source: "/nowhere/.mcp.json" })
        expect((yield* withheld(server, [tool("a")])).size).toBe(0)
      })
    )
  })
})
