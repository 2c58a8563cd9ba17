/**
 * E. The protocol: calls.
 */
import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import type { Progress } from "../../src/mcp/McpSchema.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { fault } from "./fault.ts"
import { client, connect, living, methods, registryOf, registryOfServer, stdio } from "./living.ts"

const unit = ["test/mcp/McpClient.test.ts", "test/mcp/internal/PendingRequests.test.ts"]

const progress = (progressToken: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken, progress: 1 }
})

fault(
  55,
  "Every call asks for progress, and progress starts its time anew, up to a limit of the whole",
  () => {
    it.scoped("a call that reports every 50 seconds for five minutes is no timeout; one that reports for ever is", () =>
      Effect.gen(function* () {
        const reporting = (times: number): TestServer.Tool => ({
          handler: (_, context) =>
            context
              .progress({ progress: 1 })
              .pipe(Effect.delay("50 seconds"), Effect.repeatN(times - 1), Effect.as("done"))
        })
        const it = yield* connect(TestServer.make({ tools: { long: reporting(6), endless: reporting(1000) } }))
        const seen: Array<Progress> = []
        const onProgress = (progress: Progress) => Effect.sync(() => void seen.push(progress))
        const long = yield* Effect.fork(it.callTool("long", {}, { onProgress }))
        const endless = yield* Effect.fork(Effect.flip(it.callTool("endless", {})))
        for (let step = 0; step < 30; step++) yield* TestClock.adjust("50 seconds")
        expect((yield* Fiber.join(long)).text).toBe("done")
        expect(seen).toHaveLength(6)
        expect((yield* Fiber.join(endless)).kind).toBe("timeout")
      })
    )

    it.scopedLive("over a pipe, with a limit shorter than the call", () =>
      Effect.gen(function* () {
        const { callTool } = yield* client("progress")
        const result = yield* callTool("slow", { ms: 2500, every: 200 }, { timeout: Duration.millis(1200) })
        expect(result.text).toBe("done")
      })
    )
  },
  { see: unit }
)

fault(
  56,
  "Progress that is late, made up, or without a token is nobody's, and nothing is said about it",
  () => {
    it.scopedLive("calls whose progress is odd are answered, and so is the next one", () =>
      Effect.gen(function* () {
        const { callTool } = yield* client("progress")
        for (const tool of ["late", "made_up", "no_token", "late", "slow"]) {
          expect((yield* callTool(tool, { ms: 50, every: 20 })).text).toBe("done")
        }
      })
    )

    it.scoped("a token of any type but the call's own gives no time", () =>
      Effect.gen(function* () {
        const server = TestServer.make({
          tools: {
            hang: {
              handler: (_, context) =>
                Effect.forever(
                  Effect.delay(
                    Effect.forEach(["1", null, {}, [], -1, 1e9, true, undefined], (token) =>
                      context.client.send(progress(token))
                    ),
                    "10 seconds"
                  )
                )
            },
            next: { handler: () => "ok" }
          }
        })
        const it = yield* connect(server)
        const hang = yield* Effect.fork(Effect.flip(it.callTool("hang", {})))
        for (let step = 0; step < 7; step++) yield* TestClock.adjust("10 seconds")
        expect((yield* Fiber.join(hang)).kind).toBe("timeout")
        expect((yield* it.callTool("next", {})).text).toBe("ok")
      })
    )
  },
  { see: unit }
)

fault(
  57,
  "Giving up a call reaches the server, once and by its id; late answers are dropped; a server's own cancellation ends the wait",
  () => {
    it.scoped("a timeout and an interruption are told; the answer that comes later harms nobody", () =>
      Effect.gen(function* () {
        const server = TestServer.make({
          tools: { hang: { handler: () => Effect.never }, next: { handler: () => "ok" } }
        })
        const it = yield* connect(server)
        const begun = Effect.repeat(Effect.zipRight(Effect.yieldNow(), server.calls), {
          until: (calls) => calls.length > 0
        })
        const late = yield* Effect.fork(it.callTool("hang", {}))
        yield* begun
        yield* Fiber.interrupt(late)
        const timed = yield* Effect.fork(Effect.flip(it.callTool("hang", {})))
        yield* TestClock.adjust("60 seconds")
        expect((yield* Fiber.join(timed)).kind).toBe("timeout")
        const sent = yield* server.messages
        const ids = sent.flatMap((message) =>
          message._tag === "Request" && message.params?.name === "hang" ? [message.id] : []
        )
        const cancelled = sent.flatMap((message) =>
          message._tag === "Notification" && message.method === "notifications/cancelled" ? [message.params] : []
        )
        expect(cancelled.map((params) => params?.requestId)).toEqual(ids)
        for (const params of cancelled) expect(typeof params?.reason).toBe("string")
        for (const id of ids)
          yield* server.send({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "late" }] } })
        for (let call = 0; call < 3; call++) expect((yield* it.callTool("next", {})).text).toBe("ok")
      })
    )

    it.scoped("initialize is never cancelled", () =>
      Effect.gen(function* () {
        const server = TestServer.make({ fail: "silent" })
        const connecting = yield* Effect.fork(Effect.flip(connect(server)))
        yield* TestClock.adjust("30 seconds")
        yield* Fiber.join(connecting)
        expect(yield* methods(server)).not.toContain("notifications/cancelled")
      })
    )

    it.scoped("a server that gives a call up ends its wait at once, with the reason", () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const server = TestServer.make({
          tools: { hang: { handler: () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never) } }
        })
        const it = yield* connect(server)
        const call = yield* Effect.fork(Effect.flip(it.callTool("hang", {})))
        yield* Deferred.await(begun)
        const request = (yield* server.messages).findLast((message) => message._tag === "Request")
        const requestId = request?._tag === "Request" ? request.id : undefined
        yield* server.send({
          jsonrpc: "2.0",
          method: "notifications/cancelled",
          params: { requestId, reason: "shutting down" }
        })
        expect(yield* Fiber.join(call)).toMatchObject({ message: expect.stringContaining("shutting down") })
      })
    )
  },
  { see: unit }
)

fault(
  60,
  "A call always carries an arguments object; a null that the schema does not ask for is left out",
  () => {
    it.scopedLive("a call without arguments has an empty object on the wire", () =>
      Effect.gen(function* () {
        const { callTool } = yield* client("env-report")
        expect(JSON.parse((yield* callTool("args", {})).text)).toMatchObject({ name: "args", arguments: {} })
        const registry = yield* registryOf(yield* living([stdio("env-report")]))
        expect(JSON.parse((yield* registry.execute("mcp__env_report__args", {})).text)).toMatchObject({ arguments: {} })
      })
    )

    it.scoped(
      "what a model fills in as null for want of a value does not reach the server, and a wanted null does",
      () =>
        Effect.gen(function* () {
          const inputSchema = {
            type: "object",
            properties: {
              q: { type: "string" },
              limit: { type: "integer" },
              after: { type: ["string", "null"] },
              on: { type: "string" }
            },
            required: ["q", "on"]
          }
          const server = TestServer.make({ tools: { find: { inputSchema, handler: () => "ok" } } })
          const registry = yield* registryOfServer(server)
          yield* registry.execute("mcp__it__find", { q: "x", limit: null, after: null, on: null })
          expect(yield* server.calls).toEqual([{ tool: "find", arguments: { q: "x", after: null, on: null } }])
        })
    )
  },
  { see: [...unit, "test/tool/ToolRegistry.test.ts"] }
)
