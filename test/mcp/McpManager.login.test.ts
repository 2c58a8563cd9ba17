/**
 * Logins that end and begin while a Manager runs.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as McpAuth from "../../src/mcp/McpAuth.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as TransportFactory from "../../src/mcp/TransportFactory.ts"
import { fakeServer, oneTool } from "./auth/fakeServer.ts"
import { authLayer, person } from "./auth/harness.ts"
import { json } from "./httpServer.ts"
import { started, until } from "./managed.ts"

describe("a login that ends in the middle of a run", () => {
  it.scopedLive("makes its server wait for the next one, which connects it again", () =>
    Effect.gen(function* () {
      let over = false
      const server = yield* fakeServer({
        mcp: (got, response) =>
          over ? json(response, 401, {}, { "www-authenticate": "Bearer" }) : oneTool(got, response)
      })
      const config = ServerConfig.http("guarded", { url: server.url })
      const { login } = yield* McpAuth.McpAuth
      yield* login(config)
      const manager = yield* started([config])
      const client = yield* manager.client("guarded")
      expect((yield* client.callTool("open", {})).text).toBe("opened")

      over = true
      expect(yield* Effect.flip(client.callTool("open", {}))).toMatchObject({ kind: "needs-auth" })
      yield* until(manager, "guarded", "needs-auth")
      const refused = yield* Effect.flip(manager.client("guarded"))
      expect(refused).toMatchObject({ kind: "needs-auth", hint: expect.stringContaining("mcp login guarded") })

      over = false
      yield* login(config)
      yield* until(manager, "guarded", "connected")
      const again = yield* manager.client("guarded")
      expect((yield* again.callTool("open", {})).text).toBe("opened")
    }).pipe(Effect.provide(Layer.provideMerge(TransportFactory.layer, authLayer(person()))))
  )
})
