import { readFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { configured, fixture, folder, run } from "./cli.ts"
import { answer, behind, command, connect, type Json, kinds, overHttp } from "./gateway.ts"

const text = (result: Json) => result.content

const places = [
  ["stdio", (config: string) => Effect.succeed(command(config))],
  ["HTTP", (config: string) => overHttp(config)]
] as const

for (const [transport, at] of places) {
  for (const kind of kinds) {
    describe(`the gateway over ${transport}, for a client on the SDK ${kind}`, () => {
      it.scopedLive(
        "has the tools of all servers, and their results as they are",
        () =>
          Effect.gen(function* () {
            const place = yield* at(yield* configured(behind))
            const { call, revision, tools } = yield* connect(kind, place)
            expect(revision).toBe(kind === "2.4 auto" ? "2026-07-28" : "2025-11-25")
            const names = (yield* tools).map(({ name }) => name)
            expect(names).toEqual(expect.arrayContaining(["mcp__everything__echo", "mcp__sdk2__add"]))
            const sum = yield* call("mcp__sdk2__add", { a: 1, b: 2 })
            expect(sum).toMatchObject({ content: [{ type: "text", text: "3" }], structuredContent: { sum: 3 } })
            expect(yield* Effect.flip(call("mcp__sdk2__none"))).toMatchObject({ code: -32602 })
          }),
        60_000
      )

      it.scopedLive(
        "asks the client what a server asks, and the server gets the answer as it was",
        () =>
          Effect.gen(function* () {
            const asked: Array<string> = []
            const place = yield* at(yield* configured(behind))
            const { call } = yield* connect(kind, place, {
              asked: (method) => {
                asked.push(method)
                return answer(method)
              }
            })
            expect(text(yield* call("mcp__sdk2__ask"))).toEqual([
              {
                type: "text",
                text: JSON.stringify({
                  name: "Ada",
                  said: { type: "text", text: "hello" },
                  roots: [{ uri: "file:///work", name: "work" }]
                })
              }
            ])
            const elicited = JSON.stringify(yield* call("mcp__everything__trigger_elicitation_request"))
            expect(elicited).toContain("Name: Ada")
            const sampled = yield* call("mcp__everything__trigger_sampling_request", { prompt: "p", maxTokens: 5 })
            expect(JSON.stringify(sampled)).toContain("hello")
            expect(new Set(asked)).toEqual(new Set(["elicitation/create", "sampling/createMessage", "roots/list"]))
          }),
        60_000
      )

      it.scopedLive(
        "tells progress before the result, and takes a call back",
        () =>
          Effect.gen(function* () {
            const { call } = yield* connect(kind, yield* at(yield* configured({ sdk2: behind.sdk2 })))
            const seen: Array<Json> = []
            yield* call("mcp__sdk2__steps", {}, { onprogress: (progress) => seen.push(progress) })
            expect(seen).toEqual([
              { progress: 1, total: 2 },
              { progress: 2, total: 2 }
            ])
            const waiting = yield* Deferred.make<void>()
            const abort = new AbortController()
            const call2 = call(
              "mcp__sdk2__wait",
              {},
              {
                signal: abort.signal,
                onprogress: () => Deferred.unsafeDone(waiting, Effect.void)
              }
            )
            const fiber = yield* Effect.fork(Effect.flip(call2))
            yield* Deferred.await(waiting)
            abort.abort()
            yield* Fiber.join(fiber)
            const count = Effect.map(call("mcp__sdk2__cancelled"), text)
            expect(yield* Effect.repeat(count, { until: (found) => JSON.stringify(found).includes('"1"') })).toEqual([
              { type: "text", text: "1" }
            ])
          }),
        60_000
      )
    })
  }
}

it.scopedLive(
  "a foreign Host or Origin is refused, and so is who has no token",
  () =>
    Effect.gen(function* () {
      const url = yield* overHttp(yield* configured({ sdk2: behind.sdk2 }))
      expect(yield* status(url, { host: "evil.example" })).toBe(403)
      expect(yield* status(url, { origin: "http://evil.example" })).toBe(403)
      expect(yield* status(url, {})).toBe(400)
    }),
  60_000
)

const status = (url: string, headers: Readonly<Record<string, string>>) =>
  Effect.async<number | undefined>((resume) => {
    request(url, { method: "POST", headers: { "content-type": "application/json", ...headers } }, (response) => {
      response.resume()
      resume(Effect.succeed(response.statusCode))
    }).end("{}")
  })

it.scopedLive("beyond this machine a token is required", () =>
  Effect.gen(function* () {
    const config = yield* configured({})
    const { code, stderr } = yield* run(["mcp", "serve", "--http", "0.0.0.0:0", "--config", config])
    expect(code).toBe(2)
    expect(stderr).toContain("--token-env")
  })
)

it.scopedLive(
  "a result of any shape is the one that the server gives directly",
  () =>
    Effect.gen(function* () {
      const zoo = fixture("stdio/result-zoo.mjs")
      const config = yield* configured({ zoo })
      const direct = yield* connect("2.4 legacy", zoo)
      const through = yield* connect("2.4 legacy", command(config, "--prefix", "none"))
      // The SDK's client checks results by the schemas that it has seen: both have to see them first.
      const byName = (tools: ReadonlyArray<Json>) => new Map(tools.map((tool) => [String(tool.name), tool]))
      const expected = byName(yield* direct.tools)
      expect(byName(yield* through.tools)).toEqual(expected)
      expect(expected.size).toBeGreaterThan(15)
      for (const name of expected.keys()) {
        const [one, other] = yield* Effect.all([Effect.either(direct.call(name)), Effect.either(through.call(name))])
        expect({ name, result: other }).toEqual({ name, result: one })
      }
    }),
  60_000
)

it.scopedLive(
  "calls are audited, and two tools stand for all where that is wished",
  () =>
    Effect.gen(function* () {
      const path = yield* folder
      const config = yield* configured({ sdk2: behind.sdk2 })
      const audit = join(path, "audit.ndjson")
      const { call, tools } = yield* connect("2.4 legacy", command(config, "--search", "--audit", audit))
      expect((yield* tools).map(({ name }) => name)).toEqual(["search_tools", "call_tool"])
      expect(JSON.stringify(yield* call("search_tools", { query: "add numbers" }))).toContain("mcp__sdk2__add")
      yield* call("call_tool", { name: "mcp__sdk2__add", arguments: { a: 1, b: 2 } })
      expect(JSON.parse(readFileSync(audit, "utf8"))).toMatchObject({ tool: "add", server: "sdk2", outcome: "ok" })
    }),
  60_000
)

it.scopedLive(
  "what a server logs in the call of one client is told to no other",
  () =>
    Effect.gen(function* () {
      const url = yield* overHttp(yield* configured({ sdk2: behind.sdk2 }))
      const heard = { one: [] as Array<Json>, other: [] as Array<Json> }
      const logs = yield* Deferred.make<void>()
      const one = yield* connect("2.4 legacy", url, {
        told: (method, params) => {
          if (method !== "notifications/message") return
          heard.one.push(params)
          if (params.level === "warning") Deferred.unsafeDone(logs, Effect.void)
        }
      })
      const other = yield* connect("2.4 legacy", url, { told: (_, params) => heard.other.push(params) })
      for (const { request } of [one, other]) yield* request("logging/setLevel", { level: "info" })
      yield* one.call("mcp__sdk2__log")
      yield* Deferred.await(logs)
      yield* other.call("mcp__sdk2__add", { a: 1, b: 1 })
      expect(heard).toEqual({ one: [{ level: "warning", data: "careful", logger: "sdk2" }], other: [] })
    }),
  60_000
)

it.scopedLive(
  "a list that changes is told, and has the new tool",
  () =>
    Effect.gen(function* () {
      const changed = yield* Deferred.make<void>()
      const { call, tools } = yield* connect("2.4 legacy", command(yield* configured({ sdk2: behind.sdk2 })), {
        told: (method) => {
          if (method === "notifications/tools/list_changed") Deferred.unsafeDone(changed, Effect.void)
        }
      })
      yield* call("mcp__sdk2__grow")
      yield* Deferred.await(changed)
      expect((yield* tools).map(({ name }) => name)).toContain("mcp__sdk2__grown")
    }),
  60_000
)
