import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as EraStore from "../../src/mcp/EraStore.ts"
import * as McpManager from "../../src/mcp/McpManager.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"
import { methods } from "./client.ts"

const folder = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "harness9-eras-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  ),
  (path) => join(path, "eras")
)

const storeIn = (path: string) => Effect.provide(EraStore.EraStore, EraStore.layerFolder(path))

const config = ServerConfig.stdio("it", { command: "it", env: { TOKEN: "hush-hush" } })
const key = EraStore.keyOf(config)

/** A start of the program: it reads anew what another one has kept. */
const started = (server: TestServer.TestServer, path: string) =>
  McpManager.make([config], { supervision: false }).pipe(
    Effect.tap((manager) => manager.start),
    Effect.flatMap((manager) => manager.client("it")),
    Effect.provide(EraStore.layerFolder(path)),
    Effect.provide(TestTransportFactory.layer({ it: server })),
    Effect.scoped
  )

describe("eras in a folder", () => {
  it.scopedLive("save the second start the question", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const server = TestServer.make({ capabilities: {} })
      yield* started(server, path)
      const client = yield* started(server, path)
      expect(yield* methods(server)).toEqual([
        "server/discover",
        "initialize",
        "notifications/initialized",
        "initialize",
        "notifications/initialized"
      ])
      expect(client.negotiation.reason).toBe("remembered from an earlier start")
    })
  )

  it.scopedLive("are replaced when the server has become another one, and believed again after that", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* started(TestServer.make({ capabilities: {} }), path)
      const modern = TestServer.make({ era: "modern", capabilities: {} })
      expect((yield* started(modern, path)).negotiation.era).toBe("modern")
      expect(yield* Effect.flatMap(storeIn(path), ({ get }) => get(key))).toBe("modern")
      yield* started(modern, path)
      expect((yield* methods(modern)).filter((method) => method === "initialize")).toHaveLength(1)
    })
  )

  it.scopedLive("are all there when several programs have written at once", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const keys = Array.from({ length: 40 }, (_, index) =>
        EraStore.keyOf(ServerConfig.stdio("it", { command: `server-${index}` }))
      )
      const stores = yield* Effect.all([storeIn(path), storeIn(path)])
      const writes = keys.flatMap((key, index) =>
        stores.map(({ set }) => set(key, index % 2 === 0 ? "legacy" : "modern"))
      )
      yield* Effect.all(writes, { concurrency: "unbounded" })
      const { get } = yield* storeIn(path)
      const read = yield* Effect.forEach(keys, get)
      expect(read).toEqual(keys.map((_, index) => (index % 2 === 0 ? "legacy" : "modern")))
      expect(readdirSync(path)).toHaveLength(keys.length)
    })
  )

  it.scopedLive("that are damaged are ignored and written anew", () =>
    Effect.gen(function* () {
      const path = yield* folder
      mkdirSync(path)
      for (const damage of ["", "\u0000\u0000", "lega", '{"era":"legacy"}']) {
        writeFileSync(join(path, key), damage)
        const server = TestServer.make({ capabilities: {} })
        yield* started(server, path)
        expect((yield* methods(server))[0]).toBe("server/discover")
        expect(readFileSync(join(path, key), "utf8")).toBe("legacy\n")
      }
    })
  )

  it.scopedLive("that cannot be read or written cost no connection", () =>
    Effect.gen(function* () {
      const path = yield* folder
      writeFileSync(path, "a file where the folder should be")
      expect((yield* started(TestServer.make({ capabilities: {} }), path)).negotiation.era).toBe("legacy")
    })
  )

  it.scopedLive("are believed for a week", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { get, set } = yield* storeIn(path)
      yield* set(key, "legacy")
      const days = (count: number) => new Date(Date.now() - count * 86_400_000)
      utimesSync(join(path, key), days(6), days(6))
      expect(yield* get(key)).toBe("legacy")
      utimesSync(join(path, key), days(8), days(8))
      expect(yield* get(key)).toBeUndefined()
    })
  )

  it.scopedLive("are of the five hundred servers that were last heard of", () =>
    Effect.gen(function* () {
      const path = yield* folder
      mkdirSync(path)
      for (let index = 0; index < 510; index++) {
        const file = join(path, `key-${index}`)
        writeFileSync(file, "legacy\n")
        utimesSync(file, index, index)
      }
      const { get, set } = yield* storeIn(path)
      yield* set(key, "modern")
      expect(readdirSync(path)).toHaveLength(500)
      expect(readdirSync(path)).not.toContain("key-10")
      expect(readdirSync(path)).toContain("key-11")
      expect(yield* get(key)).toBe("modern")
    })
  )

  it.scopedLive("tell nobody else what is configured", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* started(TestServer.make({ capabilities: {} }), path)
      const [name = ""] = readdirSync(path)
      expect(name).toMatch(/^[0-9a-f]{64}$/)
      expect(readFileSync(join(path, name), "utf8")).toBe("legacy\n")
      if (process.platform !== "win32") expect(statSync(join(path, name)).mode & 0o077).toBe(0)
    })
  )
})
