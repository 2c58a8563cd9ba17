import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as McpManager from "../../src/mcp/McpManager.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as ServerStatus from "../../src/mcp/ServerStatus.ts"
import { TransportFactory } from "../../src/mcp/TransportFactory.ts"
import * as Trust from "../../src/mcp/Trust.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

const consent = { project: "/project", digest: "sha256:1", entry: { command: "x" } }
const theirs = ServerConfig.stdio("theirs", { command: "x", consent })
const mine = ServerConfig.stdio("mine", { command: "y" })

/** A Manager, and the commands that its servers were started with. */
const managed = Effect.fnUntraced(function* (configs: ReadonlyArray<ServerConfig.ServerConfig>) {
  const started: Array<string> = []
  const { handler } = TestServer.make({ tools: { ping: { handler: () => "pong" } } })
  const factory = Layer.succeed(TransportFactory, {
    make: ({ name: server, transport }) => {
      if (transport._tag === "stdio") started.push(transport.command)
      return MemoryTransport.make({ server, handler })
    }
  })
  const manager = yield* Effect.provide(McpManager.make(configs), factory)
  const words = Effect.map(manager.statuses, (all) => all.map((status) => [status.name, ServerStatus.word(status)]))
  return { manager, started, words }
})

describe("an entry that nobody has agreed to", () => {
  it.scoped("is listed, and not started: not by a start, a reconnect, an enable or a use", () =>
    Effect.gen(function* () {
      const { manager, started, words } = yield* managed([theirs, mine])
      yield* manager.start
      expect(yield* words).toEqual([
        ["mine", "connected"],
        ["theirs", "needs-approval"]
      ])
      expect(yield* Effect.flip(manager.reconnect("theirs"))).toMatchObject({ kind: "needs-approval" })
      expect(yield* Effect.flip(manager.client("theirs"))).toMatchObject({ kind: "needs-approval" })
      expect(ServerStatus.word(yield* manager.enable("theirs"))).toBe("needs-approval")
      yield* manager.disable("theirs")
      expect(ServerStatus.word(yield* manager.enable("theirs"))).toBe("needs-approval")
      expect(started).toEqual(["y"])
    }).pipe(Effect.provide(Trust.layerMemory))
  )

  it.scoped("is connected once a person agrees, and the word is kept", () =>
    Effect.gen(function* () {
      const { manager, started, words } = yield* managed([theirs, mine])
      yield* manager.start
      const before = yield* manager.client("mine")
      expect(ServerStatus.word(yield* manager.approve("theirs"))).toBe("connected")
      expect(yield* words).toEqual([
        ["mine", "connected"],
        ["theirs", "connected"]
      ])
      expect(started).toEqual(["y", "x"])
      expect(yield* manager.client("mine")).toBe(before)
      const { isApproved } = yield* Trust.Trust
      expect(yield* isApproved("theirs", consent)).toBe(true)
      expect((yield* manager.reload([theirs, mine])).unchanged).toEqual(["theirs", "mine"])
    }).pipe(Effect.provide(Trust.layerMemory))
  )

  it.scoped("asks again when it has changed while the program runs", () =>
    Effect.gen(function* () {
      const { manager, started, words } = yield* managed([theirs])
      yield* manager.start
      yield* manager.approve("theirs")
      const changed = ServerConfig.stdio("theirs", { command: "z", consent: { ...consent, digest: "sha256:2" } })
      yield* manager.reload([changed])
      expect(yield* words).toEqual([["theirs", "needs-approval"]])
      expect(started).toEqual(["x"])
    }).pipe(Effect.provide(Trust.layerMemory))
  )

  it.scoped("leaves the person's own server of that name where it is", () =>
    Effect.gen(function* () {
      const own = ServerConfig.stdio("theirs", { command: "own" })
      const { manager, started } = yield* managed([{ ...theirs, consent: { ...consent, hides: own } }])
      yield* manager.start
      expect(started).toEqual(["own"])
    }).pipe(Effect.provide(Trust.layerMemory))
  )

  it.scoped("is connected in this run although the word could not be kept", () =>
    Effect.gen(function* () {
      const { manager, words } = yield* managed([theirs])
      yield* manager.approve("theirs")
      yield* manager.start
      expect(yield* words).toEqual([["theirs", "connected"]])
    }).pipe(Effect.provide(Trust.layerFile("/dev/null/approvals.json")))
  )
})
