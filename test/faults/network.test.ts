/**
 * D. HTTP transports: the way to the server.
 */
import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { events, fixture, json, serve } from "../mcp/httpServer.ts"
import { fault } from "./fault.ts"
import { statusOf, textOf } from "./living.ts"
import { at, callT, failure, gotOf, said, site } from "./overHttp.ts"

const unit = ["test/mcp/HttpTransport.network.test.ts"]
const secret = "Bearer t0p-s3cret"

fault(
  41,
  "A redirect within the origin that keeps method and body is followed; any other is refused with its target and what to change, and nothing is sent there",
  () => {
    it.scopedLive("the same origin gets everything, another one nothing", () =>
      Effect.gen(function* () {
        const { origin, said } = yield* fixture("redirect")
        const headers = { Authorization: secret, "X-Api-Key": "k3y", Cookie: "c=1" }
        const manager = yield* at(`${origin}/mcp`, { headers })
        expect(yield* textOf(manager, "it", "ok")).toBe(`auth:${secret}`)
        const away = yield* at(`${origin}/away`, { headers })
        const other = /other (\d+)/.exec(said())?.[1]
        expect((yield* failure(away))?.message).toContain(`127.0.0.1:${other}`)
        const seen = yield* Effect.promise(() =>
          fetch(`http://127.0.0.1:${other}/seen`).then((response) => response.text())
        )
        expect(seen).toBe("[]")
      })
    )

    it.scopedLive("redirects that change the method, lead to a login page, or go round end with a word of advice", () =>
      Effect.gen(function* () {
        const { origin } = yield* fixture("redirect")
        for (const path of ["moved", "login", "loop"]) {
          const error = yield* failure(yield* at(`${origin}/${path}`))
          expect(error, path).toMatchObject({ message: expect.stringContaining("redirect") })
          if (path !== "loop") expect(error?.hint, path).toMatch(/\S/)
        }
      })
    )

    it.scopedLive("every redirecting status, to here and elsewhere", () =>
      Effect.gen(function* () {
        const elsewhere = yield* serve(site())
        for (const status of [300, 301, 302, 303, 307, 308]) {
          for (const target of ["/mcp/", `${elsewhere.origin}/mcp`, "//127.0.0.1:1/", "", "http://["]) {
            const inner = site()
            const server = yield* serve((got, response) => {
              if (got.path === "/mcp/") return inner(got, response)
              response.writeHead(status, { location: target }).end()
            })
            const followed = target === "/mcp/" && status >= 307
            expect((yield* failure(yield* at(server.url))) === undefined, `${status} ${target}`).toBe(followed)
          }
        }
        expect(elsewhere.got).toEqual([])
      })
    )
  },
  { see: unit }
)

fault(
  42,
  "Every message after initialize says the revision that was agreed on, and initialize says none",
  () => {
    it.scopedLive("a server that negotiates down, and refuses every other header, is served", () =>
      Effect.gen(function* () {
        for (const protocolVersion of ["2025-06-18", "2025-03-26"]) {
          const inner = site({ protocolVersion, headers: { "mcp-session-id": "s" } })
          const server = yield* serve((got, response) => {
            const header = got.headers["mcp-protocol-version"]
            const isFirst = got.message.method === "initialize"
            if (isFirst ? header !== undefined : header !== protocolVersion)
              return json(response, 400, "wrong revision")
            inner(got, response)
          })
          const manager = yield* Effect.scoped(Effect.tap(at(server.url), callT))
          expect(manager).toBeDefined()
          const first = ["server/discover", "initialize"]
          const later = server.got.filter(({ message }) => !first.includes(String(message.method)))
          expect(new Set(later.map(({ headers }) => headers["mcp-protocol-version"]))).toEqual(
            new Set([protocolVersion])
          )
          expect(later.map(({ method }) => method)).toContain("DELETE")
        }
      })
    )
  },
  { see: ["test/mcp/HttpTransport.session.test.ts"] }
)

fault(
  43,
  "The old transport is tried after 400, 404 and 405 alone; every other failure of the first message is the failure; the endpoint must be of the same origin",
  () => {
    it.scopedLive("a server that speaks only the old one is served, found or named", () =>
      Effect.gen(function* () {
        const { origin } = yield* fixture("legacy-sse")
        expect(yield* textOf(yield* at(`${origin}/sse`), "it", "old")).toBe("old ok")
      })
    )

    it.scopedLive("its refusals are told as they are", () =>
      Effect.gen(function* () {
        for (const [mode, expected] of [
          ["fail500", { kind: "http", status: 500 }],
          ["fail401", { kind: "needs-auth", status: 401 }],
          ["cross", { message: expect.stringContaining("127.0.0.1:9") }],
          ["noendpoint", { kind: "timeout" }]
        ] as const) {
          const { origin, said } = yield* fixture("legacy-sse", mode)
          const manager = yield* at(`${origin}/sse`, {}, { connectTimeout: Duration.seconds(3) })
          expect(yield* failure(manager), mode).toMatchObject(expected)
          expect(said().includes("sse opened"), mode).toBe(!mode.startsWith("fail"))
        }
      })
    )

    it.scopedLive("no status but those three leads to a GET", () =>
      Effect.gen(function* () {
        for (const status of [401, 403, 408, 409, 410, 422, 429, 500, 502, 503]) {
          const server = yield* serve((_, response) => void response.writeHead(status).end())
          yield* at(server.url, {}, { connectTimeout: Duration.seconds(5) })
          expect(
            server.got.filter(({ method }) => method === "GET"),
            String(status)
          ).toEqual([])
        }
      })
    )
  },
  { see: ["test/mcp/RemoteTransport.test.ts", "test/mcp/SseTransport.test.ts"] }
)

