import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as EraStore from "../../src/mcp/EraStore.ts"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as McpClient from "../../src/mcp/McpClient.ts"
import * as McpManager from "../../src/mcp/McpManager.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import type * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import * as RemoteTransport from "../../src/mcp/RemoteTransport.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"
import { connect, methods } from "./client.ts"
import { type Got, type Handler, serve } from "./httpServer.ts"

const handshake = ["server/discover", "initialize", "notifications/initialized"]

const discovery = (supportedVersions: ReadonlyArray<string>): JsonObject => ({
  resultType: "complete",
  supportedVersions,
  capabilities: {}
})

describe("a server of either age", () => {
  for (const [what, answer] of Object.entries({
    "-32601": Effect.fail({ code: -32601, message: "Method not found" }),
    "-32602": Effect.fail({ code: -32602, message: "before initialization" }),
    "a code that nobody knows": Effect.fail({ code: 1234, message: "what?" }),
    "no revision": Effect.succeed({}),
    "older revisions alone": Effect.succeed(discovery(["2025-11-25", "2025-06-18"])),
    "a revision from the future": Effect.succeed(discovery(["2099-01-01"])),
    "a refusal that lists older revisions alone": Effect.fail({
      code: -32022,
      message: "unsupported",
      data: { supported: ["2025-11-25"] }
    })
  })) {
    it.scoped(`is offered a handshake when it answers the question with ${what}`, () =>
      Effect.gen(function* () {
        const server = TestServer.make({ methods: { "server/discover": () => answer }, capabilities: {} })
        const client = yield* connect(server)
        expect(client.negotiation).toMatchObject({ era: "legacy", version: "2025-11-25" })
        expect(yield* methods(server)).toEqual(handshake)
      })
    )
  }

  it.scoped("is spoken to without a handshake when it is a stateless one", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ era: "modern", name: "new", version: "9", instructions: "ask politely" })
      const client = yield* connect(server)
      expect(client).toMatchObject({
        protocolVersion: "2026-07-28",
        negotiation: { era: "modern", version: "2026-07-28", reason: "the server answered server/discover" },
        serverInfo: { name: "new", version: "9" },
        instructions: "ask politely"
      })
      expect((yield* methods(server)).toSorted()).toEqual(["server/discover", "subscriptions/listen", "tools/list"])
    })
  )

  it.scoped("is spoken to in the newer way when it knows both", () =>
    Effect.gen(function* () {
      const client = yield* connect(TestServer.make({ era: "both" }))
      expect(client.protocolVersion).toBe("2026-07-28")
    })
  )

  it.scoped("is asked again when it refuses the first question, and names a revision that both speak", () =>
    Effect.gen(function* () {
      let asked = 0
      const server = TestServer.make({
        era: "modern",
        methods: {
          "server/discover": () => {
            asked += 1
            const data = { supported: ["2026-07-28"], requested: "2026-07-28" }
            return asked === 1
              ? Effect.fail({ code: -32022, message: "unsupported", data })
              : Effect.succeed(discovery(["2026-07-28"]))
          }
        }
      })
      expect((yield* connect(server)).protocolVersion).toBe("2026-07-28")
    })
  )

  it.scoped("fails with its own words when it is a stateless one that wants something else", () =>
    Effect.gen(function* () {
      const missing = { code: -32021, message: "needs sampling", data: { requiredCapabilities: { sampling: {} } } }
      const server = TestServer.make({ methods: { "server/discover": () => Effect.fail(missing) } })
      expect(yield* Effect.flip(connect(server))).toMatchObject({
        kind: "rpc",
        code: -32021,
        message: "needs sampling"
      })
      expect(yield* methods(server)).toEqual(["server/discover"])
    })
  )
})

/** A server that answers by method, and with silence what is not there. */
const silentBut = (answers: Readonly<Record<string, JsonObject>>) => {
  const got: Array<string> = []
  const handler: MemoryTransport.MemoryServer = (client) =>
    Effect.succeed((message) => {
      if (message._tag === "Response") return Effect.void
      got.push(message.method)
      const answer = answers[message.method]
      return message._tag === "Request" && answer !== undefined
        ? client.send({ jsonrpc: "2.0", id: message.id, ...answer })
        : Effect.void
    })
  return { handler, got }
}

const initialized = {
  result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "a", version: "1" } }
}

