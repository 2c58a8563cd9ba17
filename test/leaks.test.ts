import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { McpError } from "../src/mcp/McpError.ts"
import * as Leaks from "./leaks.ts"
import { json, serve } from "./mcp/httpServer.ts"

const post = (url: string, init: RequestInit) => Effect.promise(() => fetch(url, { method: "POST", ...init }))

/** What was found, and nothing of it left for the end of this file. */
const found = Effect.sync(() => {
  const all = Leaks.found()
  Leaks.forget()
  return all
})

describe("a secret that harness9 says", () => {
  it.scopedLive("is found, wherever it went and whoever issued it", () =>
    Effect.gen(function* () {
      const server = yield* serve((_, response) => json(response, 200, { access_token: "an-access-token" }))
      yield* post(server.url, {
        headers: { authorization: `Basic ${btoa("id:a-client-secret")}`, dpop: "a-proof", "x-key": "a-helper's" },
        body: new URLSearchParams({ code_verifier: "a-verifier", refresh_token: "a-refresh-token", scope: "a-scope" })
      })
      yield* Effect.promise(() => fetch(`${server.origin}/authorize?state=a-state&code=the-code`))
      Leaks.said("Logged in with a-scope.\n")
      expect(Leaks.found()).toEqual([])
      for (const text of ["an-access-token", "a-proof", "a-helper's", "a-verifier", "the-code"])
        Leaks.said(`log: ${text}`)
      Leaks.said({ error: { data: ["a-client-secret"] } })
      Leaks.said(new McpError({ server: "it", phase: "auth", kind: "http", message: "a-refresh-token is wrong" }))
      Leaks.said("at https://as.example/authorize?code_challenge=x&state=a-state")
      expect((yield* found).map((text) => text.replace(/ in: .*/, ""))).toEqual([
        "a client's secret",
        "the field dpop",
        "the field x-key",
        "the parameter code_verifier",
        "the parameter refresh_token",
        "the field access_token",
        "the parameter code"
      ])
    })
  )

  it.scopedLive("is found in what the state is printed in, unless that is the page to log in on", () =>
    Effect.gen(function* () {
      Leaks.note("the state", "the-state")
      Leaks.said("https://as.example/authorize?code_challenge=x&state=the-state")
      expect(Leaks.found()).toEqual([])
      Leaks.said("http://127.0.0.1:1/callback?state=the-state")
      expect((yield* found).length).toBe(1)
    })
  )
})