fault(
  44,
  "A server that dies in the middle of a call fails that call at once; every call can be stopped, and the server sees it",
  () => {
    it.scopedLive("each way of breaking off ends every open call, and the next one is told what is wrong", () =>
      Effect.gen(function* () {
        for (const after of ["", ": begun\n\n", "data: {"]) {
          const server = yield* serve(
            site({
              call: (_, response) => {
                if (after === "") return void response.destroy()
                events(response)
                response.write(after, () => response.destroy())
              }
            })
          )
          const manager = yield* at(server.url)
          const calls = Array.from({ length: 10 }, () => Effect.flip(callT(manager)))
          const errors = yield* Effect.all(calls, { concurrency: "unbounded" }).pipe(Effect.timeout("10 seconds"))
          for (const error of errors) expect(error.server).toBe("it")
          expect(gotOf(server, "tools/call")).toHaveLength(10)
          yield* server.stop
          expect((yield* Effect.flip(callT(manager)).pipe(Effect.timeout("10 seconds"))).server).toBe("it")
        }
      })
    )

    it.scopedLive("stopping a call closes its reply, and the next call works", () =>
      Effect.gen(function* () {
        const arrived = yield* Deferred.make<void>()
        const left = yield* Deferred.make<void>()
        let first = true
        const server = yield* serve(
          site({
            call: (got, response) => {
              if (!first) return json(response, 200, said(got, "ok"))
              first = false
              events(response)
              response.on("close", () => Deferred.unsafeDone(left, Effect.void))
              Deferred.unsafeDone(arrived, Effect.void)
            }
          })
        )
        const manager = yield* at(server.url)
        const call = yield* Effect.fork(callT(manager))
        yield* Deferred.await(arrived)
        yield* Fiber.interrupt(call)
        yield* Deferred.await(left).pipe(Effect.timeout("10 seconds"))
        expect(yield* callT(manager)).toBe("ok")
      })
    )
  },
  { see: ["test/mcp/HttpTransport.streams.test.ts"] }
)

/** The environment with these variables, while the Scope is open. */
const withEnvironment = (variables: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = { ...process.env }
      Object.assign(process.env, variables)
      return before
    }),
    (before) =>
      Effect.sync(() => {
        for (const name of Object.keys(variables)) {
          if (before[name] === undefined) delete process.env[name]
          else process.env[name] = before[name]
        }
      })
  )

fault(
  45,
  "Proxies are used as the environment says, in either case; this machine is always reached directly, in both families",
  () => {
    it.scopedLive("a dead proxy does not come between harness9 and a server on this machine", () =>
      Effect.gen(function* () {
        const dead = "http://127.0.0.1:1"
        yield* withEnvironment({ HTTP_PROXY: dead, http_proxy: dead, HTTPS_PROXY: dead, ALL_PROXY: dead })
        const server = yield* serve(site())
        for (const host of ["127.0.0.1", "localhost"]) {
          expect(yield* callT(yield* at(`http://${host}:${server.port}/mcp`)), host).toBe("ok")
        }
        expect(yield* failure(yield* at("http://mcp.example/mcp"))).toMatchObject({
          message: expect.stringContaining("127.0.0.1:1")
        })
      })
    )
  },
  { see: [...unit, "test/mcp/internal/HttpProxy.test.ts"] }
)

fault(
  46,
  "A connection that cannot be made says why: host, port and cause, with what to do; nothing is ever trusted silently",
  () => {
    it.scopedLive("a refused port, a name that nobody knows, and a port that speaks no HTTP", () =>
      Effect.gen(function* () {
        for (const [url, told] of [
          ["http://127.0.0.1:1/mcp", "127.0.0.1:1"],
          ["http://no-such-host.invalid/mcp", "no-such-host.invalid"],
          ["https://127.0.0.1:1/mcp", "127.0.0.1:1"]
        ] as const) {
          const error = yield* failure(yield* at(url, {}, { connectTimeout: Duration.seconds(10) }))
          expect(error, url).toMatchObject({ kind: "network", message: expect.stringContaining(told) })
          expect(error?.message).not.toContain("fetch failed")
        }
      })
    )
  },
  { see: [...unit, "test/mcp/internal/HttpFailure.test.ts"] }
)

fault(
  47,
  "A server that wants a login is told apart from one that failed; where to log in is what the server names, for this very resource, and nothing is guessed",
  () => {
    it.scopedLive(
      "a 401 of any shape is a login that is needed; a login that does not suffice is no failure of the network",
      () =>
        Effect.gen(function* () {
          for (const challenge of [
            {},
            { "www-authenticate": "Bearer" },
            { "www-authenticate": 'Bearer resource_metadata="http://127.0.0.1:1/meta", scope="a b"' },
            { "www-authenticate": "Basic realm=x" }
          ]) {
            const server = yield* serve((_, response) => void response.writeHead(401, challenge).end("no"))
            expect(yield* failure(yield* at(server.url)), JSON.stringify(challenge)).toMatchObject({
              kind: "needs-auth",
              status: 401
            })
          }
          const narrow = { "www-authenticate": 'Bearer error="insufficient_scope", scope="admin"' }
          const server = yield* serve(site({ call: (_, response) => void response.writeHead(403, narrow).end() }))
          const manager = yield* at(server.url)
          expect(yield* Effect.flip(callT(manager))).toMatchObject({
            status: 403,
            challenge: expect.stringContaining("admin")
          })
          expect((yield* statusOf(manager, "it"))?._tag).toBe("Connected")
        })
    )
  },
  {
    see: [
      "test/mcp/HttpTransport.login.test.ts",
      "test/mcp/auth/Login.test.ts",
      "test/mcp/auth/Challenge.test.ts",
      "test/mcp/auth/Attacks.test.ts"
    ]
  }
)
