import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as TestServer from "../../src/testing/TestServer.ts"
import { connect, methods, received } from "./client.ts"

const everything = { resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} }

const server = (own: NonNullable<TestServer.Options["methods"]> = {}, options: TestServer.Options = {}) =>
  TestServer.make({ capabilities: everything, ...options, methods: own })

const asked = (server: TestServer.TestServer, method: string) =>
  Effect.map(received(server), (all) => all.filter((message) => message.method === method))

describe("resources", () => {
  it.scoped("are listed from every page, what cannot be read left out with a warning", () =>
    Effect.gen(function* () {
      const client = yield* connect(
        server({
          "resources/list": ({ cursor }) =>
            cursor === undefined
              ? {
                  resources: [
                    {
                      uri: "file:///a",
                      name: "a",
                      size: 7,
                      mimeType: "text/plain",
                      annotations: { priority: 1, audience: ["user", "x"] }
                    },
                    { name: "nowhere" },
                    null
                  ],
                  nextCursor: "2"
                }
              : { resources: [{ uri: "file:///b" }] }
        })
      )
      expect(yield* client.listResources).toMatchObject([
        {
          uri: "file:///a",
          name: "a",
          size: 7,
          mimeType: "text/plain",
          annotations: { priority: 1, audience: ["user"] }
        },
        { uri: "file:///b", name: "file:///b" }
      ])
      expect(yield* client.warnings).toEqual(["resources/list: 2 of 4 could not be read"])
    })
  )

  it.scoped("come with templates", () =>
    Effect.gen(function* () {
      const client = yield* connect(
        server({
          "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "file:///{path}", name: "any" }, 7] })
        })
      )
      expect(yield* client.listResourceTemplates).toMatchObject([{ uriTemplate: "file:///{path}", name: "any" }])
    })
  )

  it.scoped("are read: text, bytes, and a folder's many", () =>
    Effect.gen(function* () {
      const contents = [
        { uri: "file:///a", text: "hello" },
        { uri: "file:///b", blob: "aGk=", mimeType: "image/png" }
      ]
      const client = yield* connect(
        server({ "resources/read": () => ({ contents: [...contents, { text: "nowhere" }] }) })
      )
      expect(yield* client.readResource("file:///")).toMatchObject(contents)
    })
  )

  it.scoped("an answer without contents is an error, as is the server's own", () =>
    Effect.gen(function* () {
      const client = yield* connect(
        server({
          "resources/read": ({ uri }) =>
            uri === "a" ? Effect.succeed({}) : Effect.fail({ code: -32002, message: "Resource not found" })
        })
      )
      expect(yield* Effect.flip(client.readResource("a"))).toMatchObject({ kind: "protocol" })
      expect(yield* Effect.flip(client.readResource("b"))).toMatchObject({ kind: "rpc", code: -32002 })
    })
  )

  it.scoped("tell of their updates once subscribed to, and of changes of their list", () =>
    Effect.gen(function* () {
      const it = server({ "resources/subscribe": () => ({}), "resources/unsubscribe": () => ({}) })
      const client = yield* connect(it)
      const updates = yield* Effect.fork(Stream.runCollect(Stream.take(client.resourceUpdates, 2)))
      const changes = yield* Effect.fork(Stream.runCollect(Stream.take(client.resourcesChanged, 1)))
      yield* client.subscribeResource("file:///a")
      const updated = { jsonrpc: "2.0", method: "notifications/resources/updated" }
      yield* it.send({ ...updated, params: { uri: "file:///a" } })
      yield* it.send({ ...updated, params: { uri: 7 } })
      yield* it.send({ ...updated, params: { uri: "file:///a/b" } })
      yield* it.send({ jsonrpc: "2.0", method: "notifications/resources/list_changed" })
      expect([...(yield* Fiber.join(updates))]).toEqual(["file:///a", "file:///a/b"])
      expect([...(yield* Fiber.join(changes))]).toHaveLength(1)
      yield* client.unsubscribeResource("file:///a")
      expect((yield* asked(it, "resources/unsubscribe"))[0]?.params).toEqual({ uri: "file:///a" })
    })
  )
})

describe("prompts", () => {
  it.scoped("are listed with their arguments", () =>
    Effect.gen(function* () {
      const client = yield* connect(
        server({
          "prompts/list": () => ({
            prompts: [
              { name: "p", title: "P", arguments: [{ name: "a", required: true }, { name: "b" }, {}] },
              { title: "no name" }
            ]
          })
        })
      )
      expect(yield* client.listPrompts).toMatchObject([
        {
          name: "p",
          title: "P",
          arguments: [
            { name: "a", required: true },
            { name: "b", required: false }
          ]
        }
      ])
    })
  )

  it.scoped("are filled in", () =>
    Effect.gen(function* () {
      const it = server({
        "prompts/get": () => ({
          description: "d",
          messages: [
            { role: "user", content: { type: "text", text: "1" } },
            { role: "assistant", content: "2" },
            { role: "user", content: [{ type: "text", text: "3" }, { type: "hologram" }] },
            7
          ]
        })
      })
      const client = yield* connect(it)
      expect(yield* client.getPrompt("p", { a: "x" })).toMatchObject({
        description: "d",
        messages: [
          { role: "user", content: { type: "text", text: "1" } },
          { role: "assistant", content: { type: "text", text: "2" } },
          { role: "user", content: { type: "text", text: "3" } },
          { role: "user", content: { type: "unknown" } }
        ]
      })
      expect((yield* asked(it, "prompts/get"))[0]?.params).toMatchObject({ name: "p", arguments: { a: "x" } })
    })
  )
})

