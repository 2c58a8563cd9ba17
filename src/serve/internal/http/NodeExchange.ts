/**
 * An exchange of `node:http` as the web's `Request` and `Response`, which is what the SDK speaks.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { pipeline, Readable } from "node:stream"
import * as Effect from "effect/Effect"

/** The body, or nothing when it is longer than allowed. Fails when the client goes away before its end. */
export const body = (incoming: IncomingMessage, maxBytes: number): Effect.Effect<string | undefined, "gone"> =>
  Effect.async((resume) => {
    const chunks: Array<Buffer> = []
    let bytes = 0
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBytes) return chunks.push(chunk)
      incoming.removeAllListeners("data").resume()
      resume(Effect.succeed(undefined))
    })
    incoming.on("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
    incoming.on("close", () => resume(Effect.fail("gone")))
    incoming.on("error", () => resume(Effect.fail("gone")))
  })

/** The request, without its body; its signal tells that the client is gone. */
export const request = (incoming: IncomingMessage, signal: AbortSignal): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value)
  }
  return new Request(new URL(incoming.url ?? "/", `http://${incoming.headers.host}`), {
    method: incoming.method ?? "GET",
    headers,
    signal
  })
}

/** Sends the response; done when it has been, or when the client is gone. */
export const respond = (outgoing: ServerResponse, response: Response): Effect.Effect<void> =>
  Effect.async((resume) => {
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.on("close", () => resume(Effect.void))
    if (response.body === null) {
      outgoing.end(() => resume(Effect.void))
      return
    }
    outgoing.flushHeaders()
    // The types of the web's streams in the DOM's library and in Node's differ in name alone.
    const source = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
    pipeline(source, outgoing, () => resume(Effect.void))
  })

/** A refusal in the form of JSON-RPC. */
export const refusal = (status: number, code: number, message: string, headers?: HeadersInit): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, ...(headers && { headers }) })
