/**
 * B. Framing and JSON-RPC over stdio: which message is which.
 */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestServer from "../../src/testing/TestServer.ts"
import { fault } from "./fault.ts"
import { client, connect, methods } from "./living.ts"

/** A server that sends these messages, with the id of the call in place of `$ID`, before it answers. */
const interjecting = (...messages: ReadonlyArray<Record<string, unknown>>) => {
  const server = TestServer.make({
    tools: {
      ask: {
        handler: (_, context) =>
          Effect.gen(function* () {
            const call = (yield* server.messages).findLast((message) => message._tag === "Request")
            const id = call?._tag === "Request" ? call.id : undefined
            for (const message of messages)
              yield* context.client.send({ ...message, id: message.id === "$ID" ? id : message.id })
            return "answered"
          })
      }
    }
  })
  return server
}

/** What the server was answered, once it is that many answers. */
const replies = (server: TestServer.TestServer, count: number) =>
  Effect.map(
    Effect.repeat(Effect.zipRight(Effect.yieldNow(), server.messages), {
      until: (all) => all.filter(({ _tag }) => _tag === "Response").length === count
    }),
    (messages) =>
      messages.flatMap((message) => (message._tag === "Response" ? [{ id: message.id, reply: message.reply }] : []))
  )

const unknown = { _tag: "Error", error: { code: -32601 } }

fault(
  16,
  "A message with a method is never an answer: each side has its own ids, and requests that nobody knows are refused at once",
  () => {
    it.scoped(
      "a request of the server with the id of the open call is answered as a request, and the call by its answer",
      () =>
        Effect.gen(function* () {
          const server = interjecting({ jsonrpc: "2.0", id: "$ID", method: "roots/list" })
          const { callTool } = yield* connect(server)
          for (let call = 0; call < 3; call++) expect((yield* callTool("ask", {})).text).toBe("answered")
          expect(yield* replies(server, 3)).toMatchObject([{ reply: unknown }, { reply: unknown }, { reply: unknown }])
        })
    )

    it.scoped("not even when it carries a result or an error as well", () =>
      Effect.gen(function* () {
        for (const more of [{ result: { content: [] } }, { error: { code: 1, message: "no" } }]) {
          const { callTool } = yield* connect(interjecting({ jsonrpc: "2.0", id: "$ID", method: "x/y", ...more }))
          expect((yield* callTool("ask", {})).text).toBe("answered")
        }
      })
    )
  },
  { see: ["test/mcp/internal/Connection.test.ts"] }
)

fault(
  17,
  "Ping is answered at any time, also before the handshake is done; every other request that is not supported gets -32601 at once",
  () => {
    it.scopedLive("a server that pings before it answers initialize is connected", () =>
      Effect.gen(function* () {
        const { callTool } = yield* client("early-traffic")
        expect((yield* callTool("pong_seen", {})).text).toBe("pong:true initialized:true listsBeforeInit:0")
      })
    )

    it.scopedLive("five requests inside a call are answered while the call is open", () =>
      Effect.gen(function* () {
        const { callTool } = yield* client("server-requests")
        expect((yield* callTool("ask", {})).text).toBe(
          "ping=result roots/list=-32601 sampling/createMessage=-32601 elicitation/create=-32601 x/unknown=-32601"
        )
      })
    )

    it.scoped("ids of every kind come back as they are", () =>
      Effect.gen(function* () {
        const ids = [0, 1, -7, 1.5, "", "0", "a\u2028b", 2 ** 53]
        const server = interjecting(...ids.map((id) => ({ jsonrpc: "2.0", id, method: "ping" })))
        expect((yield* (yield* connect(server)).callTool("ask", {})).text).toBe("answered")
        const answered = yield* replies(server, ids.length)
        expect(answered.map(({ id }) => id).sort()).toEqual([...ids].sort())
        for (const { reply } of answered) expect(reply).toEqual({ _tag: "Result", result: {} })
      })
    )
  },
  { see: ["test/mcp/McpClient.test.ts"] }
)

fault(
  18,
  "Notifications before the answer to initialize are not taken for it, and no list is asked for before the handshake is done",
  () => {
    it.scoped("whatever comes early, the handshake goes its way", () =>
      Effect.gen(function* () {
        const early = [
          { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
          { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } },
          { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
          { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 77 } },
          { jsonrpc: "2.0", method: "notifications/nobody-knows", params: [] },
          { jsonrpc: "2.0", id: 99, result: { protocolVersion: "2025-06-18" } },
          { jsonrpc: "2.0", id: null, error: { code: -1, message: "no" } }
        ]
        for (const message of early) {
          const server = TestServer.make({
            tools: { a: { handler: () => "ok" } },
            methods: {
              initialize: ({ protocolVersion }, { client }) =>
                Effect.as(Effect.repeatN(client.send(message), 4), {
                  protocolVersion,
                  capabilities: { tools: {} },
                  serverInfo: { name: "early", version: "1" }
                })
            }
          })
          const { callTool } = yield* connect(server)
          expect((yield* callTool("a", {})).text).toBe("ok")
          const sent = yield* methods(server)
          expect(sent.slice(sent.indexOf("initialize"))).toEqual([
            "initialize",
            "notifications/initialized",
            "tools/list",
            "tools/call"
          ])
        }
      })
    )
  },
  { see: ["test/mcp/McpClient.test.ts"] }
)