describe("a server that is silent to the question", () => {
  it.scoped("is offered a handshake soon", () =>
    Effect.gen(function* () {
      const server = silentBut({ initialize: initialized })
      const connecting = yield* Effect.fork(connect(server))
      yield* TestClock.adjust("250 millis")
      expect((yield* Fiber.join(connecting)).negotiation.era).toBe("legacy")
      expect(server.got).toEqual(handshake)
    })
  )

  it.scoped("and slow to start, is spoken to in the newer way if it refuses the handshake", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ era: "modern", capabilities: {} })
      const slow: MemoryTransport.MemoryServer = (client) =>
        Effect.map(server.handler(client), (handle) => (message) => Effect.delay(handle(message), "1 second"))
      const connecting = yield* Effect.fork(connect({ handler: slow }))
      yield* TestClock.adjust("1 minute")
      expect((yield* Fiber.join(connecting)).protocolVersion).toBe("2026-07-28")
    })
  )

  it.scoped("and slow to start, is spoken to in the newer way if it still answers so after the handshake", () =>
    Effect.gen(function* () {
      const server = TestServer.make({
        era: "both",
        capabilities: {},
        methods: { initialize: () => initialized.result }
      })
      const slow: MemoryTransport.MemoryServer = (client) =>
        Effect.map(server.handler(client), (handle) => (message) => Effect.delay(handle(message), "1 second"))
      const connecting = yield* Effect.fork(connect({ handler: slow }))
      yield* TestClock.adjust("1 minute")
      expect((yield* Fiber.join(connecting)).protocolVersion).toBe("2026-07-28")
      expect(yield* methods(server)).not.toContain("notifications/initialized")
    })
  )

  it.scoped("fails with its refusal if it refuses the handshake too", () =>
    Effect.gen(function* () {
      const server = silentBut({ initialize: { error: { code: -32000, message: "not today" } } })
      const connecting = yield* Effect.fork(Effect.flip(connect(server)))
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(connecting)).toMatchObject({ kind: "rpc", message: "not today" })
    })
  )
})

describe("a pinned revision", () => {
  it.scoped("of the newer age is spoken, and reported as pinned", () =>
    Effect.gen(function* () {
      const client = yield* connect(TestServer.make({ era: "both" }), {}, { protocolVersion: "2026-07-28" })
      expect(client.negotiation).toMatchObject({ era: "modern", reason: "pinned by the configuration" })
    })
  )

  it.scoped("of the newer age fails on an older server, which is not offered a handshake", () =>
    Effect.gen(function* () {
      const server = TestServer.make()
      const error = yield* Effect.flip(connect(server, {}, { protocolVersion: "2026-07-28" }))
      expect(error).toMatchObject({ phase: "handshake", kind: "protocol" })
      expect(error.message).toContain("2026-07-28")
      expect(yield* methods(server)).toEqual(["server/discover"])
    })
  )

  it.scoped("of the older age asks no question", () =>
    Effect.gen(function* () {
      const server = TestServer.make({ era: "both", capabilities: {} })
      const client = yield* connect(server, {}, { protocolVersion: "2025-06-18" })
      expect(client.negotiation).toMatchObject({ era: "legacy", version: "2025-06-18" })
      expect(yield* methods(server)).toEqual(handshake.slice(1))
    })
  )
})

const manage = (server: TestServer.TestServer, eras: EraStore.Service) =>
  McpManager.make([ServerConfig.stdio("it", { command: "it" })], { supervision: false }).pipe(
    Effect.tap((manager) => manager.start),
    Effect.provideService(EraStore.EraStore, eras),
    Effect.provide(TestTransportFactory.layer({ it: server }))
  )

describe("what is remembered", () => {
  it.scoped("saves an older server the question at its next start", () =>
    Effect.gen(function* () {
      const eras = EraStore.make()
      const server = TestServer.make({ capabilities: {} })
      yield* manage(server, eras)
      const manager = yield* manage(server, eras)
      expect(yield* methods(server)).toEqual([...handshake, ...handshake.slice(1)])
      expect((yield* manager.client("it")).negotiation.reason).toBe("remembered from an earlier start")
    })
  )

  it.scoped("is forgotten when the server has become a stateless one", () =>
    Effect.gen(function* () {
      const eras = EraStore.make()
      yield* manage(TestServer.make(), eras)
      const key = EraStore.keyOf(ServerConfig.stdio("it", { command: "it" }))
      expect(yield* eras.get(key)).toBe("legacy")
      const manager = yield* manage(TestServer.make({ era: "modern" }), eras)
      expect((yield* manager.client("it")).negotiation.era).toBe("modern")
      expect(yield* eras.get(key)).toBe("modern")
    })
  )

  it("knows an entry by what it reaches, and not by its name or secrets", () => {
    const entry = ServerConfig.stdio("a", { command: "x", env: { TOKEN: "1" } })
    expect(EraStore.keyOf(ServerConfig.stdio("b", { command: "x", env: { TOKEN: "2" } }))).toBe(EraStore.keyOf(entry))
    expect(EraStore.keyOf(ServerConfig.stdio("a", { command: "x", args: ["2"] }))).not.toBe(EraStore.keyOf(entry))
  })
})

