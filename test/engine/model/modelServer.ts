import * as http from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import { isObject, type JsonObject } from "../../../src/mcp/JsonRpc.ts"

/** What the server does with one request: an event stream, a refusal, or a stream that breaks. */
export type Reply =
  | { readonly events: ReadonlyArray<JsonObject | string>; readonly ending?: "whole" | "broken" }
  | { readonly status: number; readonly body?: JsonObject; readonly headers?: http.OutgoingHttpHeaders }

export interface Asked {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: JsonObject
}

/** A model's server on the loopback that plays these replies to requests for `path`, and has nothing else. */
export const modelServer = (path: string | undefined, replies: ReadonlyArray<Reply>) =>
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    const server = http.createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        if (path !== undefined && request.url !== path) return send(response, { status: 404 })
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"))
        const { url = "", headers } = request
        asked.push({ path: url, headers, body: isObject(body) ? body : {} })
        send(response, replies[asked.length - 1] ?? { status: 500 })
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    // A server that listens on TCP has such an address.
    const { port } = server.address() as AddressInfo
    return { asked, url: `http://127.0.0.1:${port}` }
  })

const send = (response: http.ServerResponse, reply: Reply) => {
  if ("status" in reply) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
    return response.end(JSON.stringify(reply.body ?? {}))
  }
  response.writeHead(200, { "content-type": "text/event-stream" })
  const text = reply.events
    .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
    .join("")
  // The last piece comes apart from the first, so that readers meet a split event.
  const half = Math.floor(text.length / 2)
  response.write(text.slice(0, half))
  response.write(text.slice(half), () => (reply.ending === "broken" ? response.destroy() : response.end()))
}
