import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as HttpTransport from "../../src/mcp/HttpTransport.ts"
import type { McpError } from "../../src/mcp/McpError.ts"
import type * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as Http from "./httpServer.ts"

const handshake = (transport: McpTransport.Service): Effect.Effect<unknown, McpError> =>
  Effect.gen(function* () {
    const answer = yield* transport.request("initialize", { protocolVersion: "2025-11-25" }, { phase: "handshake" })
    yield* transport.negotiated("2025-06-18")
    yield* transport.notify("notifications/initialized")
    return answer
  })

const connect = (url: string) => Effect.tap(HttpTransport.make({ server: "web", url }), handshake)

const whoami = { name: "whoami", arguments: {} }
const text = (value: string) => ({ content: [{ type: "text", text: value }] })
const answers = (got: Http.Got, response: Parameters<Http.Handler>[1]) => Http.json(response, 200, Http.result(got, {}))

describe("HttpTransport, sessions", () => {
  it.scopedLive("session id and negotiated revision go with every message after initialize, and not with it", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const server = yield* Http.serve(Http.mcp(answers, "s1"))
      const transport = yield* Scope.extend(connect(server.url), scope)
      yield* transport.request("tools/list", undefined)
      yield* transport.respond(7, { _tag: "Result", result: {} })
      while (!server.got.some(({ method }) => method === "GET")) yield* Effect.sleep("5 millis")
      yield* Scope.close(scope, Exit.void)
      const carried = server.got.map(({ headers, message, method }) => [
        message.method ?? method,
        headers["mcp-session-id"],
        headers["mcp-protocol-version"]
      ])
      expect(carried[0]).toEqual(["initialize", undefined, undefined])
      expect(
        carried
          .slice(1)
          .map(([method]) => method)
          .sort()
      ).toEqual(["DELETE", "GET", "POST", "notifications/initialized", "tools/list"])
      for (const [, session, version] of carried.slice(1)) expect([session, version]).toEqual(["s1", "2025-06-18"])
    })
  )

  it.scopedLive(
    "a lost session fails with session-lost, and a new initialize opens a new one on the same transport",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Http.fixture("session")
        const transport = yield* connect(`${origin}/mcp`)
        const call = transport.request("tools/call", whoami)
        for (const session of ["s1", "s2"]) {
          for (let n = 0; n < 3; n++) expect(yield* call).toEqual(text(session))
          expect(yield* Effect.flip(call)).toMatchObject({ kind: "session-lost", status: 404 })
          yield* handshake(transport)
        }
        const stats = yield* transport.request("tools/call", { name: "stats" })
        expect(stats).toEqual(text(JSON.stringify({ inits: 3, badHeader: 0, deletes: 0 })))
      })
  )

  it.scopedLive("a session id is taken from a successful initialize alone", () =>
    Effect.gen(function* () {
      const { origin } = yield* Http.fixture("session", "errid")
      const transport = yield* connect(`${origin}/mcp`)
      const call = transport.request("tools/call", whoami)
      yield* Effect.repeatN(call, 2)
      expect(yield* Effect.flip(call)).toMatchObject({ kind: "session-lost" })
      expect(yield* Effect.flip(call)).toMatchObject({ message: "missing session id" })
    })
  )

  it.scopedLive("a failed initialize leaves no session behind", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve((got, response) =>
        Http.json(
          response,
          200,
          { jsonrpc: "2.0", id: got.message.id, error: { code: -32603, message: "down" } },
          {
            "mcp-session-id": "s1"
          }
        )
      )
      const transport = yield* HttpTransport.make({ server: "web", url: server.url })
      yield* Effect.flip(handshake(transport))
      yield* Effect.flip(transport.request("tools/list", undefined))
      expect(server.got.at(-1)?.headers["mcp-session-id"]).toBeUndefined()
    })
  )

  it.scopedLive("a 400 to a message of a session is a lost session too, unless it is about the request itself", () =>
    Effect.gen(function* () {
      const error = (id: unknown, code: number) => ({ jsonrpc: "2.0", id, error: { code, message: "refused" } })
      const server = yield* Http.serve(
        Http.mcp((got, response) => {
          const { id, method } = got.message
          if (method === "tools/call") return Http.json(response, 400, error(id, -32602))
          if (method === "nope") return Http.json(response, 404, error(id, -32601))
          Http.json(response, 400, error(null, -32000))
        }, "s1")
      )
      const transport = yield* connect(server.url)
      expect(yield* Effect.flip(transport.request("tools/call", {}))).toMatchObject({
        kind: "rpc",
        code: -32602,
        status: 400
      })
      expect(yield* Effect.flip(transport.request("nope", {}))).toMatchObject({
        kind: "rpc",
        code: -32601,
        status: 404
      })
      expect(yield* Effect.flip(transport.request("tools/list", {}))).toMatchObject({
        kind: "session-lost",
        status: 400
      })
    })
  )

  it.scopedLive("a notification that meets a lost session says so", () =>
    Effect.gen(function* () {
      const lost = { now: false }
      const server = yield* Http.serve((got, response) =>
        lost.now ? response.writeHead(404).end() : Http.mcp(answers, "s1")(got, response)
      )
      const transport = yield* connect(server.url)
      lost.now = true
      expect(yield* Effect.flip(transport.notify("notifications/roots/list_changed"))).toMatchObject({
        kind: "session-lost"
      })
    })
  )

  it.scopedLive("a late refusal of the old session does not cost the new one", () =>
    Effect.gen(function* () {
      let sessions = 0
      let refuse = () => {}
      const server = yield* Http.serve((got, response) => {
        if (got.message.method === "initialize") return Http.mcp(answers, `s${++sessions}`)(got, response)
        if (got.message.method !== "slow") return Http.mcp(answers)(got, response)
        refuse = () => void response.writeHead(404).end()
      })
      const transport = yield* connect(server.url)
      const slow = yield* Effect.fork(Effect.flip(transport.request("slow", {})))
      while (!server.got.some(({ message }) => message.method === "slow")) yield* Effect.sleep("5 millis")
      yield* handshake(transport)
      refuse()
      expect(yield* Fiber.join(slow)).toMatchObject({ kind: "session-lost" })
      yield* transport.request("tools/list", undefined)
      expect(server.got.at(-1)?.headers["mcp-session-id"]).toBe("s2")
    })
  )

  it.live("closing waits no longer than a second for a server that does not answer the DELETE", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const outer = yield* Scope.make()
      const server = yield* Scope.extend(
        Http.serve((got, response) => (got.method === "DELETE" ? undefined : Http.mcp(answers, "s1")(got, response))),
        outer
      )
      yield* Scope.extend(connect(server.url), scope)
      const [took] = yield* Effect.timed(Scope.close(scope, Exit.void))
      expect(server.got.at(-1)?.method).toBe("DELETE")
      expect(Duration.toMillis(took)).toBeLessThan(2_000)
      yield* Scope.close(outer, Exit.void)
    })
  )

  it.live("nothing is deleted where there is no session", () =>
    Effect.gen(function* () {
      const outer = yield* Scope.make()
      const server = yield* Scope.extend(Http.serve(Http.mcp(answers)), outer)
      yield* Effect.scoped(connect(server.url))
      expect(server.got.map(({ method }) => method)).not.toContain("DELETE")
      yield* Scope.close(outer, Exit.void)
    })
  )
})
