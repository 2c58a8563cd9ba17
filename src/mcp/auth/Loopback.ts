/**
 * Where the browser is sent back to after a login: a listener on this machine alone, for one answer, that is gone afterwards.
 */
import * as http from "node:http"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

const host = "127.0.0.1"
const path = "/callback"
/** How long the browser may take to read its page before the listener closes. */
const lastPage = Duration.seconds(1)

export interface Loopback {
  readonly redirectUri: string
  /** What the browser brought. Only the first answer counts. */
  readonly received: Effect.Effect<URLSearchParams>
  /** Shows the person how the login ended. */
  readonly finish: (succeeded: boolean) => Effect.Effect<void>
}

/** Fails with the system's code when the port cannot be had. */
export const listen = (port: number): Effect.Effect<Loopback, string, Scope.Scope> =>
  Effect.gen(function* () {
    const received = yield* Deferred.make<URLSearchParams>()
    let waiting: http.ServerResponse | undefined
    let bound = port

    const server = http.createServer((request, response) => {
      const answer = (status: number, text: string) => reply(response, status, text)
      // A page on the web may aim a name of its own at this machine: its requests carry that name.
      if (request.headers.host !== `${host}:${bound}` && request.headers.host !== `localhost:${bound}`) {
        return answer(403, "This address answers under its own name alone.")
      }
      const url = new URL(request.url ?? "/", `http://${host}`)
      if (url.pathname !== path) return answer(404, "There is nothing here.")
      if (request.method !== "GET") return answer(405, "There is nothing to do here.")
      if (waiting !== undefined) return answer(410, "This login is over.")
      waiting = response
      Deferred.unsafeDone(received, Effect.succeed(url.searchParams))
    })

    yield* Effect.acquireRelease(open(server, port), () => close(server))
    const address = server.address()
    bound = typeof address === "object" && address !== null ? address.port : port

    const finish: Loopback["finish"] = (succeeded) =>
      Effect.suspend(() => {
        if (waiting === undefined || waiting.writableEnded) return Effect.void
        const page = waiting
        return Effect.async<void>((resume) => {
          page.once("close", () => resume(Effect.void))
          reply(
            page,
            succeeded ? 200 : 400,
            succeeded
              ? "You are logged in. Close this page and go back to harness9."
              : "The login failed. Go back to harness9: it says why."
          )
        }).pipe(Effect.timeout(lastPage), Effect.ignore)
      })

    yield* Effect.addFinalizer(() => finish(false))
    return { redirectUri: `http://${host}:${bound}${path}`, received: Deferred.await(received), finish }
  })

const open = (server: http.Server, port: number): Effect.Effect<void, string> =>
  Effect.async((resume) => {
    server.once("error", (error) => resume(Effect.fail("code" in error ? String(error.code) : error.message)))
    server.listen({ host, port, exclusive: true }, () => resume(Effect.void))
  })

const close = (server: http.Server): Effect.Effect<void> =>
  Effect.async((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/** Nothing of the request is in the page. */
const reply = (response: http.ServerResponse, status: number, text: string): void => {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    connection: "close"
  })
  response.end(`<!doctype html><meta charset="utf-8"><title>harness9</title><p>${text}</p>`)
}
