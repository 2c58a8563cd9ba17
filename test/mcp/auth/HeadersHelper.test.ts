import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HeadersHelper from "../../../src/mcp/auth/HeadersHelper.ts"
import * as McpAuth from "../../../src/mcp/McpAuth.ts"
import * as ServerConfig from "../../../src/mcp/ServerConfig.ts"
import { json } from "../httpServer.ts"
import { fakeServer } from "./fakeServer.ts"
import { authLayer, connect, folder, person } from "./harness.ts"

/** A helper that runs some JavaScript. */
const helper = (code: string, timeout?: Duration.Duration): ServerConfig.HeadersHelper => ({
  command: [process.execPath, "-e", code],
  cwd: import.meta.dirname,
  timeout
})

const server = { name: "it", url: "https://example.com/mcp" }

describe("a headersHelper", () => {
  it.live("is told which server it is for, and its headers are taken", () =>
    Effect.gen(function* () {
      const code =
        "console.log(JSON.stringify({ Authorization: process.env.HARNESS9_SERVER_NAME, 'X-For': process.env.HARNESS9_SERVER_URL }))"
      expect(yield* HeadersHelper.run(server, helper(code))).toEqual({ authorization: "it", "x-for": server.url })
    })
  )

  it.live.each<readonly [string, string, string]>([
    ["does not end", "setInterval(() => {}, 1000)", "printed no headers within"],
    ["fails", 'console.log(\'{"a":"s3cr3t"}\'); process.exit(3)', "ended with code 3"],
    ["prints without end", "setInterval(() => process.stdout.write('s3cr3t'.repeat(100000)), 1)", "printed more than"],
    ["prints no JSON", "console.log('s3cr3t')", "it is no JSON object"]
  ])("that %s is an error that tells nothing of what it printed", ([, code, message]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(HeadersHelper.run(server, helper(code, Duration.seconds(3))))
      expect(error).toMatchObject({ phase: "auth", kind: "config", server: "it" })
      expect(error.message).toContain(message)
      expect(error.message).not.toContain("s3cr3t")
    })
  )

  it.live("that is not there is told by name", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(HeadersHelper.run(server, { command: ["no-such-helper"], cwd: "/" }))
      expect(error.message).toContain("no-such-helper")
    })
  )

  it.each([
    ['{"X-A": "a\\r\\nX-B: b"}', "no header can carry"],
    ['{"X-A": "a\\u0000"}', "no header can carry"],
    ['{"X-A": "\\u{1F600}"}', "no JSON object"],
    ['{"X-A": "snow\\u2603"}', "no header can carry"],
    ['{"X A": "a"}', "the name of field 1"],
    ['{"X-A\\r\\nX-B": "a"}', "the name of field 1"],
    ['{"Host": "evil.example"}', "only harness9 itself sets"],
    ['{"content-length": "0"}', "only harness9 itself sets"],
    ['{"Transfer-Encoding": "chunked"}', "only harness9 itself sets"],
    ['{"Mcp-Session-Id": "x"}', "only harness9 itself sets"],
    ['{"X-A": 1}', "is no text"],
    ['{"X-A": "a", "x-a": "b"}', "is there twice"],
    ['["a"]', "no JSON object"],
    ["null", "no JSON object"]
  ])("that prints %s is not used: %s", (output, message) => {
    expect(HeadersHelper.read(output)).toContain(message)
  })

  it.scopedLive("runs once for all messages, and again when the server does not accept what it printed", () =>
    Effect.gen(function* () {
      let accepted = 1
      const remote = yield* fakeServer({
        mcp: (got, response) =>
          got.headers.authorization === `Bearer run-${accepted}`
            ? json(response, 200, { jsonrpc: "2.0", id: got.message.id, result: { content: [{ text: "done" }] } })
            : json(response, 401, {})
      })
      const counter = join(yield* folder, "runs")
      const code = `const fs = require("fs"); let n = 0; try { n = Number(fs.readFileSync(${JSON.stringify(counter)}, "utf8")) } catch {}
        fs.writeFileSync(${JSON.stringify(counter)}, String(n + 1)); console.log(JSON.stringify({ Authorization: "Bearer run-" + (n + 1) }))`
      const config = ServerConfig.http("it", { url: remote.url, headersHelper: helper(code) })
      yield* Effect.gen(function* () {
        const { call } = yield* connect(config)
        yield* Effect.all([call("a"), call("b"), call("c")], { concurrency: "unbounded" })
        accepted = 2
        yield* Effect.all([call("a"), call("b"), call("c")], { concurrency: "unbounded" })
        expect(new Set(remote.got.map(({ headers }) => headers.authorization))).toEqual(
          new Set(["Bearer run-1", "Bearer run-2"])
        )
        accepted = 99
        const error = yield* Effect.flip(call("a"))
        expect(error).toMatchObject({ kind: "needs-auth", status: 401 })
        const auth = yield* McpAuth.McpAuth
        expect(yield* auth.status(config)).toEqual({ _tag: "Configured", by: "headersHelper" })
        expect(yield* Effect.flip(auth.login(config))).toMatchObject({ kind: "config" })
      }).pipe(Effect.provide(authLayer(person())))
    })
  )
})
