/**
 * HTTP servers for tests: on loopback, on a free port, ended with the Scope.
 */
import { spawn } from "node:child_process"
import * as http from "node:http"
import { type AddressInfo, connect, createServer } from "node:net"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as Leaks from "../leaks.ts"

/** A request that the server got, body read. */
export interface Got {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
  /** The JSON-RPC message; empty for a request without one. */
  readonly message: Message
}

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: JsonObject
}

export interface Server {
  readonly url: string
  readonly origin: string
  readonly port: number
  /** What came so far, in order. */
  readonly got: ReadonlyArray<Got>
  /** Stops listening and cuts every connection. */
  readonly stop: Effect.Effect<void>
}

export type Handler = (got: Got, response: http.ServerResponse) => void

/** Serves `handler` at every path. */
export const serve = (handler: Handler, port = 0): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.gen(function* () {
    const got: Array<Got> = []
    const server = http.createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk) => chunks.push(chunk))
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString("utf8")
        const one = {
          method: request.method ?? "",
          path: request.url ?? "",
          headers: request.headers,
          body,
          message: body.startsWith("{") || body.startsWith("[") ? JSON.parse(body) : {}
        }
        got.push(one)
        Leaks.noteRequest(one.path, one.headers, body)
        handler(one, response)
      })
    })
    const stop = Effect.async<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(port, "127.0.0.1", () => resume(Effect.void))
      }),
      () => stop
    )
    const address = server.address() as AddressInfo
    const origin = `http://127.0.0.1:${address.port}`
    return { url: `${origin}/mcp`, origin, port: address.port, got, stop }
  })

export const json = (response: http.ServerResponse, status: number, body: unknown, headers: JsonObject = {}): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers } as http.OutgoingHttpHeaders)
  Leaks.noteReply(body)
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}

export const events = (response: http.ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.flushHeaders()
}

export const event = (message: unknown, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`

export const result = (got: Got, value: unknown) => ({ jsonrpc: "2.0", id: got.message.id, result: value })

/** Answers what every MCP server answers, and leaves the rest to `handler`: GET has no stream, notifications are accepted. */
export const mcp =
  (handler: Handler, session?: string): Handler =>
  (got, response) => {
    const { id, method } = got.message
    if (method === "initialize") {
      const agreed = result(got, {
        protocolVersion: got.message.params?.protocolVersion,
        capabilities: {},
        serverInfo: { name: "test", version: "1.0.0" }
      })
      return json(response, 200, agreed, session === undefined ? {} : { "mcp-session-id": session })
    }
    if (got.method === "POST" && id === undefined) return void response.writeHead(202).end()
    if (got.method === "DELETE") return void response.writeHead(204).end()
    if (got.method === "GET") return void response.writeHead(405).end()
    handler(got, response)
  }

/** A server of test/fixtures/http, run by itself. Gives its address without a path, and what it said on stderr. */
export const fixture = (
  name: string,
  mode = ""
): Effect.Effect<{ readonly origin: string; readonly said: () => string }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const child = spawn(process.execPath, [`${import.meta.dirname}/../fixtures/http/${name}.mjs`, "0", mode], {
      stdio: ["ignore", "ignore", "pipe"]
    })
    let said = ""
    yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
    const port = yield* Effect.async<string>((resume) => {
      child.stderr.on("data", (chunk) => {
        said += chunk
        const listening = /listening (\d+)/.exec(said)?.[1]
        if (listening !== undefined) resume(Effect.succeed(listening))
      })
    })
    return { origin: `http://127.0.0.1:${port}`, said: () => said }
  })

/** A program that serves HTTP, once it does: `start` says how, given the port. Gives its address without a path. */
export const program = (start: (port: string) => Start): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = yield* freePort
    const { args, cwd, env } = start(String(port))
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        // A group of its own: some of these programs start others.
        spawn(process.execPath, args, { cwd, detached: true, stdio: "ignore", env: { ...process.env, ...env } })
      ),
      ({ pid }) => Effect.sync(() => pid !== undefined && process.kill(-pid, "SIGKILL"))
    )
    const ended = Effect.async<never>((resume) => {
      child.once("exit", (code) => resume(Effect.die(new Error(`${args.join(" ")} ended with ${code}`))))
    })
    yield* Effect.raceFirst(Effect.retry(reached(port), Schedule.spaced("50 millis")), ended).pipe(Effect.orDie)
    return `http://127.0.0.1:${port}`
  })

export interface Start {
  /** For Node. */
  readonly args: ReadonlyArray<string>
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

const freePort = Effect.async<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** Fails while nothing listens. */
const reached = (port: number) =>
  Effect.async<void, Error>((resume) => {
    const socket = connect(port, "127.0.0.1", () => resume(Effect.void))
    socket.on("error", (error) => resume(Effect.fail(error)))
    return Effect.sync(() => socket.destroy())
  })
