import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Challenge, HttpAuth } from "../../src/mcp/HttpAuth.ts"
import * as HttpTransport from "../../src/mcp/HttpTransport.ts"
import { McpError } from "../../src/mcp/McpError.ts"
import * as SseTransport from "../../src/mcp/SseTransport.ts"
import * as Http from "./httpServer.ts"

const challenge = 'Bearer resource_metadata="http://127.0.0.1/meta", scope="a b"'

/** A server that wants the token `good`, and for tools/call the token `better`. */
const guarded: Http.Handler = (got, response) => {
  const token = got.headers.authorization
  if (token !== "Bearer good" && token !== "Bearer better") {
    return void response.writeHead(401, { "www-authenticate": challenge }).end()
  }
  if (got.message.method === "tools/call" && token !== "Bearer better") {
    return void response.writeHead(403, { "www-authenticate": 'Bearer error="insufficient_scope", scope="c"' }).end()
  }
  Http.mcp((request, reply) => Http.json(reply, 200, Http.result(request, { ok: true })))(got, response)
}

/** A login that has these tokens, one after the other. */
const tokens = (...list: ReadonlyArray<string>) => {
  const challenges: Array<Challenge> = []
  let at = 0
  const auth: HttpAuth = {
    headers: () => Effect.sync(() => ({ Authorization: `Bearer ${list[at]}` })),
    unauthorized: (refused) =>
      Effect.sync(() => {
        challenges.push(refused)
        at += 1
        return at < list.length
      })
  }
  return { auth, challenges }
}

const initialize = { protocolVersion: "2025-11-25" }

describe("HttpTransport, logins", () => {
  it.scopedLive("without one, a 401 is needs-auth with the challenge", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(guarded)
      const transport = yield* HttpTransport.make({ server: "web", url: server.url })
      const refused = { kind: "needs-auth", status: 401, challenge }
      expect(yield* Effect.flip(transport.request("initialize", initialize))).toMatchObject({
        ...refused,
        message: "the server wants a login (401)"
      })
      expect(yield* Effect.flip(transport.notify("notifications/test"))).toMatchObject(refused)
    })
  )

  it.scopedLive("a 401 without a challenge is no different, and a refused header of the entry is told apart", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve((_, response) => response.writeHead(401).end())
      const headers = { Authorization: "Bearer stale-token" }
      const transport = yield* HttpTransport.make({ server: "web", url: server.url, headers })
      const error = yield* Effect.flip(transport.request("initialize", initialize))
      expect(error).toMatchObject({
        kind: "needs-auth",
        challenge: undefined,
        message: "the server does not accept the credentials that were sent (401)"
      })
      expect(JSON.stringify(error)).not.toContain("stale-token")
    })
  )

  it.scopedLive("a refused token is replaced and the message sent again, for requests and notifications", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(guarded)
      const { auth, challenges } = tokens("stale", "good", "better")
      const transport = yield* HttpTransport.make({ server: "web", url: server.url, auth })
      yield* transport.request("initialize", initialize)
      yield* transport.notify("notifications/initialized")
      expect(yield* transport.request("tools/call", { name: "x" })).toEqual({ ok: true })
      expect(challenges.map(({ status, wwwAuthenticate }) => [status, wwwAuthenticate])).toEqual([
        [401, challenge],
        [403, 'Bearer error="insufficient_scope", scope="c"']
      ])
      expect(challenges[0]?.url.href).toBe(server.url)
    })
  )

  it.scopedLive("a login that has nothing better leaves the refusal", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(guarded)
      const transport = yield* HttpTransport.make({ server: "web", url: server.url, auth: tokens("good").auth })
      expect(yield* Effect.flip(transport.request("tools/call", {}))).toMatchObject({ kind: "needs-auth", status: 403 })
    })
  )

  it.scopedLive("a login that always claims to have better is not believed for ever", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(guarded)
      const auth: HttpAuth = { headers: () => Effect.succeed({}), unauthorized: () => Effect.succeed(true) }
      const transport = yield* HttpTransport.make({ server: "web", url: server.url, auth })
      expect(yield* Effect.flip(transport.request("initialize", initialize))).toMatchObject({ kind: "needs-auth" })
      expect(server.got).toHaveLength(4)
    })
  )

  it.scopedLive("a server that repeats the login in an error does not make it public", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve((got, response) => {
        const error = {
          code: -32000,
          message: `bad token ${got.headers.authorization}`,
          data: { got: got.headers["x-key"] }
        }
        Http.json(response, got.message.method === "initialize" ? 200 : 400, {
          jsonrpc: "2.0",
          id: got.message.id,
          error
        })
      })
      const auth: HttpAuth = {
        headers: () => Effect.succeed({ authorization: "Bearer token-of-the-login", "x-key": "printed-by-a-helper" }),
        unauthorized: () => Effect.succeed(false)
      }
      const transport = yield* HttpTransport.make({ server: "web", url: server.url, auth })
      for (const method of ["initialize", "tools/call"]) {
        const error = yield* Effect.flip(transport.request(method, {}))
        expect(error).toMatchObject({ kind: "rpc", message: "bad token ***", data: { got: "***" } })
      }
    })
  )

  it.scopedLive("a login that fails is the error", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(guarded)
      const broken = new McpError({ server: "web", phase: "auth", kind: "http", message: "no token" })
      const auth: HttpAuth = { headers: () => Effect.fail(broken), unauthorized: () => Effect.succeed(true) }
      const transport = yield* HttpTransport.make({ server: "web", url: server.url, auth })
      expect(yield* Effect.flip(transport.request("initialize", initialize))).toBe(broken)
      expect(server.got).toEqual([])
    })
  )

  it.scopedLive("the stream and the messages of HTTP+SSE carry the login too", () =>
    Effect.gen(function* () {
      let stream: Parameters<Http.Handler>[1] | undefined
      const server = yield* Http.serve((got, response) => {
        if (got.headers.authorization !== "Bearer good") return void response.writeHead(401).end()
        if (got.method === "GET") {
          Http.events(response)
          stream = response
          return void response.write("event: endpoint\ndata: /messages\n\n")
        }
        response.writeHead(202).end()
        stream?.write(Http.event(Http.result(got, {})))
      })
      const { auth } = tokens("stale", "good")
      const transport = yield* SseTransport.make({ server: "web", url: server.url, auth })
      expect(yield* transport.request("initialize", initialize)).toEqual({})
    })
  )
})
