import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import type * as ClientFeatures from "../../src/mcp/ClientFeatures.ts"
import type * as Elicitation from "../../src/mcp/Elicitation.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { connect, methods } from "./client.ts"

const page = (id: string) => ({
  mode: "url",
  elicitationId: id,
  url: `https://login.example.com/start?token=${id}`,
  message: `Log in for ${id}`
})

/** A server that refuses calls until its pages, by their ids, have been visited. */
const make = (...ids: ReadonlyArray<string>) => {
  const open = new Set(ids)
  const server = TestServer.make({
    tools: { files: { handler: () => "" } },
    methods: {
      "tools/call": () =>
        open.size === 0
          ? Effect.succeed({ content: [{ type: "text", text: "two files" }] })
          : Effect.fail({
              code: -32042,
              message: "This request requires more information.",
              data: { elicitations: [...open].map(page) }
            })
    }
  })
  const visited = (id: string) => Effect.sync(() => open.delete(id))
  const told = (id: string) =>
    Effect.zipRight(
      visited(id),
      server.send({ jsonrpc: "2.0", method: "notifications/elicitation/complete", params: { elicitationId: id } })
    )
  const calls = Effect.map(methods(server), (all) => all.filter((method) => method === "tools/call").length)
  return { server, visited, told, calls }
}

/** A person who gives these answers, and what they were asked. */
const person = (action: Elicitation.UrlAnswer["action"]) => {
  const shown: Array<string> = []
  const features: ClientFeatures.Service = {
    elicitation: {
      url: ({ message, url }) =>
        Effect.sync(() => {
          shown.push(`${message}: ${url.href}`)
          return { action }
        })
    }
  }
  return { features, shown }
}

describe("a call that needs pages visited first", () => {
  it.scoped("is made again at once when the server says that the visits are over", () =>
    Effect.gen(function* () {
      const { calls, server, told } = make("a", "b")
      const { features, shown } = person("accept")
      const client = yield* connect(server, features)
      const call = yield* Effect.fork(client.callTool("files", {}))
      yield* TestClock.adjust("1 second")
      expect(shown).toEqual([
        "Log in for a: https://login.example.com/start?token=a",
        "Log in for b: https://login.example.com/start?token=b"
      ])
      yield* told("a")
      yield* TestClock.adjust("1 second")
      expect(yield* calls).toBe(1)
      yield* told("b")
      yield* TestClock.adjust("1 millis")
      expect((yield* Fiber.join(call)).text).toBe("two files")
      expect(yield* calls).toBe(2)
    })
  )

  it.scoped("is tried every few seconds where the server does not say so; the person is asked once", () =>
    Effect.gen(function* () {
      const { calls, server, visited } = make("a")
      const { features, shown } = person("accept")
      const client = yield* connect(server, features)
      const call = yield* Effect.fork(client.callTool("files", {}))
      yield* TestClock.adjust("11 seconds")
      expect(yield* calls).toBe(3)
      yield* visited("a")
      yield* TestClock.adjust("5 seconds")
      expect((yield* Fiber.join(call)).text).toBe("two files")
      expect(shown).toHaveLength(1)
    })
  )

  it.scoped("takes no time of the call's while the person makes up their mind", () =>
    Effect.gen(function* () {
      const { server, told } = make("a")
      const mind = yield* Deferred.make<Elicitation.UrlAnswer>()
      const client = yield* connect(server, { elicitation: { url: () => Deferred.await(mind) } })
      const call = yield* Effect.fork(client.callTool("files", {}))
      yield* TestClock.adjust("1 hour")
      yield* Deferred.succeed<Elicitation.UrlAnswer, never>(mind, { action: "accept" })
      yield* TestClock.adjust("1 millis")
      yield* told("a")
      yield* TestClock.adjust("1 millis")
      expect((yield* Fiber.join(call)).text).toBe("two files")
    })
  )

  for (const [action, words] of [
    ["decline", "declined"],
    ["cancel", "not agreed to"]
  ] as const) {
    it.scoped(`fails and says why when the person's answer is ${action}; the address stays secret`, () =>
      Effect.gen(function* () {
        const { calls, server } = make("a", "b")
        const { features, shown } = person(action)
        const client = yield* connect(server, features)
        const error = yield* Effect.flip(client.callTool("files", {}))
        expect(error).toMatchObject({ kind: "rpc", code: -32042 })
        expect(error.message).toContain(`a page of login.example.com to be visited first, which was ${words}`)
        expect(JSON.stringify(error)).not.toContain("token")
        expect(shown).toHaveLength(1)
        expect(yield* calls).toBe(1)
      })
    )
  }

  it.scoped("fails when the program can show no pages, or an address is none", () =>
    Effect.gen(function* () {
      const without = yield* connect(make("a").server)
      expect((yield* Effect.flip(without.callTool("files", {}))).message).toContain("cannot be offered")
      const { features, shown } = person("accept")
      const broken = TestServer.make({
        methods: {
          "tools/call": () =>
            Effect.fail({
              code: -32042,
              message: "more",
              data: { elicitations: [{ ...page("a"), url: "javascript:alert(1)" }] }
            })
        }
      })
      const client = yield* connect(broken, features)
      expect((yield* Effect.flip(client.callTool("files", {}))).message).toContain("cannot be offered")
      expect(shown).toEqual([])
    })
  )

  it.scoped("keeps the server's own words when it lists no page", () =>
    Effect.gen(function* () {
      const server = TestServer.make({
        methods: { "tools/call": () => Effect.fail({ code: -32042, message: "no idea which", data: {} }) }
      })
      const client = yield* connect(server, person("accept").features)
      expect((yield* Effect.flip(client.callTool("files", {}))).message).toBe("no idea which")
    })
  )

  it.scoped("is given up when the visits have not been over within the longest time of the call", () =>
    Effect.gen(function* () {
      const client = yield* connect(make("a").server, person("accept").features)
      const call = yield* Effect.fork(Effect.flip(client.callTool("files", {})))
      yield* TestClock.adjust("11 minutes")
      expect((yield* Fiber.join(call)).message).toContain("a page of login.example.com was not visited")
    })
  )
})
