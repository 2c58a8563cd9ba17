import type { ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as HttpTransport from "../../src/mcp/HttpTransport.ts"
import { createSuiteServer } from "../fixtures/suite-server.mjs"
import * as Http from "./httpServer.ts"
import { transportSuite } from "./transportSuite.ts"

/** The suite's server, a session for each handshake; `reply` says how answers come. */
const suiteServer = (reply: "json" | "events") => {
  const sessions = new Map<string, ReturnType<typeof session>>()
  return Http.serve((got, response) => {
    const initialize = got.message.method === "initialize"
    const id = initialize ? `session-${sessions.size + 1}` : String(got.headers["mcp-session-id"])
    if (initialize) sessions.set(id, session(reply))
    const found = sessions.get(id)
    if (found === undefined) return void response.writeHead(404).end()
    response.setHeader("mcp-session-id", id)
    found(got, response)
  })
}

const session = (reply: "json" | "events"): Http.Handler => {
  const replies = new Map<unknown, ServerResponse>()
  let stream: ServerResponse | undefined
  let unsent: Array<object> = []

  const onStream = (message: object) => {
    if (stream === undefined) unsent.push(message)
    else stream.write(Http.event(message))
  }

  const receive = createSuiteServer({
    die: () => {},
    send: (message, during) => {
      const response = replies.get(during)
      const isReply = !("method" in message) && "id" in message && message.id === during
      if (response === undefined) return
      if (isReply) replies.delete(during)
      if (reply === "json") return isReply ? Http.json(response, 200, message) : onStream(message)
      response.write(Http.event(message))
      if (isReply) response.end()
    }
  })

  return (got, response) => {
    if (got.method === "DELETE") return void response.writeHead(204).end()
    if (got.method === "GET") {
      Http.events(response)
      stream = response
      for (const message of unsent) onStream(message)
      unsent = []
      return
    }
    if (got.message.method === undefined || got.message.id === undefined) response.writeHead(202).end()
    else {
      replies.set(got.message.id, response)
      if (reply === "events") Http.events(response)
    }
    receive(got.message)
  }
}

const over = (reply: "json" | "events") =>
  Effect.flatMap(suiteServer(reply), ({ url }) => HttpTransport.make({ server: "suite", url }))

transportSuite("HTTP, replies as JSON", over("json"))
transportSuite("HTTP, replies as events", over("events"))