describe("a program that ends when it is asked", () => {
  const diesOnQuestion = (options: TestServer.Options = {}) =>
    TestServer.make({
      ...options,
      methods: { "server/discover": (_, { client }) => Effect.zipRight(client.close(), Effect.never) }
    })

  it.scoped("is started once more, and offered a handshake at once", () =>
    Effect.gen(function* () {
      const server = diesOnQuestion({ capabilities: {} })
      const manager = yield* manage(server, EraStore.make())
      expect((yield* manager.statuses)[0]).toMatchObject({ _tag: "Connected", negotiation: { era: "legacy" } })
      expect(yield* methods(server)).toEqual(handshake)
    })
  )

  it.scoped("fails when it ends again", () =>
    Effect.gen(function* () {
      const server = diesOnQuestion({ fail: "dies" })
      const manager = yield* manage(server, EraStore.make())
      expect((yield* manager.statuses)[0]).toMatchObject({ _tag: "Failed", error: { kind: "exit" } })
      expect(yield* methods(server)).toEqual(["server/discover", "initialize"])
    })
  )

  it.scoped("is an error with a way out where nobody can start it again", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(connect(diesOnQuestion()))
      expect(error).toMatchObject({ kind: "exit" })
      expect(error.hint).toContain("protocolVersion")
    })
  )
})

describe("over HTTP", () => {
  const json = (response: Parameters<Handler>[1], status: number, body: unknown, headers = {}) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))

  /** Answers the question as told, and else as an older server does. */
  const older =
    (answer: Handler): Handler =>
    (got, response) => {
      if (got.message.method === "server/discover") return answer(got, response)
      if (got.message.id === undefined) return response.writeHead(got.method === "GET" ? 405 : 202).end()
      json(response, 200, { jsonrpc: "2.0", id: got.message.id, ...initialized })
    }

  const open = (url: string) =>
    Effect.flatMap(RemoteTransport.make({ server: "it", url }), (transport) =>
      Effect.provideService(McpClient.make({ connectTimeout: undefined }), McpTransport.McpTransport, transport)
    )

  const asked = (got: ReadonlyArray<Got>) => got.flatMap(({ message }) => message.method ?? [])

  for (const [what, answer] of Object.entries<Handler>({
    "404 and -32601": (got, response) =>
      json(response, 404, { jsonrpc: "2.0", id: got.message.id, error: { code: -32601, message: "no" } }),
    "400 and no session": (_, response) =>
      json(response, 400, { jsonrpc: "2.0", id: null, error: { code: -32000, message: "no session" } }),
    "500": (_, response) => response.writeHead(500).end("oops"),
    "a page": (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html></html>"),
    "202 and nothing": (_, response) => response.writeHead(202).end(),
    "200 and older revisions alone": (got, response) =>
      json(response, 200, { jsonrpc: "2.0", id: got.message.id, result: discovery(["2025-11-25"]) })
  })) {
    it.scopedLive(`a handshake follows ${what}`, () =>
      Effect.gen(function* () {
        const server = yield* serve(older(answer))
        expect((yield* open(server.url)).negotiation.era).toBe("legacy")
        expect(asked(server.got).slice(0, 3)).toEqual(handshake)
      })
    )
  }

  for (const [what, answer, kind] of [
    ["401", (_, response) => response.writeHead(401).end(), "needs-auth"],
    ["403", (_, response) => response.writeHead(403).end(), "http"],
    ["407", (_, response) => response.writeHead(407).end(), "http"],
    [
      "a redirect to another origin",
      (_, response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
      "http"
    ],
    [
      "a redirect that makes a GET of it",
      (_, response) => response.writeHead(302, { location: "/login" }).end(),
      "http"
    ],
    ["a connection that is cut", (_, response) => response.destroy(), "network"]
  ] satisfies ReadonlyArray<readonly [string, Handler, string]>) {
    it.scopedLive(`no handshake follows ${what}`, () =>
      Effect.gen(function* () {
        const server = yield* serve(older(answer))
        expect(yield* Effect.flip(open(server.url))).toMatchObject({ kind })
        expect(new Set(asked(server.got))).toEqual(new Set(["server/discover"]))
      })
    )
  }

  it.scopedLive("no handshake follows silence", () =>
    Effect.gen(function* () {
      const server = yield* serve(older(() => {}))
      const transport = yield* RemoteTransport.make({ server: "it", url: server.url })
      const error = yield* McpClient.make({ connectTimeout: undefined }).pipe(
        Effect.provideService(McpTransport.McpTransport, transport),
        Effect.timeoutFail({ duration: "700 millis", onTimeout: () => "still waiting" as const }),
        Effect.flip
      )
      expect(error).toBe("still waiting")
      expect(asked(server.got)).toEqual(["server/discover"])
    })
  )

  it.scopedLive("a dead address is no older server", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(open("http://127.0.0.1:1/mcp"))).toMatchObject({ kind: "network" })
    })
  )
})
