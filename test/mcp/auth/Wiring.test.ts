import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as McpAuth from "../../../src/mcp/McpAuth.ts"
import * as ServerConfig from "../../../src/mcp/ServerConfig.ts"
import * as TransportFactory from "../../../src/mcp/TransportFactory.ts"
import { fakeServer } from "./fakeServer.ts"
import { authLayer, person } from "./harness.ts"

const list = (config: ServerConfig.ServerConfig) =>
  Effect.gen(function* () {
    const factory = yield* TransportFactory.TransportFactory
    const transport = yield* factory.make(config)
    return yield* transport.request("tools/list", {})
  }).pipe(Effect.scoped)

const helper: ServerConfig.HeadersHelper = {
  command: [process.execPath, "-e", "console.log(JSON.stringify({ Authorization: 'Bearer printed' }))"],
  cwd: import.meta.dirname
}

describe("the transports of a program", () => {
  it.scopedLive("use its logins", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer()
      const config = ServerConfig.http("it", { url: server.url })
      yield* Effect.gen(function* () {
        expect(yield* Effect.flip(list(config))).toMatchObject({ kind: "needs-auth" })
        yield* Effect.flatMap(McpAuth.McpAuth, (auth) => auth.login(config))
        expect(yield* list(config)).toEqual({ tools: [] })
        expect(server.at("/mcp").at(-1)?.headers.authorization).toBe("Bearer the-token-123")
      }).pipe(Effect.provide(Layer.provideMerge(TransportFactory.layer, authLayer(person()))))
    })
  )

  it.scopedLive("run an entry's headersHelper with and without logins", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer()
      const config = ServerConfig.http("it", { url: server.url, headersHelper: helper })
      yield* Effect.provide(list(config), TransportFactory.layer)
      yield* Effect.provide(list(config), Layer.provide(TransportFactory.layer, authLayer(person())))
      expect(server.at("/mcp").map(({ headers }) => headers.authorization)).toEqual([
        "Bearer printed",
        "Bearer printed"
      ])
    })
  )

  it("load the OAuth library only when there is a login", () => {
    const source = (name: string) => readFileSync(new URL(`../../../src/mcp/${name}`, import.meta.url), "utf8")
    expect(source("auth/internal/Library.ts")).toContain('import("oauth4webapi")')
    for (const name of ["McpAuth.ts", "auth/TokenEndpoint.ts", "auth/Dpop.ts", "auth/AuthorizationCode.ts"]) {
      expect(source(name)).not.toMatch(/^import (?!type )[^\n]*"oauth4webapi"/m)
    }
  })
})