describe("completion", () => {
  const reference = { type: "ref/prompt", name: "p" } as const
  const argument = { name: "a", value: "be" }

  it.scoped("is asked with what is known", () =>
    Effect.gen(function* () {
      const it = server({
        "completion/complete": () => ({ completion: { values: ["berlin", 7], total: 2, hasMore: true } })
      })
      const client = yield* connect(it)
      expect(yield* client.complete(reference, argument, { country: "de" })).toEqual({
        values: ["berlin"],
        total: 2,
        hasMore: true
      })
      expect((yield* asked(it, "completion/complete"))[0]?.params).toEqual({
        ref: reference,
        argument,
        context: { arguments: { country: "de" } }
      })
    })
  )

  it.scoped("of a server that cannot is empty", () =>
    Effect.gen(function* () {
      const undeclared = TestServer.make({ capabilities: {} })
      const first = TestServer.make({ capabilities: {}, protocolVersion: "2024-11-05" })
      for (const it of [undeclared, first]) {
        const client = yield* connect(it)
        expect(yield* client.complete(reference, argument)).toEqual({ values: [], hasMore: false })
      }
      expect(yield* asked(undeclared, "completion/complete")).toEqual([])
      expect(yield* asked(first, "completion/complete")).toHaveLength(1)
    })
  )
})

describe("a server without a feature", () => {
  it.scoped("is not asked for it", () =>
    Effect.gen(function* () {
      const it = TestServer.make({ capabilities: {} })
      const client = yield* connect(it)
      const before = yield* methods(it)
      expect(yield* client.listResources).toEqual([])
      expect(yield* client.listResourceTemplates).toEqual([])
      expect(yield* client.listPrompts).toEqual([])
      yield* client.setLogLevel("debug")
      expect(yield* methods(it)).toEqual(before)
    })
  )

  it.scoped("that declares it all the same has an empty list", () =>
    Effect.gen(function* () {
      const client = yield* connect(server())
      expect(yield* client.listResources).toEqual([])
      expect(yield* client.listPrompts).toEqual([])
    })
  )
})

describe("log messages", () => {
  const log = (params: unknown) => ({ jsonrpc: "2.0", method: "notifications/message", params })

  it.scoped("are heard by who comes later too", () =>
    Effect.gen(function* () {
      const it = server({ "logging/setLevel": () => ({}) })
      const client = yield* connect(it)
      yield* client.setLogLevel("notice")
      expect((yield* asked(it, "logging/setLevel"))[0]?.params).toEqual({ level: "notice" })
      yield* it.send(log({ level: "error", logger: "db", data: { code: 1 } }))
      yield* it.send(log({ level: "warn", data: "careful" }))
      yield* it.send(log({ level: 7 }))
      yield* TestClock.adjust("1 second")
      expect([...(yield* Stream.runCollect(Stream.take(client.logMessages, 3)))]).toEqual([
        { level: "error", logger: "db", data: { code: 1 } },
        { level: "warning", logger: undefined, data: "careful" },
        { level: "info", logger: undefined, data: undefined }
      ])
    })
  )
})

describe("an answer that may be used again", () => {
  const cached = (ttlMs: unknown) => {
    let reads = 0
    return server(
      {
        "resources/read": ({ uri }) => ({ ttlMs, cacheScope: "private", contents: [{ uri, text: String(++reads) }] }),
        "resources/list": () => ({ ttlMs, cacheScope: "private", resources: [{ uri: `file:///${++reads}` }] })
      },
      { era: "modern", capabilities: { resources: {} } }
    )
  }

  it.scoped("is, until its time is over", () =>
    Effect.gen(function* () {
      const client = yield* connect(cached(1000))
      const read = Effect.map(client.readResource("file:///a"), ([first]) => first?.text)
      expect([yield* read, yield* read]).toEqual(["1", "1"])
      yield* TestClock.adjust("1 second")
      expect(yield* read).toBe("2")
    })
  )

  it.scoped("is not once the server says that it has changed", () =>
    Effect.gen(function* () {
      const it = cached(1_000_000)
      const client = yield* connect(it)
      const read = Effect.map(client.readResource("file:///a"), ([first]) => first?.text)
      const list = Effect.map(client.listResources, ([first]) => first?.uri)
      expect([yield* read, yield* list, yield* read, yield* list]).toEqual(["1", "file:///2", "1", "file:///2"])
      yield* it.send({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "file:///a" } })
      yield* TestClock.adjust("1 millis")
      expect([yield* read, yield* list]).toEqual(["3", "file:///2"])
      yield* it.send({ jsonrpc: "2.0", method: "notifications/resources/list_changed" })
      yield* TestClock.adjust("1 millis")
      expect([yield* read, yield* list]).toEqual(["3", "file:///4"])
    })
  )

  for (const ttlMs of [0, -5, "soon", undefined]) {
    it.scoped(`is not, with ${JSON.stringify(ttlMs)} for its time`, () =>
      Effect.gen(function* () {
        const client = yield* connect(cached(ttlMs))
        const read = Effect.map(client.readResource("file:///a"), ([first]) => first?.text)
        expect([yield* read, yield* read]).toEqual(["1", "2"])
      })
    )
  }
})
