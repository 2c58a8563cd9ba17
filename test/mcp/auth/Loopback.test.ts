import { request } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Loopback from "../../../src/mcp/auth/Loopback.ts"

/** The status and text that the listener answers with. */
const ask = (url: string, options: { readonly host?: string; readonly method?: string } = {}) =>
  Effect.promise(
    () =>
      new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
        const { host = new URL(url).host, method = "GET" } = options
        request(url, { method, headers: { host } }, (reply) => {
          let text = ""
          reply.on("data", (chunk) => {
            text += chunk
          })
          reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text }))
        })
          .on("error", reject)
          .end()
      })
  )

describe("the listener of a login", () => {
  it.scopedLive("takes one answer, shows how the login ended, and is gone", () =>
    Effect.gen(function* () {
      const redirectUri = yield* Effect.scoped(
        Effect.gen(function* () {
          const listener = yield* Loopback.listen(0)
          expect(listener.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
          const page = yield* Effect.fork(ask(`${listener.redirectUri}?code=<script>&state=s`))
          expect((yield* listener.received).get("code")).toBe("<script>")
          expect((yield* ask(`${listener.redirectUri}?code=other`)).status).toBe(410)
          yield* listener.finish(true)
          const { status, text } = yield* Fiber.join(page)
          expect(status).toBe(200)
          expect(text).toContain("You are logged in")
          expect(text).not.toContain("<script>")
          return listener.redirectUri
        })
      )
      expect(yield* Effect.exit(ask(redirectUri))).toMatchObject({ _tag: "Failure" })
    })
  )

  it.scopedLive("shows a failure when the login ends without a word", () =>
    Effect.gen(function* () {
      const page = yield* Effect.scoped(
        Effect.gen(function* () {
          const listener = yield* Loopback.listen(0)
          const fiber = yield* Effect.forkDaemon(ask(`${listener.redirectUri}?error=x`))
          yield* listener.received
          return fiber
        })
      )
      const { status, text } = yield* Fiber.join(page)
      expect(status).toBe(400)
      expect(text).toContain("The login failed")
    })
  )

  it.scopedLive.each([
    ["under another name", "/callback?code=x", { host: "evil.example" }, 403],
    ["under another port", "/callback?code=x", { host: "127.0.0.1:1" }, 403],
    ["at another path", "/?code=x", {}, 404],
    ["with another method", "/callback?code=x", { method: "POST" }, 405]
  ] as const)("does not answer %s", ([, path, options, status]) =>
    Effect.gen(function* () {
      const listener = yield* Loopback.listen(0)
      const reply = yield* ask(new URL(path, listener.redirectUri).href, options)
      expect(reply.status).toBe(status)
      const answered = yield* Effect.fork(listener.received)
      yield* Effect.fork(ask(`${listener.redirectUri}?code=right`))
      expect((yield* Fiber.join(answered)).get("code")).toBe("right")
    })
  )

  it.scopedLive("says when its port is taken", () =>
    Effect.gen(function* () {
      const { redirectUri } = yield* Loopback.listen(0)
      expect(yield* Effect.flip(Loopback.listen(Number(new URL(redirectUri).port)))).toBe("EADDRINUSE")
    })
  )
})
